/** What is often said of one system alone, and wrong: each sentence with the scenario that shows what is so. */
import { SAYINGS } from "../../scenario/orchestrators/sayings.ts";
import { documentOfSaying } from "../../scenario/orchestrators/table.ts";
import { openCell } from "./openCell.ts";

export function SayingList() {
  return (
    <section className="orch-sayings" aria-label="Often said, and wrong">
      <h3>Often said, and wrong</h3>
      <ul>
        {SAYINGS.map((saying) => (
          <li key={saying.id}>
            <b>Often said:</b> “{saying.claim}” <b>No:</b> {saying.truth}{" "}
            <button
              type="button"
              className="link"
              aria-label={`See it: ${saying.claim}`}
              onClick={() =>
                void openCell({
                  document: documentOfSaying(saying),
                  first: saying.openAt,
                  claim: `Often said, and wrong: “${saying.claim}”`,
                  look: `Look: ${saying.look}`,
                })
              }
            >
              See it
            </button>{" "}
            <a href={saying.source.link} target="_blank" rel="noopener noreferrer">
              {saying.source.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
