/** `--time-min`: a job that backfill started runs for as long as it can without touching a promise. */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { resortRun } from "../life/runs.ts";
import type { NodeSpace } from "../plans/nodeSpace.ts";
import type { SlurmJob, SlurmState } from "../state.ts";

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
  const promisedMs = space.nextBeginMs(view.nowMs, job.nodes!);
  let limitMs = wishMs;
  if (promisedMs < view.nowMs + wishMs)
    limitMs = Math.floor((promisedMs - view.nowMs) / MINUTE_MS) * MINUTE_MS;
  limitMs = Math.max(job.request.timeMinMs, limitMs);
  if (limitMs === job.limitMs) return;
  job.limitMs = limitMs;
  job.endMs = job.startMs + limitMs;
  act.setLimit(job.jobIdx, limitMs);
  resortRun(state, job);
}
