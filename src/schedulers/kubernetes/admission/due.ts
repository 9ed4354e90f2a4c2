/** What has become due: workloads whose Workload has been made, whose pods have been made, whose pods had to be ready, whose back-off is over. */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { afterEviction, evictWorkload, type Leaving } from "./leave.ts";
import type { Offer } from "./news.ts";
import { type KueueState, replaceHeld, setEntry } from "./state.ts";
import { addTimer, nextTimerMs, type Timer, takeDue } from "./timers.ts";
import { enterQueue } from "./waitingRoom.ts";

/** How often pods are looked at whose start-up has no end that is known. */
const READY_POLL_MS = 1_000;

export function timersDue(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  leaving: Leaving,
): void {
  for (;;) {
    const timer = takeDue(state.timers, view.nowMs);
    if (timer === null) break;
    if (means(state, timer)) ring(view, state, act, offer, leaving, timer);
  }
  lookForReady(view, state);
}

/** When something is due next. */
export function nextDueMs(state: KueueState): number {
  return nextTimerMs(state.timers, (timer) => means(state, timer));
}

/** When pods that others wait for may be ready next: those that start up, for the others have to be bound first, which is a pass of their own. Once this pass's pods are bound. */
export function nextReadyMs(view: PoolView, state: KueueState): number {
  if (state.dirty.size === 0) return Number.POSITIVE_INFINITY;
  let nextMs = Number.POSITIVE_INFINITY;
  for (const jobIdx of state.unready) {
    if (isReady(view, jobIdx)) return view.nowMs;
    if (view.jobState[jobIdx] !== JobStateCode.starting) continue;
    const endMs = view.pauseEndMs(jobIdx);
    const knownMs = endMs > view.nowMs && endMs < Number.POSITIVE_INFINITY;
    nextMs = Math.min(nextMs, knownMs ? endMs : view.nowMs + READY_POLL_MS);
  }
  return nextMs;
}

function means(state: KueueState, { jobIdx, sinceMs }: Timer): boolean {
  return state.entries.get(jobIdx)?.sinceMs === sinceMs;
}

function ring(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  leaving: Leaving,
  { kind, jobIdx }: Timer,
): void {
  const entry = state.entries.get(jobIdx)!;
  const { readyMs } = state.setup.times;
  switch (kind) {
    case "arrive":
      if (entry.phase === "arriving") enterQueue(view, state, act, entry);
      return;
    case "requeue":
      if (entry.phase === "backoff") enterQueue(view, state, act, entry);
      return;
    case "gone":
      afterEviction(view, state, act, jobIdx);
      return;
    case "offer":
      if (entry.phase !== "reserved") return;
      replaceHeld(state, setEntry(state, { ...entry, phase: "admitted", sinceMs: view.nowMs }));
      offer(jobIdx);
      if (readyMs > 0)
        addTimer(state.timers, {
          atMs: entry.admittedMs + readyMs,
          kind: "ready",
          jobIdx,
          sinceMs: view.nowMs,
        });
      return;
    case "ready":
      if (entry.phase === "admitted" && !isReady(view, jobIdx))
        evictWorkload(view, state, act, leaving, jobIdx, -1, "podsNotReady");
      return;
  }
}

/** What runs already and is not ready has its time from now on. */
export function awaitReady(view: PoolView, state: KueueState, jobIdx: number): void {
  const { readyMs, blockAdmission } = state.setup.times;
  if (readyMs === 0 || isReady(view, jobIdx)) return;
  if (blockAdmission) state.unready.add(jobIdx);
  const { sinceMs } = state.entries.get(jobIdx)!;
  addTimer(state.timers, { atMs: view.nowMs + readyMs, kind: "ready", jobIdx, sinceMs });
}

/** Do all pods that it needs run? */
function isReady(view: PoolView, jobIdx: number): boolean {
  const now = view.jobState[jobIdx]!;
  return (
    now === JobStateCode.running ||
    now === JobStateCode.checkpointing ||
    now === JobStateCode.suspended ||
    now === JobStateCode.ending ||
    now === JobStateCode.done
  );
}

function lookForReady(view: PoolView, state: KueueState): void {
  for (const jobIdx of state.unready) if (isReady(view, jobIdx)) state.unready.delete(jobIdx);
}
