/**
 * The memory of admission: one entry for each workload that lives, the quota in use, a queue for each ClusterQueue. Entries are never changed but replaced, so a snapshot copies lists of them and no entry;
 * only where LocalQueues are ordered by use do entries share a record that moves, and are copied too. O(workloads that live) a snapshot.
 */

import type { HeadOutcome } from "../../../scheduling/kubernetes/kueue/cycle.ts";
import {
  copyPending,
  type Pending,
  type PendingQueue,
  pendingQueue,
} from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import {
  type CellAmount,
  noUsage,
  type QuotaUsage,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import {
  addStanding,
  copyStanding,
  dropStanding,
  type Standing,
} from "../../../scheduling/kubernetes/kueue/standing.ts";
import type { Ask } from "./asks.ts";
import type { Assignment } from "./assign.ts";
import { copyUse, type LocalUse, noLocalUse } from "./localUse.ts";
import { copyPlaces, noPlaces, type PlacesInUse } from "./places.ts";
import type { KueueSetup } from "./setup.ts";
import type { Timers } from "./timers.ts";
import { TOLD } from "./told.ts";

/**
 * `arriving`: its Workload is being created. `waiting`: in its queue. `reserved`: quota is taken, there are no pods yet. `admitted`: handed to placement. `leaving`: evicted, its pods are ending.
 * `backoff`: requeued later. `aside`: nothing will admit it as things are (no such queue, deactivated). `unmanaged`: not Kueue's, handed to placement as it came, and admitted by nobody.
 */
export type Phase =
  | "arriving"
  | "waiting"
  | "reserved"
  | "admitted"
  | "leaving"
  | "backoff"
  | "aside"
  | "unmanaged";

/** Pods of one component: how many, and where they may go. */
export interface PodsPlan {
  readonly count: number;
  /** Flavors whose nodes hold them. */
  readonly flavors: readonly number[];
  /** With a topology: pods by lowest domain. */
  readonly domains: readonly { readonly leaf: number; readonly pods: number }[] | null;
  readonly topologyIdx: number;
}

export interface Entry extends Pending {
  readonly jobIdx: number;
  readonly ask: Ask;
  readonly phase: Phase;
  /** When it came to this phase. */
  readonly sinceMs: number;
  readonly createdMs: number;
  /** Index into the LocalQueues; −1 = none. */
  readonly localIdx: number;
  /** Times that its pods were not ready in time. */
  readonly timeouts: number;
  /** Times that it was told to leave. */
  readonly evictions: number;
  /** By component, while it holds quota. */
  readonly plan: readonly PodsPlan[];
  /** Why it does not go on, as the last cycle that looked at it said; or where it stands aside. */
  readonly outcome: HeadOutcome | AsideReason | "podsAwaited" | "none";
  /** Why it was told to leave last, and for which workload; −1 = none. */
  readonly cause: EvictionCause | "none";
  readonly forJobIdx: number;
}
export type EvictionCause = "preempted" | "reclaimed" | "podsNotReady" | "queueStopped";
export type AsideReason = "noQueue" | "noFlavor" | "noTopology" | "deactivated" | "stopped";

export interface KueueState {
  readonly setup: KueueSetup;
  readonly usage: QuotaUsage;
  readonly entries: Map<number, Entry>;
  readonly queues: PendingQueue<Entry>[];
  /** Who holds quota, by node of the tree, and where each stands in its list. */
  readonly admitted: Entry[][];
  readonly placeOf: Map<number, number>;
  /** Of these those that are leaving, by node; and the others in the order in which they would give way, null where use orders LocalQueues. */
  readonly leaving: Entry[][];
  readonly standing: (Standing<Entry> | null)[];
  /** By node of the tree, priority and cell: what is held, so that a hopeless preemption need not be looked for. */
  readonly heldSums: Map<number, Float64Array>[];
  /** By node × cell: the most that one workload has held so far, and the least. */
  readonly heldMost: Float64Array;
  readonly heldLeast: Float64Array;
  /** By root of a tree: a cycle may come to another outcome there than the last one. */
  readonly dirty: Set<number>;
  /** By ClusterQueue: who waits for its victims there and stays head meanwhile; −1 = nobody. */
  readonly sticky: Int32Array;
  /** The next cycle begins no earlier. */
  nextCycleMs: number;
  readonly timers: Timers;
  readonly use: LocalUse;
  readonly places: PlacesInUse;
  /** Test only: also searches that sums rule out are made. */
  readonly everySearch: boolean;
  /** Admitted, and its pods are not ready yet; kept only where others wait for that. */
  readonly unready: Set<number>;
  /** Roots of trees of which a quota in use has changed since gauges were told. */
  readonly moved: Set<number>;
  /** What gauges said last (`told.ts`). */
  readonly told: Float64Array;
  /** What each queue owns is still to be told. */
  unsaid: boolean;
  /** By queue: why shapes are parked, other than that quota is short. Means something only of those that are. */
  readonly parkedFor: Map<string, Entry["outcome"]>[];
  /** By root of a tree: counts how often what its queues hold has changed. */
  readonly versions: Int32Array;
  /** By queue: what its head came to last. Follows from the rest; a copy has none. */
  readonly assigned: (Assigned | null)[];
}

/** The head of a queue that was assigned last, and at which version of its tree. */
interface Assigned {
  readonly version: number;
  readonly entry: Entry;
  readonly assignment: Assignment;
}

export function createAdmission(
  setup: KueueSetup,
  nowMs: number,
  everySearch: boolean,
): KueueState {
  return {
    setup,
    usage: noUsage(setup.tree),
    entries: new Map(),
    queues: setup.queues.map(({ strict }) => pendingQueue<Entry>(strict)),
    admitted: setup.tree.nodes.map(() => []),
    placeOf: new Map(),
    leaving: setup.tree.nodes.map(() => []),
    standing: setup.tree.nodes.map((_, node) =>
      setup.queues[node]?.sharesByUse === true ? null : new Map(),
    ),
    heldSums: setup.tree.nodes.map(() => new Map<number, Float64Array>()),
    heldMost: noUsage(setup.tree),
    heldLeast: noUsage(setup.tree).fill(Number.POSITIVE_INFINITY),
    dirty: new Set(),
    sticky: new Int32Array(setup.queues.length).fill(-1),
    nextCycleMs: nowMs,
    timers: [],
    use: noLocalUse(setup, nowMs),
    places: noPlaces(setup),
    everySearch,
    unready: new Set(),
    moved: new Set(setup.queues.map(({ rootIdx }) => rootIdx)),
    told: new Float64Array(setup.gauges.length * TOLD).fill(Number.NaN),
    unsaid: true,
    parkedFor: setup.queues.map(() => new Map()),
    versions: new Int32Array(setup.tree.nodes.length),
    assigned: setup.queues.map(() => null),
  };
}

/** O(workloads that live). */
export function copyAdmission(state: KueueState): KueueState {
  const copy: KueueState = {
    ...state,
    usage: state.usage.slice(),
    entries: new Map(state.entries),
    queues: state.queues.map(copyPending),
    admitted: state.admitted.map((list) => list.slice()),
    placeOf: new Map(state.placeOf),
    leaving: state.leaving.map((list) => list.slice()),
    standing: state.standing.map((standing) => standing && copyStanding(standing)),
    heldMost: state.heldMost.slice(),
    heldLeast: state.heldLeast.slice(),
    heldSums: state.heldSums.map((sums) => {
      return new Map([...sums].map(([priority, list]) => [priority, list.slice()] as const));
    }),
    dirty: new Set(state.dirty),
    sticky: state.sticky.slice(),
    timers: state.timers.slice(),
    use: copyUse(state.use),
    places: copyPlaces(state.places),
    unready: new Set(state.unready),
    moved: new Set(state.moved),
    told: state.told.slice(),
    parkedFor: state.parkedFor.map((shapes) => new Map(shapes)),
    versions: state.versions.slice(),
    assigned: state.assigned.map(() => null),
  };
  if (state.setup.anyUse) relink(copy);
  return copy;
}

/** Entries of queues that share by use point to the records of their own state. */
function relink(state: KueueState): void {
  const relinked = new Map<Entry, Entry>();
  const of = (entry: Entry): Entry => {
    if (entry.local === undefined) return entry;
    let made = relinked.get(entry);
    if (!made) {
      made = { ...entry, local: state.use.locals[entry.localIdx]! };
      relinked.set(entry, made);
    }
    return made;
  };
  for (const [jobIdx, entry] of state.entries) state.entries.set(jobIdx, of(entry));
  for (const list of state.admitted) for (const [at, entry] of list.entries()) list[at] = of(entry);
  for (const { lines } of state.queues)
    for (const { heap } of lines.values())
      for (const [at, entry] of heap.entries()) heap[at] = of(entry);
}

/** Takes its quota, beside what `runCycle` has charged already. */
export function holdQuota(state: KueueState, entry: Entry): void {
  const list = state.admitted[entry.queue]!;
  state.placeOf.set(entry.jobIdx, list.length);
  list.push(entry);
  joinOrder(state, entry);
  sumUp(state, entry, 1);
  state.moved.add(state.setup.queues[entry.queue]!.rootIdx);
}

function joinOrder({ leaving, standing }: KueueState, entry: Entry): void {
  const order = standing[entry.queue];
  if (entry.evicted) leaving[entry.queue]!.push(entry);
  else if (order) addStanding(order, entry);
}

/** `entry`: as its lists have it. */
function leaveOrder({ leaving, standing }: KueueState, entry: Entry): void {
  const order = standing[entry.queue];
  if (!entry.evicted) {
    if (order) dropStanding(order, entry);
    return;
  }
  const list = leaving[entry.queue]!;
  const at = list.findIndex(({ jobIdx }) => jobIdx === entry.jobIdx);
  if (at >= 0) list.splice(at, 1);
}

function sumUp(state: KueueState, entry: Entry, sign: 1 | -1): void {
  const { setup, heldSums, heldMost, heldLeast, versions } = state;
  const { rootIdx } = setup.queues[entry.queue]!;
  versions[rootIdx] = versions[rootIdx]! + 1;
  const sums = heldSums[entry.queue]!;
  let list = sums.get(entry.priority);
  if (!list) {
    list = new Float64Array(setup.tree.cells);
    sums.set(entry.priority, list);
  }
  for (const { cell, amount } of entry.amounts) {
    list[cell]! += sign * amount;
    const at = entry.queue * setup.tree.cells + cell;
    heldMost[at] = Math.max(heldMost[at]!, amount);
    heldLeast[at] = Math.min(heldLeast[at]!, amount);
  }
}

/** The same workload as its list has it now. */
export function replaceHeld(state: KueueState, entry: Entry): void {
  const at = state.placeOf.get(entry.jobIdx);
  if (at === undefined) return;
  const list = state.admitted[entry.queue]!;
  sumUp(state, list[at]!, -1);
  leaveOrder(state, list[at]!);
  list[at] = entry;
  joinOrder(state, entry);
  sumUp(state, entry, 1);
}

/** It holds no quota any more. False where it held none. */
export function dropHeld(state: KueueState, entry: Entry): boolean {
  const at = state.placeOf.get(entry.jobIdx);
  if (at === undefined) return false;
  const list = state.admitted[entry.queue]!;
  sumUp(state, list[at]!, -1);
  leaveOrder(state, list[at]!);
  const last = list.pop()!;
  if (last.jobIdx !== entry.jobIdx) {
    list[at] = last;
    state.placeOf.set(last.jobIdx, at);
  }
  state.placeOf.delete(entry.jobIdx);
  state.moved.add(state.setup.queues[entry.queue]!.rootIdx);
  return true;
}

/** Puts an entry in place of the one that is there. */
export function setEntry(state: KueueState, entry: Entry): Entry {
  state.entries.set(entry.jobIdx, entry);
  return entry;
}

export const NO_AMOUNTS: readonly CellAmount[] = [];
