/**
 * What one session works with: fair shares of all queues, divided down the tree, and what each queue holds, charged up the tree as the session decides. `idle` is what is
 * free; `future` is that and what those give back who are leaving or have been told to by this session.
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import { fairShares } from "../../scheduling/kubernetes/kai/fairShare.ts";
import type { ShareState } from "../../scheduling/kubernetes/kai/reclaim.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
  totalOf,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import {
  classesOf,
  type GroupClass,
  type GroupClasses,
} from "../../scheduling/kubernetes/podGroups/classes.ts";
import {
  domainsOfFabric,
  type Forest,
  forestOf,
} from "../../scheduling/kubernetes/podGroups/forest.ts";
import { joinLane, type Lane, leaveLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { shiftRoom } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { NodeBoard, type Scoring } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { giveHolding } from "../../scheduling/placement/capacity.ts";
import { FIXED_FROM, type KaiSetup } from "./setup.ts";
import { type KaiState, laneOf } from "./state.ts";
import { usedParts } from "./usage.ts";

export interface Session {
  readonly view: PoolView;
  readonly act: Actions;
  readonly state: KaiState;
  readonly setup: KaiSetup;
  readonly classes: GroupClasses;
  readonly total: Amounts;
  /** By queue, parents included; `held` and `fixed` follow what the session decides. */
  readonly fair: readonly Amounts[];
  readonly held: number[][];
  readonly fixed: number[][];
  readonly forest: Forest;
  readonly idle: NodeBoard;
  future: NodeBoard | null;
  readonly aside: number[];
  /** Members of running jobs for which a place is kept in the future, by job and component. */
  readonly promised: Map<number, number[]>;
  /** Classes that found no place in the future while jobs were allocated. */
  readonly futureFailed: Set<number>;
  bound: number;
  decided: number;
}

interface Boards {
  readonly setup: KaiSetup;
  readonly nodes: Int32Array;
  readonly idle: NodeBoard;
  readonly future: NodeBoard;
  readonly forest: Forest;
}
const boards = new WeakMap<Cluster, Boards>();
const holdings = new Grant();
const ROUNDING = 1e-9;

export function openSession(view: PoolView, state: KaiState, act: Actions): Session {
  const { setup, books } = state;
  const classes = classesOf(view.jobs, view.cluster);
  const total = totalOf(
    view.cluster,
    view.nodes,
    (node) => view.nodeState[node] === NodeStateCode.open,
  );
  const { idle, forest } = boardsFor(view, setup);
  idle.load(view, classes.hasParts);
  const upTheTree = (pick: (idx: number) => Amounts) => {
    const sums = setup.queues.map((_, idx) => [...pick(idx)]);
    for (const [idx, queue] of setup.queues.entries())
      for (let up = queue.parentIdx; up >= 0; up = setup.queues[up]!.parentIdx)
        addAmounts(sums[up]!, pick(idx));
    return sums;
  };
  const session: Session = {
    view,
    act,
    state,
    setup,
    classes,
    total,
    fair: fairOf(
      state,
      total,
      upTheTree((idx) => books[idx]!.request),
      upTheTree,
    ),
    held: upTheTree((idx) => books[idx]!.allocated),
    fixed: upTheTree((idx) => books[idx]!.fixed),
    forest,
    idle,
    future: null,
    aside: [],
    promised: new Map(),
    futureFailed: new Set(),
    bound: 0,
    decided: 0,
  };
  if (state.ending.size + state.leaving.length > 0) futureOf(session);
  return session;
}

/** Jobs whose place is kept in the future go back to their lanes. */
export function closeSession({ view, state, aside }: Session): void {
  for (const jobIdx of aside)
    joinLane(state.waiting, laneOf(view, state, jobIdx), view.jobs.at.submitMs, jobIdx);
}

/** Level by level: children divide what their parent was given. */
function fairOf(
  { setup, usage }: KaiState,
  total: Amounts,
  request: readonly Amounts[],
  upTheTree: (pick: (idx: number) => Amounts) => number[][],
): Amounts[] {
  const { queues, children, strength } = setup;
  const used = usage === null ? null : usedParts(usage, queues.length, total);
  const past = used === null ? null : upTheTree((idx) => used[idx]!);
  const fair = queues.map(() => noAmounts());
  const divide = (parent: number, amounts: Amounts) => {
    const level = children[parent]!;
    for (const [at, amount] of amounts.entries()) {
      const siblings = level.map((idx) => ({
        name: queues[idx]!.name,
        deserved: queues[idx]!.quota[at]!,
        request: request[idx]![at]!,
        limit: queues[idx]!.limit[at]!,
        overQuotaWeight: queues[idx]!.weight[at]!,
        priority: queues[idx]!.priority,
        created: idx,
        usage: past === null ? 0 : past[idx]![at]!,
      }));
      const { shares } = fairShares(amount, siblings, strength);
      for (const [i, idx] of level.entries()) fair[idx]![at] = shares[i]!;
    }
    for (const idx of level) if (children[idx]!.length > 0) divide(idx, fair[idx]!);
  };
  divide(queues.length, total);
  return fair;
}

function boardsFor(view: PoolView, setup: KaiSetup): Boards {
  const known = boards.get(view.cluster);
  if (known?.setup === setup && known.nodes === view.nodes) return known;
  const scoring = scoringOf(setup);
  const made = {
    setup,
    nodes: view.nodes,
    idle: new NodeBoard(view, scoring),
    future: new NodeBoard(view, scoring),
    forest: forestOf(view, domainsOfFabric(view)),
  };
  boards.set(view.cluster, made);
  return made;
}

/** Pods with GPUs by GPUs, others by CPUs and away from nodes with GPUs: the fullest node, or the emptiest. */
function scoringOf({ packs }: KaiSetup): Scoring {
  return (sketch, part, node) => {
    const { cluster } = sketch;
    const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    const byGpu = part.gpus > 0 || part.shareMilli > 0 || part.mig > 0;
    const room = byGpu ? gpus : cluster.groups[cluster.nodeGroup[node]!]!.cpusPerNode * 1_000;
    const free = byGpu ? sketch.gpusFree[node]! : sketch.cpuMilliFree[node]!;
    const part0 = room === 0 ? 0 : packs ? (room - free) / room : free / room;
    return part0 + (!byGpu && gpus === 0 ? 10 : 0);
  };
}

/** The future: the present and what those give back who are leaving. */
export function futureOf(session: Session): NodeBoard {
  if (session.future !== null) return session.future;
  const { view, state, setup } = session;
  const { future } = boardsFor(view, setup);
  future.load(session.idle.sketch, session.classes.hasParts);
  for (const jobIdx of state.ending) giveAll(session, future, jobIdx);
  for (const { jobIdx, component, node } of state.leaving)
    shiftRoom(future, node, groupAt(session, jobIdx).each[component]!, 1);
  session.future = future;
  return future;
}

/** What a job holds becomes free on a board. */
export function giveAll({ view }: Session, board: NodeBoard, jobIdx: number): void {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  for (let row = 0; row < holdings.length; row++) {
    const node = holdings.node[row]!;
    board.touch(node);
    giveHolding(board.sketch, view.jobs, jobIdx, holdings, row);
    board.changed(node);
  }
}

/** A queue and all above it hold so much more (or less). */
export function chargeUp(
  session: Session,
  queueIdx: number,
  amounts: Amounts,
  sign: number,
  isFixed: boolean,
): void {
  for (let up = queueIdx; up >= 0; up = session.setup.queues[up]!.parentIdx) {
    addAmounts(session.held[up]!, amounts, sign);
    if (isFixed) addAmounts(session.fixed[up]!, amounts, sign);
  }
}

/** May a queue start this, as far as limits go, and quota where the work is never a victim? 0 = yes, else the reason. */
export function queueRefuses(
  session: Session,
  queueIdx: number,
  request: Amounts,
  priority: number,
): number {
  const { setup, held, fixed } = session;
  for (let up = queueIdx; up >= 0; up = setup.queues[up]!.parentIdx) {
    const { limit, quota } = setup.queues[up]!;
    for (const [at, asked] of request.entries()) {
      if (asked <= 0) continue;
      if (limit[at]! >= 0 && held[up]![at]! + asked > limit[at]! + ROUNDING)
        return kubeReasonCode("queueMost");
      const over = quota[at]! >= 0 && fixed[up]![at]! + asked > quota[at]! + ROUNDING;
      if (priority >= FIXED_FROM && over) return kubeReasonCode("fixedQuota");
    }
  }
  return 0;
}

/** A queue as the rules of reclaim see it. */
export function shareState({ setup, held, fixed, fair }: Session, queueIdx: number): ShareState {
  const { quota, limit } = setup.queues[queueIdx]!;
  return {
    allocated: held[queueIdx]!,
    fixed: fixed[queueIdx]!,
    deserved: quota,
    fairShare: fair[queueIdx]!,
    limit,
  };
}

export function closeLane({ view, act }: Session, lane: Lane, reason: number): void {
  lane.closed = true;
  if (reason === 0) return;
  lane.reason = reason;
  const jobIdx = lane.jobs[lane.first]!;
  if (view.waitReason(jobIdx) !== reason) act.wait(jobIdx, reason);
}

/** Out of its lane until the session ends: a place in the future is kept for it. */
export function setAside(session: Session, jobIdx: number): void {
  const { view, state, act, aside } = session;
  leaveLanes(state.waiting, view.jobs.at.submitMs, jobIdx);
  aside.push(jobIdx);
  state.awaited.add(jobIdx);
  const nominated = kubeReasonCode("nominated");
  if (view.waitReason(jobIdx) !== nominated) act.wait(jobIdx, nominated);
}

export function groupAt(session: Session, jobIdx: number): GroupClass {
  return session.classes.list[session.classes.classOfJob[jobIdx]!]!;
}
