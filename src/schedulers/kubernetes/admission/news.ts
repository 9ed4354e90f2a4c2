/** What happened to jobs since the last pass, as Kueue hears of it: created, ended, cancelled, changed. Pods that were lost are made again by the job's controller: their workload keeps its quota. O(what happened). */
import type { Actions, Happened, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { removePending } from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { afterEviction, giveQuotaBack, wakeTree } from "./leave.ts";
import { tellWait } from "./reasons.ts";
import { type Entry, type KueueState, replaceHeld, setEntry } from "./state.ts";
import { addTimer } from "./timers.ts";
import { enterQueue, localQueueOf, newEntry, withPriority } from "./waitingRoom.ts";

/** Hands a job to placement. */
export type Offer = (jobIdx: number) => void;

export function takeNews(
  view: PoolView,
  state: KueueState,
  happened: Happened,
  act: Actions,
  offer: Offer,
): void {
  const { released, withdrawn, retiered, queued } = happened;
  for (let i = 0; i < released.length; i++) {
    const jobIdx = released.at[i]!;
    const now = view.jobState[jobIdx]!;
    // Held: it was requeued by a user who keeps it back.
    if (now === JobStateCode.done || now === JobStateCode.held) forget(state, jobIdx);
  }
  for (let i = 0; i < withdrawn.length; i++) {
    const jobIdx = withdrawn.at[i]!;
    // One that only lost pods is in `queued` as well.
    if (view.jobState[jobIdx] !== JobStateCode.queued) forget(state, jobIdx);
  }
  for (let i = 0; i < retiered.length; i++) reprioritise(view, state, act, retiered.at[i]!);
  for (let i = 0; i < queued.length; i++) arrive(view, state, act, offer, queued.at[i]!);
  if (happened.nodesChanged && state.setup.topologies.length > 0)
    for (const { rootIdx } of state.setup.queues) wakeTree(state, rootIdx);
}

/** It has ended, or is kept back by a user: its Workload is gone. */
export function forget(state: KueueState, jobIdx: number): void {
  const entry = state.entries.get(jobIdx);
  if (!entry) return;
  if (entry.phase === "waiting") {
    removePending(state.queues[entry.queue]!, entry);
    state.dirty.add(state.setup.queues[entry.queue]!.rootIdx);
  } else giveQuotaBack(state, entry);
  state.entries.delete(jobIdx);
}

function arrive(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  jobIdx: number,
): void {
  const known = state.entries.get(jobIdx);
  if (known?.phase === "leaving") afterEviction(view, state, act, jobIdx);
  else if (known?.phase === "admitted" || known?.phase === "unmanaged")
    recover(view, state, act, offer, known);
  else if (!known) create(view, state, act, offer, jobIdx);
}

export function create(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  jobIdx: number,
): void {
  const localIdx = localQueueOf(state.setup, view, jobIdx);
  const entry = newEntry(view, state, jobIdx, localIdx);
  if (localIdx === -1) {
    setEntry(state, { ...entry, phase: "unmanaged" });
    offer(jobIdx);
    return;
  }
  const { queueMs } = state.setup.times;
  if (queueMs === 0) {
    enterQueue(view, state, act, entry);
    return;
  }
  tellWait(act, setEntry(state, entry));
  addTimer(state.timers, {
    atMs: view.nowMs + queueMs,
    kind: "arrive",
    jobIdx,
    sinceMs: entry.sinceMs,
  });
}

/** Its pods are gone without Kueue's doing; it gets new ones and keeps its quota, if it has any. */
function recover(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  entry: Entry,
): void {
  if (view.jobState[entry.jobIdx] !== JobStateCode.queued) return;
  const again = setEntry(state, { ...entry, sinceMs: view.nowMs });
  replaceHeld(state, again);
  if (entry.phase === "admitted") act.admit(entry.jobIdx);
  offer(entry.jobIdx);
  const { readyMs, recoveryMs } = state.setup.times;
  if (readyMs === 0 || entry.phase === "unmanaged") return;
  addTimer(state.timers, {
    atMs: view.nowMs + recoveryMs,
    kind: "ready",
    jobIdx: entry.jobIdx,
    sinceMs: view.nowMs,
  });
}

function reprioritise(view: PoolView, state: KueueState, act: Actions, jobIdx: number): void {
  const entry = state.entries.get(jobIdx);
  if (!entry) return;
  const priority = state.setup.tierPriority[view.tierOfJob[jobIdx]!]!;
  const changed = withPriority(state, entry, priority);
  if (entry.phase !== "waiting") {
    setEntry(state, changed);
    replaceHeld(state, changed);
    return;
  }
  removePending(state.queues[entry.queue]!, entry);
  enterQueue(view, state, act, changed);
  state.dirty.add(state.setup.queues[entry.queue]!.rootIdx);
}
