/** What is often said of one system alone, and wrong: each sentence with the scenario that shows what is so, or with the reason why none can. */

import type { Saying } from "../../scenario/orchestrators/sayings/saying.ts";
import { UNSHOWN_SAYINGS } from "../../scenario/orchestrators/sayings/unshown.ts";
import { SAYING_GROUPS } from "../../scenario/orchestrators/sayings.ts";
import { documentOfSaying } from "../../scenario/orchestrators/table.ts";
import { rememberOpener } from "./cellFocus.ts";
import { openCell } from "./openCell.ts";

export function SayingList() {
  return (
    <section className="orch-sayings" aria-label="Often said, and wrong">
      <h3>Often said, and wrong</h3>
      {SAYING_GROUPS.map(({ of, sayings }) => (
        <div key={of}>
          <h4>{of}</h4>
          <ul>
            {sayings.map((saying) => (
              <SayingItem key={saying.id} saying={saying} />
            ))}
          </ul>
        </div>
      ))}
      <div>
        <h4>Wrong too, and nothing that a run here can show</h4>
        <ul>
          {UNSHOWN_SAYINGS.map(({ id, claim, truth, whyNot, source }) => (
            <li key={id}>
              <b>Often said:</b> “{claim}” <b>No:</b> {truth} <b>Without a scenario:</b> {whyNot}{" "}
              <a href={source.link} target="_blank" rel="noopener noreferrer">
                {source.name}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function SayingItem({ saying }: { readonly saying: Saying }) {
  const { claim, truth, look, openAt, source } = saying;
  const open = () => {
    rememberOpener(claim);
    return openCell({
      document: documentOfSaying(saying),
      first: openAt,
      claim: `Often said, and wrong: “${claim}”`,
      look: `Look: ${look}`,
    });
  };
  return (
    <li>
      <b>Often said:</b> “{claim}” <b>No:</b> {truth}{" "}
      <button
        type="button"
        className="link"
        aria-label={`See it: ${claim}`}
        data-claim={claim}
        onClick={() => void open()}
      >
        See it
      </button>{" "}
      <a href={source.link} target="_blank" rel="noopener noreferrer">
        {source.name}
      </a>
    </li>
  );
}
