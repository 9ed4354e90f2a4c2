/**
 * The cycle, again and again: one head of each ClusterQueue gets a flavor and a mode, then they are dealt with in order. Only trees in which something has changed since their last cycle are looked at:
 * elsewhere it would come to the same. A cycle takes its time; those that only park heads follow each other within one wake-up, their time counted, and the one that admits or evicts
 * ends it. Known consequence: work that arrives during such a run of cycles is seen after it. Cost a cycle: O(heads × flavors × depth) and a preemption for each head that needs one.
 * Rules: `scheduling/kubernetes/kueue/cycle.ts`, `scheduling/kubernetes/kueue/pendingQueue.ts`, `scheduling/kubernetes/kueue/tournament.ts`.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import {
  type CyclePlaces,
  type Head,
  runCycle,
} from "../../../scheduling/kubernetes/kueue/cycle.ts";
import {
  headOf,
  parkShape,
  removePending,
} from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import {
  available,
  chargeAll,
  releaseAll,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import type { Workload } from "../../../scheduling/kubernetes/kueue/workloads.ts";
import { byResource } from "./amounts.ts";
import { type Assignment, assign } from "./assign.ts";
import { evictWorkload, type Leaving } from "./leave.ts";
import { noteUse } from "./localUse.ts";
import { chargePlaces, freePlaces } from "./places.ts";
import { tellWait } from "./reasons.ts";
import { type Entry, holdQuota, type KueueState, setEntry } from "./state.ts";
import { addTimer } from "./timers.ts";

/** Cycles that are due. Returns when the next one is; `Infinity` where nothing has changed. */
export function runCycles(
  view: PoolView,
  state: KueueState,
  act: Actions,
  leaving: Leaving,
): number {
  const { times } = state.setup;
  state.nextCycleMs = Math.max(state.nextCycleMs, view.nowMs);
  let done = state.nextCycleMs > view.nowMs;
  while (!done && state.dirty.size > 0) {
    if (times.blockAdmission && state.unready.size > 0) {
      tellBlocked(state, act);
      return Number.POSITIVE_INFINITY;
    }
    const heads = headsOf(view, state);
    if (heads.length === 0) break;
    state.nextCycleMs += times.cycleMs;
    const went = dealWith(view, state, act, leaving, heads);
    done = went && state.nextCycleMs > view.nowMs;
  }
  return state.dirty.size > 0 ? state.nextCycleMs : Number.POSITIVE_INFINITY;
}

/** Nobody is looked at while pods of another have to be ready. O(queues). */
function tellBlocked(state: KueueState, act: Actions): void {
  for (const [queueIdx, queue] of state.setup.queues.entries()) {
    if (queue.stopped || !state.dirty.has(queue.rootIdx)) continue;
    const head = headOf(state.queues[queueIdx]!, usedByOf(state, queueIdx));
    if (!head || head.outcome === "podsAwaited") continue;
    const told: Entry = { ...head, outcome: "podsAwaited" };
    replaceWaiting(state, told);
    tellWait(act, told);
  }
}

/** What a queue's workloads are ordered by before priority, where it shares by use. */
export function usedByOf(state: KueueState, queueIdx: number) {
  return state.setup.queues[queueIdx]!.sharesByUse
    ? (entry: Entry) => entry.local?.used ?? 0
    : undefined;
}

/** What a cycle has to know of a workload, and what it would get. */
interface Asking extends Workload, Pick<Entry, "jobIdx" | "shape" | "ask"> {
  readonly assignment: Assignment;
}

/** One head of each queue in trees where something has changed; these count as looked at from now on. */
function headsOf(view: PoolView, state: KueueState): Head<Asking>[] {
  const heads: Head<Asking>[] = [];
  for (const [queueIdx, queue] of state.setup.queues.entries()) {
    if (queue.stopped || !state.dirty.has(queue.rootIdx)) continue;
    const entry =
      stickyHead(state, queueIdx) ?? headOf(state.queues[queueIdx]!, usedByOf(state, queueIdx));
    if (!entry) continue;
    const assignment = assign(view, state, entry);
    const { mode, borrowLevel, victims } = assignment;
    const workload = askingFor(entry, assignment);
    // Only the names of victims and what they hold are looked at.
    const leave = victims as readonly Workload[] as readonly Asking[];
    heads.push({
      workload,
      mode,
      borrowLevel,
      holdsQuota: false,
      victims: leave,
      rules: queue.rules,
    });
  }
  state.dirty.clear();
  return heads;
}

function askingFor(entry: Entry, assignment: Assignment): Asking {
  const { name, queue, priority, queuedMs, admittedMs, evicted, local, jobIdx, shape, ask } = entry;
  const use = local === undefined ? {} : { local };
  return {
    name,
    queue,
    priority,
    queuedMs,
    admittedMs,
    evicted,
    ...use,
    amounts: assignment.amounts,
    assignment,
    jobIdx,
    shape,
    ask,
  };
}

/** The workload for which others were told to leave: nobody else of its queue gets what they give back. */
function stickyHead(state: KueueState, queueIdx: number): Entry | null {
  const entry = state.entries.get(state.sticky[queueIdx]!);
  return entry?.phase === "waiting" && entry.queue === queueIdx ? entry : null;
}

/** True where something was admitted or somebody told to leave. */
function dealWith(
  view: PoolView,
  state: KueueState,
  act: Actions,
  leaving: Leaving,
  heads: readonly Head<Asking>[],
): boolean {
  const { setup, usage } = state;
  const places = setup.topologies.length === 0 ? null : cyclePlaces(view, state);
  let went = false;
  for (const { workload, outcome } of runCycle(
    setup.tree,
    usage,
    heads,
    setup.fairSharing,
    places,
  )) {
    const { assignment } = workload;
    const { rootIdx } = setup.queues[workload.queue]!;
    if (outcome === "waitsForVictims") state.sticky[workload.queue] = workload.jobIdx;
    else if (outcome !== "noLongerFits" && outcome !== "victimsShared")
      state.sticky[workload.queue] = -1;
    if (outcome === "admitted") {
      state.dirty.add(rootIdx);
      if (went && setup.times.blockAdmission) {
        // One at a time: the next cycle looks at it again.
        releaseAll(setup.tree, usage, workload.queue, workload.amounts);
        chargePlaces(state.places, { ask: workload.ask, plan: assignment.plan }, -1);
        continue;
      }
      admit(state, act, workload.jobIdx, assignment);
      went = true;
      continue;
    }
    const entry = state.entries.get(workload.jobIdx)!;
    const said = assignment.why === "none" ? outcome : assignment.why;
    if (entry.outcome !== said) replaceWaiting(state, { ...entry, outcome: said });
    tellWait(act, state.entries.get(workload.jobIdx)!);
    if (outcome === "waitsForVictims") {
      for (const victim of assignment.victims)
        if (evictWorkload(view, state, act, leaving, victim.jobIdx, workload.jobIdx)) went = true;
      continue;
    }
    // Another of this cycle was before it: it stays head, and what that one did decides whether a next cycle would come to anything else.
    if (outcome === "noLongerFits" || outcome === "victimsShared") continue;
    if (!parkShape(state.queues[workload.queue]!, workload.shape)) continue;
    state.dirty.add(rootIdx);
    const parkedFor = state.parkedFor[workload.queue]!;
    if (said === "noCandidates") parkedFor.delete(workload.shape);
    else parkedFor.set(workload.shape, said);
  }
  checkBooks(state, heads);
  return went;
}

/** A waiting entry is the same object in its queue. */
function replaceWaiting(state: KueueState, entry: Entry): void {
  setEntry(state, entry);
  const line = state.queues[entry.queue]!.lines.get(entry.shape);
  const at = line?.heap.findIndex(({ jobIdx }) => jobIdx === entry.jobIdx) ?? -1;
  if (line && at >= 0) line.heap[at] = entry;
}

/** Its quota is charged already. There are pods after the round trips. */
function admit(
  state: KueueState,
  act: Actions,
  jobIdx: number,
  { amounts, plan }: Assignment,
): void {
  const { setup } = state;
  const before = state.entries.get(jobIdx)!;
  // Evictions of this cycle may have woken others that stand before it now.
  removePending(state.queues[before.queue]!, before);
  const decidedMs = state.nextCycleMs;
  const entry = setEntry(state, {
    ...before,
    phase: "reserved",
    sinceMs: decidedMs,
    admittedMs: decidedMs,
    amounts,
    plan,
    outcome: "admitted",
  });
  holdQuota(state, entry);
  noteUse(setup, state.use, entry.localIdx, byResource(state, entry), 1);
  if (setup.times.blockAdmission) state.unready.add(jobIdx);
  act.admit(jobIdx);
  tellWait(act, entry);
  const atMs = decidedMs + setup.times.admitMs;
  addTimer(state.timers, { atMs, kind: "offer", jobIdx, sinceMs: decidedMs });
}

/**
 * Always on: nothing is admitted beyond what its queue and its cohorts own, lend and may borrow. Who was told to leave does not count: heads behind a preemptor are looked at without its victims, so until
 * those are gone there can be more in use (as upstream's `fits`). O(cells × depth), and O(those that leave) in that case.
 */
function checkBooks(
  { setup, usage, leaving, entries }: KueueState,
  heads: readonly Head<Asking>[],
): void {
  const { tree, queues } = setup;
  const isBeyond = ({ workload }: Head<Asking>) =>
    entries.get(workload.jobIdx)?.phase === "reserved" &&
    workload.amounts.some(({ cell }) => available(tree, usage, workload.queue, cell) < 0);
  if (!heads.some(isBeyond)) return;
  const gone = leaving.flat();
  for (const one of gone) releaseAll(tree, usage, one.queue, one.amounts);
  const beyond = heads.find(isBeyond);
  for (const one of gone) chargeAll(tree, usage, one.queue, one.amounts);
  if (beyond)
    throw new Error(
      `ClusterQueue ${queues[beyond.workload.queue]!.name} was given more quota than it can have.`,
    );
}

/** Places found for the heads of one cycle: those dealt with first have theirs. */
function cyclePlaces(view: PoolView, state: KueueState): CyclePlaces<Asking> {
  return {
    fits: ({ workload }) => {
      const { plan } = workload.assignment;
      chargePlaces(state.places, { ask: workload.ask, plan }, 1);
      const fits = plan.every(({ domains, topologyIdx }) => {
        if (domains === null) return true;
        const free = freePlaces(view, state.setup, state.places, topologyIdx);
        return domains.every(({ leaf }) =>
          free.subarray(leaf * 4, leaf * 4 + 4).every((left) => left >= 0),
        );
      });
      chargePlaces(state.places, { ask: workload.ask, plan }, -1);
      return fits;
    },
    take: ({ workload }) => {
      const { plan } = workload.assignment;
      chargePlaces(state.places, { ask: workload.ask, plan }, 1);
    },
  };
}
