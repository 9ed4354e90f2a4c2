/**
 * What frees the rest: running jobs that end by their time limit, in that order, with a running total up to the need. The
 * outline of each bar is the limit, its fill the real end in this run, on one scale from now.
 */

import { useMemo } from "react";
import { clockNear, clockText, numberText } from "../../base/format.ts";
import type { Explanation } from "../../engine/view.ts";
import { nameOf } from "../../model/jobs.ts";
import type { WhyContext } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import type { Future } from "../../store/runData.ts";
import { positionOfTier } from "../../theme/palette.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { jobStoryOf } from "../../timeline/jobStory.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";

interface FreesProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly why: Explanation;
  readonly context: WhyContext;
}

export function FreesList({ stage, future, why, context }: FreesProps) {
  const { nowMs, calendarStart } = context;
  const ends = useMemo(
    () =>
      why.frees.map(
        (entry) =>
          jobStoryOf(future, entry.jobIdx).runs.find(
            (one) => one.startMs <= nowMs && nowMs < one.endMs,
          )?.endMs ?? Number.POSITIVE_INFINITY,
      ),
    [why, future, nowMs],
  );
  // Where enough is free, no job that ends brings the start.
  if (why.frees.length === 0 || why.unitsFree >= why.unitsNeeded) return null;
  const lastMs = why.frees.reduce(
    (most, entry) => (Number.isFinite(entry.atMs) ? Math.max(most, entry.atMs) : most),
    nowMs + 1,
  );
  let total = why.unitsFree;
  return (
    <section aria-label="What frees the rest">
      <header className="part-head">
        <h3>What frees the rest</h3>
        <span className="part-note">by limit; filled: real end</span>
      </header>
      <ul className="frees">
        {why.frees.map((entry, index) => {
          total += entry.units;
          const tier = stage.jobs.at.tier[entry.jobIdx]!;
          const share = (ms: number) =>
            `${Math.min(100, Math.max(2, (100 * (ms - nowMs)) / (lastMs - nowMs)))}%`;
          const id = nameOf(stage.jobs.ids, entry.jobIdx);
          const endMs = ends[index]!;
          const real = Number.isFinite(endMs)
            ? `really ends ${clockText(endMs, calendarStart)}`
            : "its end is not computed";
          return (
            <li key={`${entry.jobIdx} ${entry.atMs}`}>
              <button
                type="button"
                className="free"
                title={real}
                onClick={() => run("selectJob", { jobIdx: entry.jobIdx })}
              >
                <span>{clockNear(entry.atMs, nowMs, calendarStart)}</span>
                <LetterMark
                  letter={stage.tiers[tier]?.letter ?? "?"}
                  tier={tier}
                  tierCount={stage.tiers.length}
                />
                <span className="free-name">
                  {id}{" "}
                  <span className="quiet">
                    {jobLabel(stage.jobs, entry.jobIdx).slice(id.length + 1)}
                  </span>
                </span>
                <span
                  className="free-bar"
                  data-position={positionOfTier(tier, stage.tiers.length) + 1}
                  aria-hidden="true"
                >
                  <i style={{ width: Number.isFinite(entry.atMs) ? share(entry.atMs) : "100%" }}>
                    {Number.isFinite(endMs) && (
                      <b
                        style={{
                          width: `${Math.min(100, (100 * (endMs - nowMs)) / Math.max(1, entry.atMs - nowMs))}%`,
                        }}
                      />
                    )}
                  </i>
                </span>
                <span className="number quiet">+{numberText(entry.units)}</span>
                <span className="number">{numberText(total)}</span>
                <span className="sr-only">{real}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
