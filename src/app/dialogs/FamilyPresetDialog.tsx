/** What a preset of the Kubernetes family models, approximates and leaves out: from the facts that its document is held to. */
import { FAMILY_FACTS } from "../../scenario/kubernetes/familyFacts.ts";
import { presetOf } from "../../scenario/settings.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";

export function FamilyPresetDialog({ preset }: { readonly preset: string }) {
  const facts = FAMILY_FACTS[preset];
  const spec = presetOf(preset);
  if (!facts || !spec) return null;
  return (
    <Dialog
      title={`What the preset ${spec.label} models`}
      description={`Rules of ${facts.version}. ${spec.sentence}`}
      open
      size="large"
      onClose={closeDialog}
    >
      <div className="preset-page">
        <section>
          <h3 className="dialog-h">Modelled</h3>
          <p>{facts.modelled.join(" · ")}</p>
        </section>
        <section>
          <h3 className="dialog-h">Approximated</h3>
          <Items items={facts.approximated} />
        </section>
        <section>
          <h3 className="dialog-h">Not modelled</h3>
          <Items items={facts.notModelled} />
        </section>
        <section>
          <h3 className="dialog-h">Where the rules stand</h3>
          <p className="preset-names">
            {facts.sources.map(({ name, link }) => (
              <a key={name} href={link} target="_blank" rel="noopener noreferrer">
                {name}
              </a>
            ))}
          </p>
        </section>
      </div>
    </Dialog>
  );
}

function Items({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="preset-list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
