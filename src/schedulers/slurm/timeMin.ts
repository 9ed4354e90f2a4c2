/** `--time-min`: a job that backfill started runs for as long as it can without touching a promise. */
import type { Actions, PoolView } from "../../engine/view.ts";
import { isWithin } from "./nodeSets.ts";
import type { NodeSpace } from "./nodeSpace.ts";
import { resortRun } from "./runs.ts";
import type { SlurmJob, SlurmState } from "./state.ts";

const MINUTE_MS = 60_000;

/** Sets the limit of a job that starts now: at most `wishMs`, whole minutes up to the first promise of its nodes (`_reset_job_time_limit`). */
export function resetLimit(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  wishMs: number,
  space: NodeSpace,
  act: Actions,
): void {
  let limitMs = wishMs;
  for (let span = 0; span < space.count; span++) {
    const fromMs = space.fromMs[span]!;
    if (fromMs <= view.nowMs || fromMs >= view.nowMs + wishMs) continue;
    if (isWithin(job.nodes!, space.nodes[span]!)) continue;
    limitMs = Math.min(limitMs, Math.floor((fromMs - view.nowMs) / MINUTE_MS) * MINUTE_MS);
  }
  limitMs = Math.max(job.request.timeMinMs, limitMs);
  if (limitMs === job.limitMs) return;
  job.limitMs = limitMs;
  job.endMs = job.startMs + limitMs;
  act.setLimit(job.jobIdx, limitMs);
  resortRun(state, job);
}
