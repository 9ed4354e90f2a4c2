/** Sentences that are often repeated and wrong, below the row that they are about; each leads to the scenario that shows it. */
import { COLUMNS, type Row } from "../../scenario/orchestrators/cell.ts";
import { COLUMN_LABELS, documentOf } from "../../scenario/orchestrators/table.ts";
import { rememberOpener } from "./cellFocus.ts";
import { openCell } from "./openCell.ts";

export function ClaimRow({ row }: { readonly row: Row }) {
  if (row.claims.length === 0) return null;
  return (
    <tr className="orch-claims">
      <td colSpan={COLUMNS.length + 1}>
        <ul aria-label={`${row.title}: often said, and wrong`}>
          {row.claims.map(({ claim, truth, column, cell = row.cells[column], source }) => (
            <li key={claim}>
              <b>Often said:</b> “{claim}” <b>No:</b> {truth}{" "}
              <button
                type="button"
                className="link"
                aria-label={`See it: ${claim}`}
                data-claim={claim}
                onClick={() => {
                  rememberOpener(claim);
                  void openCell({
                    document: documentOf(row, column, cell),
                    first: row.openAt,
                    claim: `Often said, and wrong: “${claim}” Here: ${row.outcomes[cell.outcome]!.word}`,
                    look: `${COLUMN_LABELS[column]}: ${row.outcomes[cell.outcome]!.look}`,
                  });
                }}
              >
                See it
              </button>{" "}
              <a href={source.link} target="_blank" rel="noopener noreferrer">
                {source.name}
              </a>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
