/** The end of a victim: requeued or cancelled, at once or after what `KillWait` lets it live on. */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { noteChange, noteMain } from "../clock.ts";
import { requeueRun } from "../life/news.ts";
import { endRun } from "../life/runs.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { stopsByRequeue } from "./preempt.ts";

/** Ends a victim's run; after `termMs` where it lives on after SIGTERM. */
export function stopVictim(
  view: PoolView,
  state: SlurmState,
  victim: SlurmJob,
  act: Actions,
): void {
  const requeue = stopsByRequeue(state, victim);
  const lingersMs = Math.min(victim.request.termMs, state.setup.config.life.killWaitMs);
  act.evict(victim.jobIdx, requeue ? "requeue" : "cancel", lingersMs, victim.preemptorIdx);
  victim.preemptMs = -1;
  victim.graceEndMs = -1;
  victim.leavesMs = -1;
  if (lingersMs > 0) return;
  endRun(view, state, victim);
  noteMain(state, view.nowMs);
  noteChange(state, view.nowMs, true);
  if (requeue) requeueRun(view, state, victim, act);
}
