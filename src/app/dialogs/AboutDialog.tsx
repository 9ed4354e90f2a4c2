/** About: versions, what is kept on this device, the policy that keeps it there, and the licences of everything in the page. */
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { countText } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { pageEngineVersion } from "../../store/madeWith.ts";
import { notify } from "../../store/notices.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { type Built, built, type Licence, licenceGroups } from "../about/built.ts";
import { deleteKept, type KeptKind, type KeptPart, whatIsKept } from "../about/kept.ts";
import { policyOfPage, policyRows } from "../about/policyWords.ts";
import { sizeText } from "./sizeText.ts";

export function AboutDialog() {
  const made = built();
  return (
    <Dialog
      title="About Queuescope"
      description="A simulator and visualizer of how GPU clusters are scheduled. It computes in this browser, and nothing leaves this machine."
      size="large"
      open
      onClose={closeDialog}
      actions={<Button label="Keys" onClick={() => run("openHelp")} />}
    >
      <div className="about">
        <p>
          Version {made?.version ?? "of a development server"} · engine {pageEngineVersion()} ·
          Apache License 2.0
        </p>
        <Kept />
        <Policy />
        {made && <Licences made={made} />}
      </div>
    </Dialog>
  );
}

const KINDS: Readonly<Record<KeptKind, readonly [name: string, sentence: string]>> = {
  documents: [
    "Work in progress",
    "the scenario of each tab, so that a reload or a crash loses nothing; in the browser’s database, and the steps of Undo in the tab’s own memory until it is closed",
  ],
  recents: ["Recent scenarios", "the list under “Recent scenarios”; in the browser’s database"],
  traces: [
    "Traces",
    "files that were opened here, so that links find them; in the browser’s database",
  ],
  settings: [
    "Preferences",
    "theme, speed, sizes, curves, columns, keys; in the browser’s local storage",
  ],
  pages: [
    "The page itself",
    "this version whole, so that it opens without network; in the browser’s cache",
  ],
};

function Kept() {
  const [parts, setParts] = useState<readonly KeptPart[] | null>(null);
  const [asked, setAsked] = useState<KeptKind | null>(null);
  useEffect(() => {
    void whatIsKept().then(setParts);
  }, []);
  const drop = async (kind: KeptKind): Promise<void> => {
    if (!(await deleteKept(kind)))
      notify(`${KINDS[kind][0]} could not be deleted. Reload the page and try again.`);
    setAsked(null);
    setParts(await whatIsKept());
  };
  if (!parts) return null;
  return (
    <section aria-label="Kept on this device">
      <h3 className="dialog-h">Kept on this device</h3>
      {parts.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <table className="files">
          <thead>
            <tr>
              <th>What</th>
              <th className="n">Entries</th>
              <th className="n">Size</th>
              <th>
                <span className="sr-only">Delete</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ kind, count, bytes }) => (
              <tr key={kind}>
                <td>
                  <b>{KINDS[kind][0]}</b>: {KINDS[kind][1]}
                </td>
                <td className="n">{count}</td>
                <td className="n">{sizeText(bytes)}</td>
                <td className="n">
                  {asked === kind ? (
                    <Button
                      label={`Delete for good: ${KINDS[kind][0]}`}
                      look="primary"
                      onClick={() => void drop(kind)}
                    >
                      Delete for good
                    </Button>
                  ) : (
                    <Button
                      label={`Delete: ${KINDS[kind][0]}`}
                      icon={Trash2}
                      look="icon"
                      onClick={() => setAsked(kind)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="field-hint">
        What is open in a tab stays there, and is kept again with its next change. Everything at
        once: clear this site’s data in the browser.
      </p>
    </section>
  );
}

function Policy() {
  const rows = policyRows(policyOfPage());
  return (
    <section aria-label="Nothing leaves this machine">
      <h3 className="dialog-h">Nothing leaves this machine</h3>
      <p>
        There is no account, no counter and no server behind this page. Scenarios travel only in
        links and files that you send, and opened traces in neither.{" "}
        {rows.length > 0
          ? "The browser holds the page to that by the policy it came with:"
          : "The development server sets no policy; the built page carries one."}
      </p>
      {rows.length > 0 && (
        <table className="files about-policy">
          <thead>
            <tr>
              <th>May come from</th>
              <th>Allowed</th>
              <th>In the policy’s words</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ about, allowed, directive }) => (
              <tr key={directive}>
                <td>{about}</td>
                <td>{allowed}</td>
                <td>
                  <code>{directive}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Licences({ made }: { readonly made: Built }) {
  return (
    <section aria-label="Licences">
      <h3 className="dialog-h">Licences</h3>
      <p>Parts of {countText(made.packages.length, "package")} of others are in this page.</p>
      <ul className="about-licences">
        {licenceGroups(made).map(({ licence, packages, text }) => (
          <li key={`${licence} ${packages[0]?.name}`}>
            <details>
              <summary>
                <b>{licence}</b> {namesOf(packages)}
              </summary>
              {packages.length > NAMED && (
                <p>{packages.map(({ name, version }) => `${name} ${version}`).join(", ")}</p>
              )}
              <pre>{text ?? "These packages carry no text of their licence."}</pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NAMED = 2;

function namesOf(packages: readonly Licence[]): string {
  const names = packages.slice(0, NAMED).map(({ name, version }) => `${name} ${version}`);
  const more = packages.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
