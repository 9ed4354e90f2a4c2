/**
 * The first pass after a change of Kueue's objects, of its settings or of node labels. News of that instant were given up with the old scheduler, so each workload is compared with the state of its
 * job: ended ones are forgotten, evicted ones whose pods are gone wait again, admitted ones are handed to placement anew with the pins of their flavors as they are now, new ones are created.
 * Then `HoldAndDrain` evicts what its queue had admitted; `Hold` lets it run. O(what lives).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { afterEviction, evictWorkload, type Leaving } from "./leave.ts";
import { create, forget, type Offer } from "./news.ts";
import { tellWait } from "./reasons.ts";
import type { Entry, KueueState } from "./state.ts";
import { enterQueue } from "./waitingRoom.ts";

export function resume(view: PoolView, state: KueueState, act: Actions, offer: Offer): void {
  for (const entry of [...state.entries.values()]) goOn(view, state, act, offer, entry);
  const waiting = view.waiting();
  const jobs = Array.from(waiting.at.subarray(0, waiting.length));
  for (const jobIdx of jobs)
    if (!state.entries.has(jobIdx)) create(view, state, act, offer, jobIdx);
  for (const { rootIdx } of state.setup.queues) state.dirty.add(rootIdx);
}

function goOn(view: PoolView, state: KueueState, act: Actions, offer: Offer, entry: Entry): void {
  const { jobIdx } = entry;
  const now = view.jobState[jobIdx]!;
  if (now === JobStateCode.done || now === JobStateCode.held) {
    // It stands in no queue yet.
    if (entry.phase === "waiting") state.entries.delete(jobIdx);
    else forget(state, jobIdx);
    return;
  }
  switch (entry.phase) {
    case "waiting":
      enterQueue(view, state, act, entry);
      return;
    case "aside":
      if (entry.outcome === "deactivated") tellWait(act, entry);
      else enterQueue(view, state, act, entry);
      return;
    case "arriving":
    case "backoff":
      tellWait(act, entry);
      return;
    case "leaving":
      // Without pods it leaves when its timer rings.
      if (now === JobStateCode.queued && !hasTimer(state, entry))
        afterEviction(view, state, act, jobIdx);
      return;
    case "reserved":
      if (now === JobStateCode.queued) act.admit(jobIdx);
      return;
    case "admitted":
    case "unmanaged":
      if (now === JobStateCode.queued && entry.phase === "admitted") act.admit(jobIdx);
      if (now !== JobStateCode.ending) offer(jobIdx);
      return;
  }
}

function hasTimer({ timers }: KueueState, { jobIdx, sinceMs }: Entry): boolean {
  return timers.some((timer) => timer.jobIdx === jobIdx && timer.sinceMs === sinceMs);
}

/** Queues that are drained lose what they have admitted: it waits in them, stopped. */
export function drain(view: PoolView, state: KueueState, act: Actions, leaving: Leaving): void {
  const { queues, locals } = state.setup;
  for (const { jobIdx, phase, queue, localIdx } of [...state.entries.values()])
    if (phase === "admitted" || phase === "reserved")
      if (queues[queue]?.drained === true || locals[localIdx]?.drained === true)
        evictWorkload(view, state, act, leaving, jobIdx, -1, "queueStopped");
}
