/** The numbers of the run, and how the last change moved them: ● better, ○ worse, in words for those who cannot see the marks. */

import { lazy, Suspense } from "react";
import { circledNumber, countText } from "../../base/format.ts";
import type { RunData } from "../../store/runData.ts";
import { useShell } from "../../store/shellState.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { type CompareRow, compareRows } from "./compareRows.ts";
import { useMetrics } from "./useMetrics.ts";

const EffectCard = lazy(async () => ({
  default: (await import("./effect/EffectCard.tsx")).EffectCard,
}));

export function NumbersTable({ data }: { readonly data: RunData }) {
  const { stage, current, ghost } = data;
  const now = useMetrics(stage, current);
  const before = useMetrics(stage, ghost);
  const changes = useShell((state) => state.ghostOf);
  const compared = ghost !== null;
  const title = compared
    ? changes > 0
      ? `Before ${circledNumber(changes)} and now`
      : "Before and now"
    : "This run";
  return (
    <section className="inspector-part numbers" aria-label={title}>
      <header className="part-head">
        <h3>{title}</h3>
        <span className="part-note">
          {stage ? `whole run, ${countText(stage.jobs.count, "job")}` : ""}
        </span>
      </header>
      {before && now && (
        <Suspense>
          <EffectCard data={data} before={before} now={now} />
        </Suspense>
      )}
      {!now || !stage ? (
        <p className="quiet">
          {current.done ? "Counting …" : "The numbers come when the run is complete."}
        </p>
      ) : (
        <table className={compared ? "compare" : "compare compare-one"}>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">measure</span>
              </th>
              {compared && (
                <th scope="col" className="col-before">
                  before
                </th>
              )}
              <th scope="col">
                <span className={compared ? "" : "sr-only"}>now</span>
              </th>
              {compared && <th scope="col">change</th>}
            </tr>
          </thead>
          <tbody>
            {compareRows(before, now, stage.tiers, stage.cluster.deviceWord).map((row) => (
              <Row key={row.key} row={row} compared={compared} tiers={stage.tiers} />
            ))}
          </tbody>
        </table>
      )}
      {now && stage && (
        <Meanings rows={compareRows(before, now, stage.tiers, stage.cluster.deviceWord)} />
      )}
    </section>
  );
}

/** The tooltips of the rows, for those who do not point. */
function Meanings({ rows }: { readonly rows: readonly CompareRow[] }) {
  const all = new Map(rows.map(({ label, meaning }) => [label, meaning]));
  return (
    <details className="log">
      <summary>What these numbers mean</summary>
      <ul className="log-list">
        {[...all].map(([label, meaning]) => (
          <li key={label}>
            <b>{label}</b>
            <span className="quiet">{meaning}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MARKS = { better: "●", worse: "○", same: " " } as const;

interface RowProps {
  readonly row: CompareRow;
  readonly compared: boolean;
  readonly tiers: readonly { readonly letter: string; readonly name: string }[];
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
        <td className={`change-${row.verdict}`}>
          {row.change} <span aria-hidden="true">{MARKS[row.verdict]}</span>
          {row.verdict !== "same" && <span className="sr-only">{row.verdict}</span>}
        </td>
      )}
    </tr>
  );
}
