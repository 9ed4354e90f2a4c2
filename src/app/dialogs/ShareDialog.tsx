/**
 * Sharing: the link with its length, its QR code, what it holds and what it leaves out, a snippet that shows panels elsewhere, and the scenario as a file.
 * The link is that of the moment the dialog was opened; it says how long its run's jobs waited, so the numbers are computed first.
 */
import { Code, Copy, Download, FolderOpen, ImageDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { numberText } from "../../base/format.ts";
import { sameJson } from "../../base/json.ts";
import { run } from "../../store/commands.ts";
import { currentView } from "../../store/documents.ts";
import { knownMetrics } from "../../store/knownMetrics.ts";
import { useLayout } from "../../store/layout.ts";
import { libraryBase } from "../../store/linkCode.ts";
import { shortDigest } from "../../store/madeWith.ts";
import { runData } from "../../store/runData.ts";
import { computeMetrics } from "../../store/runNumbers.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { currentLink, futuresInLink } from "../../store/url.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/Check.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Message } from "../../ui/Message.tsx";
import { copyText } from "../share/copyText.ts";
import { EMBED_PANELS, EMBED_WORDS, type EmbedPanel, embedSnippet } from "../share/embed.ts";
import { linkFacts } from "../share/linkFacts.ts";
import { QR_BYTES_EASY, QR_BYTES_MOST, qrPicture } from "../share/qr.ts";
import { saveKeptFutures } from "../share/saveFile.ts";
import "./share.css";

export function ShareDialog() {
  const link = useLink();
  const leave = (next: () => void) => () => {
    closeDialog();
    requestAnimationFrame(next);
  };
  return (
    <Dialog
      title="Share"
      description="Everything stands behind the # of the address: no server sees it, and nobody has to keep it for you."
      size="large"
      open
      onClose={closeDialog}
      actions={
        <>
          <Button
            label="Picture or data"
            icon={ImageDown}
            keys="Mod+E"
            onClick={() => run("openExport")}
          />
          <Button
            label="Open file"
            icon={FolderOpen}
            keys="Mod+O"
            onClick={() => run("openFile")}
          />
          <Button
            label="Save file"
            icon={Download}
            keys="Mod+S"
            onClick={leave(() => run("saveScenario"))}
          />
        </>
      }
    >
      {link === null ? <TooLong /> : <Link link={link} />}
    </Dialog>
  );
}

/** The link, anew once the numbers of its run are known, and with or without the layout. */
function useLink(): string | null {
  const [link, setLink] = useState(currentLink);
  useEffect(() => useLayout.subscribe(() => setLink(currentLink())), []);
  useEffect(() => {
    const { stage, current } = runData.get();
    if (!stage || !current.done || knownMetrics(current)) return;
    return computeMetrics(stage, current, () => setLink(currentLink()));
  }, []);
  return link;
}

function TooLong() {
  return (
    <Message
      title="This document is too long for a link."
      action={<Button label="Save file" onClick={() => run("saveScenario")} />}
    >
      A link takes 65,536 characters, about 3,000 jobs made by hand. Save the scenario as a file and
      send that; it opens when it is dropped on the page.
    </Message>
  );
}

function Link({ link }: { readonly link: string }) {
  const id = useId();
  const scenario = useApp((state) => state.scenario);
  const baseId = useApp((state) => state.baseId);
  const kept = futuresInLink();
  const withLayout = useLayout((state) => state.inLink);
  const qr = useMemo(() => qrPicture(link), [link]);
  if (!scenario) return null;
  const { current } = runData.get();
  const base = libraryBase(baseId);
  const facts = linkFacts({
    scenario,
    base: base && {
      title: base.scenario.title,
      asItIs: sameJson(base.scenario, scenario),
    },
    view: currentView(),
    digest: current.done ? shortDigest(current.digest) : null,
    layout: withLayout,
    kept,
  });
  return (
    <div className="share">
      <div className="share-main">
        <label className="field-label" htmlFor={id}>
          Link to this moment · {numberText(link.length)} characters
        </label>
        <div className="share-copy">
          <input
            id={id}
            className="input share-text"
            readOnly
            value={link}
            onFocus={(event) => event.target.select()}
          />
          <Button
            label="Copy link"
            icon={Copy}
            look="primary"
            onClick={() => void copyText(link, "Link copied.")}
          />
        </div>
        <Check
          label="With my layout"
          checked={withLayout}
          onChange={(inLink) => useLayout.setState({ inLink })}
        />
        <h3 className="dialog-h">In the link</h3>
        <Facts facts={facts.holds} />
        <h3 className="dialog-h">Not in the link</h3>
        <Facts facts={facts.leavesOut} />
        {!kept.fits && <Button label="Save kept futures as files" onClick={saveKeptFutures} />}
        <Embed link={link} title={scenario.title} />
      </div>
      <div className="share-code">
        {qr === null ? (
          <p>
            Too long for a QR code: it holds {numberText(QR_BYTES_MOST)} characters at most. Send
            the link, or the file.
          </p>
        ) : (
          <>
            <svg
              viewBox={`0 0 ${qr.side} ${qr.side}`}
              role="img"
              aria-label="QR code of the link"
              shapeRendering="crispEdges"
            >
              <rect width={qr.side} height={qr.side} fill="#fff" />
              <path d={qr.path} fill="#000" />
            </svg>
            <p>
              {link.length <= QR_BYTES_EASY
                ? "Point a telephone at it: the same link."
                : "A dense code: show it large, or send the link."}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function Facts({ facts }: { readonly facts: readonly string[] }) {
  return (
    <ul className="share-facts">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

function Embed({ link, title }: { readonly link: string; readonly title: string }) {
  const [chosen, setChosen] = useState<readonly EmbedPanel[]>(["gantt"]);
  const id = useId();
  const toggle = (panel: EmbedPanel): void =>
    setChosen((now) => {
      const next = now.includes(panel) ? now.filter((one) => one !== panel) : [...now, panel];
      return EMBED_PANELS.filter((one) => next.includes(one));
    });
  const snippet = embedSnippet(link, chosen, title);
  return (
    <>
      <h3 className="dialog-h">In another page</h3>
      <Ticks legend="Panels to embed">
        {EMBED_PANELS.map((panel) => (
          <Check
            key={panel}
            label={EMBED_WORDS[panel]}
            checked={chosen.includes(panel)}
            onChange={() => toggle(panel)}
          />
        ))}
      </Ticks>
      <div className="share-copy">
        <input
          id={id}
          className="input share-text"
          aria-label="Snippet to embed"
          readOnly
          value={chosen.length === 0 ? "" : snippet}
          placeholder="Choose a panel"
          onFocus={(event) => event.target.select()}
        />
        <Button
          label="Copy snippet"
          icon={Code}
          disabledReason={chosen.length === 0 ? "Choose a panel first" : null}
          onClick={() =>
            void copyText(snippet, "Snippet copied: paste it into a page or a notebook.")
          }
        />
      </div>
    </>
  );
}

function Ticks({ legend, children }: { readonly legend: string; readonly children: ReactNode }) {
  return (
    <fieldset className="share-ticks">
      <legend className="sr-only">{legend}</legend>
      {children}
    </fieldset>
  );
}
