/**
 * Running jobs whose budget (`GrpTRESMins`, `GrpWall`) is used up end at the next check of time limits, as if their time were over
 * (acct_policy.c, `acct_policy_job_time_out`). Usage grows at ticks of priority/multifactor and at ends; without that plugin there is none.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { outOfBudget } from "../../../scheduling/limits/budget.ts";
import type { LimitSet, LimitSetup } from "../../../scheduling/limits/limitSetup.ts";
import { usageForLimits } from "../../../scheduling/priority/fairShare.ts";
import type { SlurmState } from "../state.ts";

const known = new WeakMap<LimitSetup, boolean>();

/** Cuts the limits of jobs without budget to what they have run. O(running × limits) where there are budgets. */
export function stopOverBudget(view: PoolView, state: SlurmState, act: Actions): void {
  if (!hasBudgets(state)) return;
  const usage = usageForLimits(state.usage);
  const { overTimeLimitMs } = state.setup.config.life;
  const over = Number.isFinite(overTimeLimitMs) ? overTimeLimitMs : 0;
  for (const job of state.running) {
    const ranMs = view.nowMs - job.startMs;
    if (ranMs <= 0 || !outOfBudget(state.limits, job, usage)) continue;
    // A tick comes a moment after the check that falls on it: the next check stops the job.
    const lastMs = Math.max(1, ranMs + 1 - over);
    if (lastMs < view.limitMs(job.jobIdx)) act.setLimit(job.jobIdx, lastMs);
  }
}

/** The tick at which a running job may come to the end of a budget; `Infinity` = never. O(1). */
export function nextBudgetTickMs(state: SlurmState): number {
  return state.running.length > 0 && hasBudgets(state)
    ? state.nextTickMs
    : Number.POSITIVE_INFINITY;
}

/** Whether any budget is set. O(limits), once for each configuration. */
function hasBudgets({ limits: { setup } }: SlurmState): boolean {
  let has = known.get(setup);
  if (has === undefined) {
    const budgeted = (set: LimitSet): boolean =>
      set.grpWallMs !== Number.POSITIVE_INFINITY || set.tres.grpTresMins.length > 0;
    has = !setup.idle && (setup.qosLimits.some(budgeted) || setup.assocLimits.some(budgeted));
    known.set(setup, has);
  }
  return has;
}
