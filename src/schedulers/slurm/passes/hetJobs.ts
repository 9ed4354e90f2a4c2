/**
 * Heterogeneous jobs (heterogeneous_jobs.html): the components of one job start together or not at all. Only backfill starts them:
 * it keeps nodes for each component like for any job, and starts all in the pass in which each of them could start now.
 * From the manual, not checked against a recording.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { StartReasonCode } from "../../../model/reasons.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { attempt } from "./attempt.ts";
import type { Verdict } from "./backfillTest.ts";

/** Whether a job is one component of several. */
export function isComponent(job: SlurmJob): boolean {
  return job.request.het !== "";
}

/**
 * Starts the heterogeneous jobs of which every component was found a place now, on the nodes kept for it. Returns how many
 * components started. O(verdicts), and O(jobs) where there is such a job.
 */
export function startHetJobs(
  view: PoolView,
  state: SlurmState,
  verdicts: readonly Verdict[],
  act: Actions,
): number {
  const ready = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const { job } = verdict;
    if (!isComponent(job) || !job.queued || !verdict.kept || verdict.startMs > view.nowMs) continue;
    const group = ready.get(job.request.het) ?? [];
    if (!group.some((other) => other.job === job)) group.push(verdict);
    ready.set(job.request.het, group);
  }
  let started = 0;
  for (const [het, group] of ready) {
    if (group.length === pendingComponents(state, het))
      started += startAll(view, state, group, act);
  }
  return started;
}

function pendingComponents(state: SlurmState, het: string): number {
  let count = 0;
  for (const job of state.jobs.values()) if (job.request.het === het && job.startMs < 0) count++;
  return count;
}

/** The nodes of the components are kept for each of them, so that none takes from another. */
function startAll(
  view: PoolView,
  state: SlurmState,
  group: readonly Verdict[],
  act: Actions,
): number {
  let started = 0;
  for (const { job, partition, wanted, set } of group) {
    const entry: QueueEntry = { job, partition, wanted, priority: job.priority };
    const reason = StartReasonCode.backfilled;
    if (attempt(view, state, entry, set!, job.limitMs, reason, act) === "started") started++;
  }
  return started;
}
