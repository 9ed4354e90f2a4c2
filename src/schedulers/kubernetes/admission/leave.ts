/**
 * How a workload gives its quota back. It ends; or it is evicted, which takes all of it: pods that run get their grace period and hold quota and devices until they are gone, and what was not saved
 * is lost. A workload without pods gives its quota back a moment later. Quota that comes back wakes everything parked in the same tree. O(depth) and O(parked shapes).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { StopReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { wakeParked } from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { releaseAll } from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { byResource } from "./amounts.ts";
import { noteUse } from "./localUse.ts";
import { chargePlaces } from "./places.ts";
import {
  dropHeld,
  type Entry,
  type EvictionCause,
  type KueueState,
  replaceHeld,
  setEntry,
} from "./state.ts";
import { addTimer } from "./timers.ts";
import { backOff, EVICTIONS_MOST, enterQueue } from "./waitingRoom.ts";

/** Tells placement that the pods of a job are deleted; those that run are gone at `goneMs`. */
export interface Leaving {
  withdraw(jobIdx: number, goneMs: number): void;
  /** Those that run have been told to end. */
  told(jobIdx: number): void;
  /** They are gone at once. */
  gone(jobIdx: number): void;
}

/** Quota and places are free again, and whoever waits for them is tried anew. */
export function giveQuotaBack(state: KueueState, entry: Entry): void {
  if (!dropHeld(state, entry)) return;
  releaseAll(state.setup.tree, state.usage, entry.queue, entry.amounts);
  chargePlaces(state.places, entry, -1);
  noteUse(state.setup, state.use, entry.localIdx, byResource(state, entry), -1);
  state.unready.delete(entry.jobIdx);
  wakeTree(state, state.setup.queues[entry.queue]!.rootIdx);
}

/** Everything parked in a tree of queues is tried again. */
export function wakeTree(state: KueueState, rootIdx: number): void {
  for (const [queueIdx, queue] of state.setup.queues.entries())
    if (queue.rootIdx === rootIdx) wakeParked(state.queues[queueIdx]!);
  state.dirty.add(rootIdx);
}

/**
 * Even without pods a preempted workload is not back in its queue at once: its eviction is written, seen, and its quota cleared. Without it two queues that preempt each other (kueue
 * #14543) would do so without end in one instant.
 */
const NO_PODS_MS = 1_000;

/** Tells a workload to leave, for the sake of another (−1 = nobody's). False where it leaves already. */
export function evictWorkload(
  view: PoolView,
  state: KueueState,
  act: Actions,
  leaving: Leaving,
  jobIdx: number,
  forJobIdx: number,
  cause?: EvictionCause,
): boolean {
  const entry = state.entries.get(jobIdx);
  if (!entry || (entry.phase !== "admitted" && entry.phase !== "reserved")) return false;
  const by = cause ?? causeOf(state, entry, forJobIdx);
  const gone = setEntry(state, {
    ...entry,
    phase: "leaving",
    sinceMs: view.nowMs,
    evicted: true,
    cause: by,
    forJobIdx,
    evictions: entry.evictions + 1,
    timeouts: entry.timeouts + (by === "podsNotReady" ? 1 : 0),
  });
  replaceHeld(state, gone);
  const grace = view.jobs.kubernetes?.get(jobIdx)?.terminationGraceMs;
  const graceMs = grace ?? state.setup.times.graceMs;
  if (entry.phase === "admitted") leaving.withdraw(jobIdx, view.nowMs + graceMs);
  if (view.jobState[jobIdx] === JobStateCode.admitted) {
    act.unadmit(jobIdx, StopReasonCode[by], forJobIdx);
    if (forJobIdx < 0) afterEviction(view, state, act, jobIdx);
    else
      addTimer(state.timers, {
        atMs: view.nowMs + NO_PODS_MS,
        kind: "gone",
        jobIdx,
        sinceMs: view.nowMs,
      });
  } else if (view.jobState[jobIdx] !== JobStateCode.ending) {
    act.evict(jobIdx, "requeue", graceMs, forJobIdx, StopReasonCode[by]);
    if (view.jobState[jobIdx] === JobStateCode.queued) {
      leaving.gone(jobIdx);
      afterEviction(view, state, act, jobIdx);
    } else leaving.told(jobIdx);
  }
  return true;
}

/** Taken back for another queue, or preempted within its own. */
function causeOf(state: KueueState, entry: Entry, forJobIdx: number): EvictionCause {
  const other = state.entries.get(forJobIdx);
  return other && other.queue !== entry.queue ? "reclaimed" : "preempted";
}

/** The pods of an evicted workload are gone: its quota is free, and it waits again, at once or after its back-off. */
export function afterEviction(
  view: PoolView,
  state: KueueState,
  act: Actions,
  jobIdx: number,
): void {
  const entry = state.entries.get(jobIdx);
  if (entry?.phase !== "leaving") return;
  giveQuotaBack(state, entry);
  if (entry.cause === "podsNotReady" || entry.evictions > EVICTIONS_MOST)
    backOff(view, state, act, entry);
  else enterQueue(view, state, act, entry);
}
