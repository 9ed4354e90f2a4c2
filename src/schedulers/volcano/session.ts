/**
 * What one session of Volcano works with beside the nodes: what queues deserve and can have, as of its begin, and what they hold with what it has decided since.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { nodeScore } from "../../scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import {
  type Amounts,
  addAmounts,
  CPU,
  GPU,
  MEMORY,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { Scoring } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { binpackScore } from "../../scheduling/kubernetes/volcano/binpack.ts";
import {
  compareQueues,
  deservedAmounts,
  fitsWithin,
  type ProportionQueue,
  queueShare,
  realCapabilities,
} from "../../scheduling/kubernetes/volcano/deserved.ts";
import { type GatedQueue, mayAllocate } from "../../scheduling/kubernetes/volcano/queueGate.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";
import { futureOf, type GroupSession, openGroupSession, someLeave } from "../podGroups/session.ts";
import type { VolcanoSetup } from "./setup.ts";
import type { VolcanoState } from "./state.ts";

export interface Session extends GroupSession {
  readonly state: VolcanoState;
  readonly setup: VolcanoSetup;
  /** By queue: what it deserves, what it can really have, and what it holds with what was pipelined in this session. */
  readonly deserved: readonly Amounts[];
  readonly most: readonly Amounts[];
  readonly allocated: number[][];
}

export function openSession(
  view: PoolView,
  state: VolcanoState,
  act: Actions,
  everySearch: boolean,
): Session {
  const { setup } = state;
  const shared = openGroupSession(view, act, state, () => scoringOf(setup), everySearch);
  const { deserved, most } = entitlements(state, shared.total);
  const session: Session = {
    // Spelled out: every action reads it, and a copy that is added to is slow to make and to read.
    view,
    act,
    classes: shared.classes,
    total: shared.total,
    idle: shared.idle,
    future: shared.future,
    aside: shared.aside,
    told: shared.told,
    bounds: shared.bounds,
    everySearch,
    bound: shared.bound,
    decided: shared.decided,
    state,
    setup,
    deserved,
    most,
    allocated: state.books.map((book) => [...book.allocated]),
  };
  if (someLeave(state)) futureOf(session);
  return session;
}

interface Entitlements {
  readonly deserved: readonly Amounts[];
  readonly most: readonly Amounts[];
}

/** The last ones of the run whose setup it is, and what they followed from: that alone, so going back does not matter. */
const known = new WeakMap<
  VolcanoSetup,
  { readonly total: Amounts; readonly requests: readonly Amounts[]; readonly are: Entitlements }
>();

/** By queue: what it deserves, and what it can really have. O(queues) where nobody asks for anything else than last time. */
export function entitlements({ setup, books }: VolcanoState, total: Amounts): Entitlements {
  const last = known.get(setup);
  const same =
    last !== undefined &&
    isEqual(last.total, total) &&
    books.every(({ request }, idx) => isEqual(request, last.requests[idx]!));
  if (same) return last.are;
  const queues = books.map((book, idx) => proportionQueue(setup, idx, book.request));
  const most = realCapabilities(total, queues);
  const are = { deserved: deservedOf(setup, total, queues, most), most };
  known.set(setup, { total: [...total], requests: books.map(({ request }) => [...request]), are });
  return are;
}

function isEqual(one: Amounts, other: Amounts): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function proportionQueue(setup: VolcanoSetup, idx: number, request: Amounts): ProportionQueue {
  const { name, weight, priority, capability, guarantee } = setup.queues[idx]!;
  return { name, weight, priority, request, capability, guarantee };
}

/** Capacity: what the queue says, within what it asks for and can have, and its guarantee at least. */
function deservedOf(
  setup: VolcanoSetup,
  total: Amounts,
  queues: readonly ProportionQueue[],
  most: readonly Amounts[],
): Amounts[] {
  if (setup.queuePlugin === "proportion") return deservedAmounts(total, queues);
  return queues.map((queue, idx) =>
    setup.queues[idx]!.deserved.map((amount, at) =>
      Math.max(Math.min(amount, queue.request[at]!, most[idx]![at]!), queue.guarantee[at]!),
    ),
  );
}

const LEAST = { type: "LeastAllocated" } as const;
const CPU_AND_MEMORY = [
  { weight: 1, extended: false },
  { weight: 1, extended: false },
];
/** What a pod that asks for no CPU or memory counts as where nodes are scored: 100 millicores, 200 MiB. */
const UNASKED = [100, 200];

function scoringOf(setup: VolcanoSetup): Scoring {
  const room = [0, 0, 0];
  const used = [0, 0, 0];
  return (sketch, part, node) => {
    amountsOfNode(sketch, node, room, used);
    const request = [
      part.shareMilli > 0 ? part.shareMilli / 1_000 : part.gpus,
      part.cpuMilli,
      part.memMiB,
    ];
    let score = 0;
    if (setup.leastAllocated > 0) score += setup.leastAllocated * leastAllocated(room, used, part);
    if (setup.binpack > 0)
      score += binpackScore(
        request,
        { allocatable: room, used },
        setup.binpackWeights,
        setup.binpack,
      );
    return score;
  };
}

function amountsOfNode(sketch: Sketch, node: number, room: number[], used: number[]): void {
  const { cluster } = sketch;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  room[GPU] = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  room[CPU] = group.cpusPerNode * 1_000;
  room[MEMORY] = group.memMiBPerNode;
  used[GPU] = room[GPU]! - sketch.gpusFree[node]!;
  used[CPU] = room[CPU]! - sketch.cpuMilliFree[node]!;
  used[MEMORY] = room[MEMORY]! - sketch.memMiBFree[node]!;
}

function leastAllocated(room: Amounts, used: Amounts, part: Part): number {
  const asked = [part.cpuMilli || UNASKED[0]!, part.memMiB || UNASKED[1]!];
  return nodeScore(
    LEAST,
    CPU_AND_MEMORY,
    [room[CPU]!, room[MEMORY]!],
    [used[CPU]!, used[MEMORY]!],
    asked,
  );
}

/** Queues in the order in which they are served now: queue priority, share, name. */
export function queueOrder(session: Session): number[] {
  const ranked = session.setup.queues.map((_, idx) => rankedQueue(session, idx));
  return ranked.sort(compareQueues).map(({ idx }) => idx);
}

/** The one of these that is served first now. O(queues given). */
export function firstQueue(session: Session, of: Iterable<number>): number {
  let first: ReturnType<typeof rankedQueue> | null = null;
  for (const idx of of) {
    const ranked = rankedQueue(session, idx);
    if (first === null || compareQueues(ranked, first) < 0) first = ranked;
  }
  return first === null ? -1 : first.idx;
}

function rankedQueue({ setup, allocated, deserved }: Session, idx: number) {
  const { name, priority } = setup.queues[idx]!;
  const share = setup.queuePlugin === "none" ? 0 : queueShare(allocated[idx]!, deserved[idx]!);
  return { idx, name, priority, share };
}

/** Proportion only: it has what it deserves of everything. */
export function isOverused({ setup, deserved, allocated }: Session, queueIdx: number): boolean {
  return (
    setup.queuePlugin === "proportion" && fitsWithin(deserved[queueIdx]!, allocated[queueIdx]!)
  );
}

/** The queue as its gates see it. */
export function gatedQueue(
  { setup, state, most, allocated }: Session,
  queueIdx: number,
): GatedQueue {
  const { inqueue, elastic } = state.books[queueIdx]!;
  return {
    open: setup.queues[queueIdx]!.open,
    capability: most[queueIdx]!,
    allocated: allocated[queueIdx]!,
    inqueue,
    elastic,
  };
}

/** May the queue, and with the capacity plugin those above it, be given so much more, beside what the session has allocated or what is given here? */
export function queueAllows(
  session: Session,
  queueIdx: number,
  request: Amounts,
  allocated: readonly Amounts[] = session.allocated,
): boolean {
  const { setup, deserved, most } = session;
  const { open } = setup.queues[queueIdx]!;
  if (setup.queuePlugin === "none") return open;
  const gated = { open, allocated: allocated[queueIdx]! };
  if (setup.queuePlugin === "proportion") return mayAllocate(gated, deserved[queueIdx]!, request);
  if (!mayAllocate(gated, most[queueIdx]!, request)) return false;
  for (
    let above = setup.queues[queueIdx]!.parentIdx;
    above >= 0;
    above = setup.queues[above]!.parentIdx
  ) {
    const below = allocated.reduce<number[]>(
      (sum, amounts, idx) => {
        if (isBelow(setup, idx, above)) addAmounts(sum, amounts);
        return sum;
      },
      [0, 0, 0],
    );
    const gate = { open: setup.queues[above]!.open, allocated: below };
    if (!mayAllocate(gate, most[above]!, request)) return false;
  }
  return true;
}

const NOTHING = noAmounts();

/** Would the queue allow it if of all the work that runs only its own were there, or none at all? Where not, no eviction helps. */
export function queueCouldAllow(
  session: Session,
  queueIdx: number,
  request: Amounts,
  own: "stays" | "leaves",
): boolean {
  const allocated = session.allocated.map((amounts, idx) =>
    own === "stays" && idx === queueIdx ? amounts : NOTHING,
  );
  return queueAllows(session, queueIdx, request, allocated);
}

function isBelow(setup: VolcanoSetup, queueIdx: number, above: number): boolean {
  for (let idx = queueIdx; idx >= 0; idx = setup.queues[idx]!.parentIdx)
    if (idx === above) return true;
  return false;
}
