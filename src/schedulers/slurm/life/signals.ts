/**
 * `sbatch --signal=…@seconds` before the time limit: a job that knows how to saves its work, which takes `signalSaveMs`, and leaves;
 * it is queued again where it may be, and goes on from there. From the manual, not checked against a recording.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { requeueRun } from "./news.ts";
import { endRun } from "./runs.ts";
import { signalMs } from "./signalTime.ts";

/** Sends what is due and lets those go that have saved. O(running) where something is due, else O(1). */
export function signalsDue(view: PoolView, state: SlurmState, act: Actions): void {
  if (state.nextSignalMs > view.nowMs) return;
  state.nextSignalMs = Number.POSITIVE_INFINITY;
  for (const job of [...state.running]) {
    const atMs = signalMs(job);
    if (atMs === Number.POSITIVE_INFINITY || job.preemptMs >= 0) continue;
    if (job.leavesMs < 0 && atMs <= view.nowMs) save(view, job, act);
    if (job.leavesMs >= 0 && job.leavesMs <= view.nowMs) leave(view, state, job, act);
    else {
      const nextMs = job.leavesMs >= 0 ? job.leavesMs : Math.max(atMs, view.nowMs + 1_000);
      state.nextSignalMs = Math.min(state.nextSignalMs, nextMs);
    }
  }
}

function save(view: PoolView, job: SlurmJob, act: Actions): void {
  if (view.jobState[job.jobIdx] !== JobStateCode.running) return;
  act.checkpoint(job.jobIdx, job.request.signalSaveMs);
  job.leavesMs = view.nowMs + job.request.signalSaveMs;
}

function leave(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  job.leavesMs = -1;
  const requeues = job.request.requeue ?? state.setup.config.life.jobRequeue;
  act.evict(job.jobIdx, requeues ? "requeue" : "cancel", 0, -1);
  if (!requeues) return;
  endRun(view, state, job);
  requeueRun(view, state, job, act);
}
