/**
 * Expected starts under sched/builtin, computed for squeue only: job after job, each no earlier than the expected end of the one
 * before it (`_compute_start_times` of builtin.c; recording 01). No nodes are named.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { dropPlan, setPlan } from "../life/jobs.ts";
import { willRun } from "../plans/willRun.ts";
import type { SlurmState } from "../state.ts";
import { candidates, look } from "./attempt.ts";

/** O(jobs tested × (running + selection)). */
export function planBuiltin(view: PoolView, state: SlurmState, act: Actions): void {
  const { bfMaxJobTest, bfWindowMs } = state.setup.config.scheduler;
  let lastMs = view.nowMs;
  state.queue.slice(0, Math.max(1, bfMaxJobTest)).forEach((entry) => {
    const { job } = entry;
    look(entry);
    const nodes = candidates(state, entry, state.upNodes);
    const startMs = Math.max(lastMs, willRun(view, state, entry, nodes, false));
    if (startMs === NEVER_MS || lastMs > view.nowMs + bfWindowMs) {
      dropPlan(job, act);
      return;
    }
    setPlan(job, startMs, null, act);
    lastMs = startMs + job.limitMs;
  });
}
