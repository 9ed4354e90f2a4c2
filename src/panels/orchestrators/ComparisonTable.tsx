/** The table: a line for each question, a column for each orchestrator; every cell is a button that opens the scenario it was judged by. */
import { FAMILY_FACTS } from "../../scenario/kubernetes/familyFacts.ts";
import {
  COLUMNS,
  type ColumnId,
  type Outcome,
  type Row,
} from "../../scenario/orchestrators/cell.ts";
import { OPERATION } from "../../scenario/orchestrators/operation.ts";
import { COLUMN_LABELS, documentOf, ROWS } from "../../scenario/orchestrators/table.ts";
import { presetOf } from "../../scenario/settings.ts";
import { ClaimRow } from "./ClaimRow.tsx";
import { cellAtFirst, moveInTable, rememberOpener } from "./cellFocus.ts";
import { LatencyRow } from "./LatencyRow.tsx";
import { openCell } from "./openCell.ts";

const PRESETS: Readonly<Record<ColumnId, string>> = {
  easy: "lab",
  slurm: "slurm",
  "kube-scheduler": "kube-scheduler",
  kueue: "kueue",
  volcano: "volcano",
  kai: "kai",
  ray: "ray",
};

const isThere = (column: ColumnId): boolean => presetOf(PRESETS[column]) !== undefined;

const MARKS: Readonly<Record<NonNullable<Outcome["mark"]>, string>> = {
  yes: "●",
  part: "◐",
  no: "○",
};

export function ComparisonTable() {
  const inTabOrder = cellAtFirst(`${ROWS[0]!.id} ${COLUMNS[0]}`);
  return (
    <table className="orch-table" onKeyDown={moveInTable}>
      <caption className="sr-only">
        Orchestrators by question. Arrow keys go from cell to cell, Enter opens the scenario of one.
      </caption>
      <thead>
        <tr>
          <td />
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {COLUMN_LABELS[column]}
              <small>{versionOf(column)}</small>
            </th>
          ))}
        </tr>
      </thead>
      {ROWS.map((row) => (
        <tbody key={row.id}>
          <tr>
            <th scope="row">
              {row.title}
              <small>{row.question}</small>
            </th>
            {COLUMNS.map((column) => (
              <td key={column}>
                <CellButton
                  row={row}
                  column={column}
                  isFirst={`${row.id} ${column}` === inTabOrder}
                />
              </td>
            ))}
          </tr>
          <ClaimRow row={row} />
        </tbody>
      ))}
      <tbody>
        <LatencyRow isThere={isThere} />
        <OperationRow />
      </tbody>
    </table>
  );
}

function versionOf(column: ColumnId): string {
  if (column === "easy") return "a model";
  if (column === "slurm") return "22.05";
  return FAMILY_FACTS[column]?.version.replace(/^.*? (?=[\dm])/, "") ?? "";
}

interface CellProps {
  readonly row: Row;
  readonly column: ColumnId;
  readonly isFirst: boolean;
}

function CellButton({ row, column, isFirst }: CellProps) {
  const cell = row.cells[column];
  const { mark, word, look } = row.outcomes[cell.outcome]!;
  const label = COLUMN_LABELS[column];
  const canRun = isThere(column);
  const open = () => {
    rememberOpener(`${row.id} ${column}`, true);
    return openCell({
      document: documentOf(row, column, cell),
      first: row.openAt,
      claim: `${row.title}, ${label}: ${word}`,
      look: `Look: ${look}`,
    });
  };
  const { source } = cell;
  return (
    <>
      <button
        type="button"
        className="orch-cell"
        data-cell={`${row.id} ${column}`}
        data-mark={mark}
        tabIndex={isFirst ? 0 : -1}
        aria-disabled={!canRun || undefined}
        title={canRun ? `Run it: ${look}` : "This preset is not in this version."}
        onClick={canRun ? () => void open() : undefined}
      >
        <b>
          {mark && <i aria-hidden>{MARKS[mark]}</i>} {word}
        </b>
        <span>
          {cell.configured && <em>Only if configured. </em>}
          {cell.how}
        </span>
      </button>
      {source && (
        <a className="orch-source" href={source.link} target="_blank" rel="noopener noreferrer">
          {source.name}
        </a>
      )}
    </>
  );
}

const JUDGEMENTS = { none: "None", little: "Little", some: "Some", much: "Much" } as const;

function OperationRow() {
  return (
    <tr className="orch-operation">
      <th scope="row">
        Cost of operation
        <small>
          What has to be installed, described and kept alive? Our judgement, not computed.
        </small>
      </th>
      {COLUMNS.map((column) => {
        const { judgement, why, source } = OPERATION[column];
        return (
          <td key={column}>
            <div className="orch-judged">
              <b>{JUDGEMENTS[judgement]}</b>
              <span>{why}</span>
              {source && (
                <a href={source.link} target="_blank" rel="noopener noreferrer">
                  {source.name}
                </a>
              )}
            </div>
          </td>
        );
      })}
    </tr>
  );
}
