/** Numbers of one run, or of two side by side: ● better, ○ worse, ≠ over other jobs, in words for those who cannot see the marks. Some are folded away at first. */
import { numberText } from "../../base/format.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import type { CompareRow } from "./compareRows.ts";

interface CompareTableProps {
  readonly rows: readonly CompareRow[];
  readonly tiers: readonly { readonly letter: string; readonly name: string }[];
  /** Heads of the columns; `before` is null where there is one run only. */
  readonly before: string | null;
  readonly now: string;
}

export function CompareTable({ rows, ...rest }: CompareTableProps) {
  const further = rows.filter((row) => row.further);
  const unlike = rows.some(({ verdict }) => verdict === "unlike");
  return (
    <>
      <Table rows={rows.filter((row) => !row.further)} {...rest} />
      {further.length > 0 && (
        <details className="log">
          <summary>More numbers</summary>
          <Table rows={further} {...rest} />
        </details>
      )}
      {unlike && (
        <p className="part-note">≠ taken over other jobs than before: neither better nor worse.</p>
      )}
    </>
  );
}

function Table({ rows, tiers, before, now }: CompareTableProps) {
  const compared = before !== null;
  return (
    <table className={compared ? "compare" : "compare compare-one"}>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">measure</span>
          </th>
          {compared && (
            <th scope="col" className="col-before">
              {before}
            </th>
          )}
          <th scope="col">
            <span className={compared ? "" : "sr-only"}>{now}</span>
          </th>
          {compared && <th scope="col">change</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} row={row} compared={compared} tiers={tiers} />
        ))}
      </tbody>
    </table>
  );
}

const MARKS = { better: "●", worse: "○", same: " ", unlike: "≠" } as const;

interface RowProps {
  readonly row: CompareRow;
  readonly compared: boolean;
  readonly tiers: CompareTableProps["tiers"];
}

function Row({ row, compared, tiers }: RowProps) {
  const tier = tiers[row.tier];
  return (
    <tr>
      <th scope="row" title={row.meaning}>
        {row.label}{" "}
        {tier && <LetterMark letter={tier.letter} tier={row.tier} tierCount={tiers.length} />}
        {tier && <span className="sr-only">{tier.name}</span>}
      </th>
      {compared && <td className="col-before quiet">{row.before}</td>}
      <td>{row.now}</td>
      {compared && (
        <td
          className={`change-${row.verdict}`}
          title={
            row.over ? `of ${numberText(row.over[0])} and of ${numberText(row.over[1])} jobs` : ""
          }
        >
          {row.change} <span aria-hidden="true">{MARKS[row.verdict]}</span>
          {row.verdict !== "same" && (
            <span className="sr-only">
              {row.verdict === "unlike" ? "over other jobs" : row.verdict}
            </span>
          )}
        </td>
      )}
    </tr>
  );
}
