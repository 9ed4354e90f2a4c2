/**
 * What the preset Slurm models, approximates and leaves out, and what of it no recording shows: from the facts that its document
 * is held to and from the catalogue of parameters, so that page, document and program say the same.
 */
import { countText } from "../../base/format.ts";
import type { Parameter } from "../../scenario/slurm/parameterKinds.ts";
import { PARAMETERS } from "../../scenario/slurm/parameters.ts";
import {
  APPROXIMATED,
  CHECKED_VERSION,
  MANUAL_PAGES,
  MODELLED,
  NOT_CHECKED,
  NOT_MODELLED,
} from "../../scenario/slurm/presetFacts.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";

const BY_STANDING = {
  modelled: PARAMETERS.filter((each) => each.standing === "modelled"),
  approximated: PARAMETERS.filter((each) => each.standing === "approximated"),
  notModelled: PARAMETERS.filter((each) => each.standing === "notModelled"),
};

export function SlurmPresetDialog() {
  return (
    <Dialog
      title="What the preset Slurm models"
      description={`Checked against recordings of Slurm ${CHECKED_VERSION}; its defaults hold where a configuration is silent.`}
      open
      size="large"
      onClose={closeDialog}
    >
      <div className="preset-page">
        <section>
          <h3 className="dialog-h">Modelled</h3>
          <p>{MODELLED.join(" · ")}</p>
          <Names parameters={BY_STANDING.modelled} word="heeded as the manual says" />
        </section>
        <section>
          <h3 className="dialog-h">Approximated</h3>
          <ul className="preset-list">
            {APPROXIMATED.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {BY_STANDING.approximated.map((each) => (
              <li key={`${each.scope} ${each.name}`}>
                <ManualLink parameter={each} />: {each.differs}.
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className="dialog-h">Not modelled</h3>
          <p>{sentenceOf(NOT_MODELLED)}</p>
          <p className="quiet">
            Any parameter of slurm.conf that is not listed here is reported line by line when a
            configuration is read.
          </p>
          <Names parameters={BY_STANDING.notModelled} word="read and told, not heeded" />
        </section>
        <section>
          <h3 className="dialog-h">From the manual, not checked against a recording</h3>
          <ul className="preset-list">
            {NOT_CHECKED.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className="dialog-h">Pages of the manual</h3>
          <p className="preset-names">
            {MANUAL_PAGES.map(({ name, link }) => (
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

function sentenceOf(items: readonly string[]): string {
  return `${items.join(", ")}.`;
}

interface NamesProps {
  readonly parameters: readonly Parameter[];
  readonly word: string;
}

/** Folded: there are many. */
function Names({ parameters, word }: NamesProps) {
  return (
    <details>
      <summary>
        {countText(parameters.length, "parameter")} {word}
      </summary>
      <p className="preset-names">
        {parameters.map((each) => (
          <ManualLink key={`${each.scope} ${each.name}`} parameter={each} />
        ))}
      </p>
    </details>
  );
}

const SCOPE_WORDS: Readonly<Record<Parameter["scope"], string>> = {
  global: "",
  scheduler: "",
  partition: "partition ",
  node: "node ",
  qos: "QOS ",
  association: "association ",
};

function ManualLink({ parameter }: { readonly parameter: Parameter }) {
  const { scope, name, link, sentence } = parameter;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" title={sentence}>
      {SCOPE_WORDS[scope]}
      {name}
    </a>
  );
}
