/** The numbers of the run, and how the last change moved them. */

import { lazy, Suspense } from "react";
import { circledNumber, countText } from "../../base/format.ts";
import type { RunData } from "../../store/runData.ts";
import { useShell } from "../../store/shellState.ts";
import { CompareTable } from "./CompareTable.tsx";
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
  const rows = now && stage ? compareRows(before, now, stage.tiers, stage.cluster.deviceWord) : [];
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
        <CompareTable
          rows={rows}
          tiers={stage.tiers}
          before={compared ? "before" : null}
          now="now"
        />
      )}
      {rows.length > 0 && <Meanings rows={rows} />}
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
