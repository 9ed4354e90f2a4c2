/**
 * What one session works with: the cluster and the queues as they are at its begin, and what it has decided since. `idle` is what is free; `future` is that and what
 * those give back who are leaving. A job that fits only the future is pipelined: it keeps its place from the others for this session and is looked at again in
 * the next. Scores outlive sessions, the rest does not.
 */

import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import { nodeScore } from "../../scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import {
  type Amounts,
  addAmounts,
  CPU,
  GPU,
  MEMORY,
  totalOf,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import {
  classesOf,
  type GroupClass,
  type GroupClasses,
} from "../../scheduling/kubernetes/podGroups/classes.ts";
import { joinLane, type Lane, leaveLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { shiftRoom } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { NodeBoard, type Scoring } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
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
import { giveHolding, type Sketch } from "../../scheduling/placement/capacity.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";
import type { VolcanoSetup } from "./setup.ts";
import { laneOf, type VolcanoState } from "./state.ts";

export interface Session {
  readonly view: PoolView;
  readonly act: Actions;
  readonly state: VolcanoState;
  readonly setup: VolcanoSetup;
  readonly classes: GroupClasses;
  readonly total: Amounts;
  /** By queue: what it deserves, what it can really have, and what it holds with what was pipelined in this session. */
  readonly deserved: readonly Amounts[];
  readonly most: readonly Amounts[];
  readonly allocated: number[][];
  readonly idle: NodeBoard;
  future: NodeBoard | null;
  /** Jobs that were pipelined: out of their lanes until the end of the session. */
  readonly aside: number[];
  /** Pods bound so far. */
  bound: number;
  looked: number;
  /** Groups let in, pods bound, pods told to leave. */
  decided: number;
}

interface Boards {
  readonly setup: VolcanoSetup;
  readonly idle: NodeBoard;
  readonly future: NodeBoard;
}
const boards = new WeakMap<Cluster, Boards>();
const held = new Grant();

export function openSession(view: PoolView, state: VolcanoState, act: Actions): Session {
  const { setup } = state;
  const classes = classesOf(view.jobs, view.cluster);
  const total = totalOf(
    view.cluster,
    view.nodes,
    (node) => view.nodeState[node] === NodeStateCode.open,
  );
  const queues = state.books.map((book, idx) => proportionQueue(setup, idx, book.request));
  const most = realCapabilities(total, queues);
  const board = boardsFor(view, setup);
  board.idle.load(view, classes.hasParts);
  const session: Session = {
    view,
    act,
    state,
    setup,
    classes,
    total,
    deserved: deservedOf(setup, total, queues, most),
    most,
    allocated: state.books.map((book) => [...book.allocated]),
    idle: board.idle,
    future: null,
    aside: [],
    bound: 0,
    looked: 0,
    decided: 0,
  };
  if (state.ending.size + state.leaving.length > 0) loadFuture(session);
  return session;
}

/** Pipelined jobs go back to their lanes. */
export function closeSession({ view, state, aside }: Session): void {
  for (const jobIdx of aside)
    joinLane(
      state.inqueue,
      laneOf(view, state, state.inqueue, jobIdx),
      view.jobs.at.submitMs,
      jobIdx,
    );
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

function boardsFor(view: PoolView, setup: VolcanoSetup): Boards {
  const known = boards.get(view.cluster);
  if (known?.setup === setup) return known;
  const scoring = scoringOf(setup);
  const made = {
    setup,
    idle: new NodeBoard(view, scoring),
    future: new NodeBoard(view, scoring),
  };
  boards.set(view.cluster, made);
  return made;
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

/** The future: the present and what those give back who are leaving. */
export function loadFuture(session: Session): NodeBoard {
  const { view, state, setup } = session;
  const { future } = boardsFor(view, setup);
  future.load(session.idle.sketch, session.classes.hasParts);
  for (const jobIdx of state.ending) {
    held.clear();
    view.holdings(jobIdx, held);
    for (let row = 0; row < held.length; row++) {
      giveHolding(future.sketch, view.jobs, jobIdx, held, row);
      future.changed(held.node[row]!);
    }
  }
  for (const { jobIdx, component, node } of state.leaving)
    shiftRoom(future, node, groupAt(session, jobIdx).each[component]!, 1);
  session.future = future;
  return future;
}

/** Queues in the order in which they are served now: queue priority, share, name. */
export function queueOrder(session: Session): number[] {
  const { setup, allocated, deserved } = session;
  const ranked = setup.queues.map(({ name, priority }, idx) => ({
    idx,
    name,
    priority,
    share: setup.queuePlugin === "none" ? 0 : queueShare(allocated[idx]!, deserved[idx]!),
  }));
  return ranked.sort(compareQueues).map(({ idx }) => idx);
}

/** Proportion only: it has what it deserves of everything. */
export function isOverused({ setup, deserved, allocated }: Session, queueIdx: number): boolean {
  return (
    setup.queuePlugin === "proportion" && fitsWithin(deserved[queueIdx]!, allocated[queueIdx]!)
  );
}

/** The queue as its gates see it. */
export function gatedQueue(
  { setup, state, most, allocated: held }: Session,
  queueIdx: number,
  allocated: readonly Amounts[] = held,
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
  const gated = gatedQueue(session, queueIdx, allocated);
  if (setup.queuePlugin === "none") return gated.open;
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
    if (!mayAllocate({ ...gatedQueue(session, above), allocated: below }, most[above]!, request))
      return false;
  }
  return true;
}

/** Would the queue allow it if of all the work that runs only its own were there, or none at all? Where not, no eviction helps. */
export function queueCouldAllow(
  session: Session,
  queueIdx: number,
  request: Amounts,
  own: "stays" | "leaves",
): boolean {
  const allocated = session.allocated.map((amounts, idx) =>
    own === "stays" && idx === queueIdx ? amounts : [0, 0, 0],
  );
  return queueAllows(session, queueIdx, request, allocated);
}

function isBelow(setup: VolcanoSetup, queueIdx: number, above: number): boolean {
  for (let idx = queueIdx; idx >= 0; idx = setup.queues[idx]!.parentIdx)
    if (idx === above) return true;
  return false;
}

/** No job of the lane is looked at again in this session; the first is told why. */
export function closeLane({ view, act }: Session, lane: Lane, reason: number): void {
  lane.closed = true;
  lane.reason = reason;
  const jobIdx = lane.jobs[lane.first]!;
  if (view.waitReason(jobIdx) !== reason) act.wait(jobIdx, reason);
}

/** Out of its lane until the session ends: a place in the future is kept for it. */
export function setAside(session: Session, jobIdx: number): void {
  const { view, state, act, aside } = session;
  leaveLanes(state.inqueue, view.jobs.at.submitMs, jobIdx);
  aside.push(jobIdx);
  state.awaited.add(jobIdx);
  const nominated = kubeReasonCode("nominated");
  if (view.waitReason(jobIdx) !== nominated) act.wait(jobIdx, nominated);
}

export function groupAt(session: Session, jobIdx: number): GroupClass {
  return session.classes.list[session.classes.classOfJob[jobIdx]!]!;
}
