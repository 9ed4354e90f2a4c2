/** Nothing is selected: what this run is about, and the job that has waited longest at the cursor. */
import { lazy, Suspense, useMemo } from "react";
import { clockText, countText, durationText, numberText } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { runLog } from "../../timeline/decisionWords.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { ranBefore } from "../../timeline/ranBefore.ts";
import { refusedJobs } from "../../timeline/refusedJobs.ts";
import { waitersAt } from "../../timeline/waits.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import type { CardProps } from "./cardParts.tsx";
import { DecisionLog, LOG_MOST } from "./DecisionLog.tsx";
import { isUnknown, NotComputed } from "./NotComputed.tsx";
import { SuggestButton } from "./SuggestButton.tsx";

const WaitingShort = lazy(async () => ({
  default: (await import("./waiting/WaitingShort.tsx")).WaitingShort,
}));

export function RunCard({ stage, future, atMs, calendar }: CardProps) {
  const scenario = useApp((state) => state.scenario);
  const title = scenario?.title ?? "";
  const waiters = useMemo(() => waitersAt(future, atMs), [future, atMs]);
  let oldest = -1;
  for (let index = 0; index < waiters.count; index++) {
    if (oldest < 0 || waiters.fromMs[index]! < waiters.fromMs[oldest]!) oldest = index;
  }
  const jobIdx = oldest < 0 ? -1 : waiters.jobIdx[oldest]!;
  const waitsAgain = useMemo(() => ranBefore(future.chunks, jobIdx, atMs), [future, jobIdx, atMs]);
  return (
    <article className="inspector-part" aria-label="This run">
      <header className="who">
        <div className="who-text">
          <h2>{title}</h2>
          <p>
            {countText(stage.jobs.count, "job")} on{" "}
            {countText(stage.cluster.deviceCount, stage.cluster.deviceWord)}
          </p>
        </div>
      </header>
      {isUnknown(future, atMs) ? (
        <NotComputed future={future} atMs={atMs} calendar={calendar} />
      ) : jobIdx < 0 ? (
        <p className="why">
          <b>No job waits at {clockText(atMs, calendar)}.</b>
        </p>
      ) : (
        <>
          <p className="why">
            <b>
              {countText(waiters.count, "job")} {waiters.count === 1 ? "waits" : "wait"} at{" "}
              {clockText(atMs, calendar)}.
            </b>{" "}
            The oldest has waited {durationText(atMs - waiters.fromMs[oldest]!)}
            {waitsAgain && " since it was stopped; mean waits count up to the first start"}. Why?
          </p>
          <p>
            <LetterMark
              letter={stage.tiers[stage.jobs.at.tier[jobIdx]!]?.letter ?? "?"}
              tier={stage.jobs.at.tier[jobIdx]!}
              tierCount={stage.tiers.length}
            />{" "}
            <button
              type="button"
              className="link"
              title="Why does it wait?"
              onClick={() => run("selectJob", { jobIdx })}
            >
              {jobLabel(stage.jobs, jobIdx)}
            </button>
          </p>
        </>
      )}
      {future.done && future.open !== null && future.open.waits.jobIdx.length > 0 && (
        <p className="quiet">
          {countText(future.open.waits.jobIdx.length, "job")} still{" "}
          {future.open.waits.jobIdx.length === 1 ? "waits" : "wait"} when this run ends, at{" "}
          {clockText(future.endMs, calendar)}
          {scenario?.horizonMs === undefined ? ": nothing that would start them is to come." : "."}
        </p>
      )}
      {future.done && <Refused stage={stage} future={future} />}
      <SuggestButton />
      <Suspense>
        <WaitingShort stage={stage} future={future} />
      </Suspense>
      <DecisionLog
        stage={stage}
        calendar={calendar}
        entries={() => runLog(future.chunks, atMs, LOG_MOST)}
        named
      />
      {stage.importNotes.length > 0 && (
        <details>
          <summary>{countText(stage.importNotes.length, "note")} from reading the trace</summary>
          <ul className="notes">
            {stage.importNotes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

const NAMED_MOST = 3;
const SLURM = "slurm:";

/** Jobs that were turned away when they were submitted: they are in no queue, so nothing else would speak of them. */
function Refused({ stage, future }: Pick<CardProps, "stage" | "future">) {
  const { refused: counts, chunks } = future;
  const first = useMemo(() => refusedJobs(chunks, NAMED_MOST), [chunks]);
  const total = stage.jobs.count;
  const refused = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (refused === 0) return null;
  const reasons = Object.entries(counts)
    .filter(([reason]) => reason.startsWith(SLURM))
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${reason.slice(SLURM.length)} (${numberText(count)})`);
  return (
    <p className="part-error">
      {numberText(refused)} of {countText(total, "job")} {refused === 1 ? "was" : "were"} refused
      when submitted{reasons.length > 0 && `: ${reasons.join(", ")}`}. Why?{" "}
      {first.map((jobIdx) => (
        <span key={jobIdx}>
          <button type="button" className="link" onClick={() => run("selectJob", { jobIdx })}>
            {jobLabel(stage.jobs, jobIdx)}
          </button>{" "}
        </span>
      ))}
      {refused > first.length && `and ${numberText(refused - first.length)} more`}
    </p>
  );
}
