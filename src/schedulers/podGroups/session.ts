/**
 * What any session of pod groups works with. `idle` is what is free; `future` is that and what those give back who are leaving, or have been told to by this session. A job that fits
 * only the future is pipelined: it keeps its place from the others for this session and is looked at again in the next. Scores outlive sessions, the rest does not.
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import { type Amounts, GPU, totalOf } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import {
  classesOf,
  type GroupClass,
  type GroupClasses,
  membersTogether,
} from "../../scheduling/kubernetes/podGroups/classes.ts";
import { joinLane, type Lane, laneFor } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { shiftRoom } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { NodeBoard, type Scoring } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { stillWaits } from "../../scheduling/ordering/stillWaits.ts";
import { giveHolding } from "../../scheduling/placement/capacity.ts";
import { Bounds } from "./heldOn.ts";
import { type GroupSetup, type GroupState, leaveLane, queueOf } from "./state.ts";

export interface GroupSession {
  readonly view: PoolView;
  readonly act: Actions;
  readonly state: GroupState;
  readonly setup: GroupSetup;
  readonly classes: GroupClasses;
  readonly total: Amounts;
  readonly idle: NodeBoard;
  future: NodeBoard | null;
  /** Jobs that were pipelined: out of their lanes until the end of the session, each with its priority. */
  readonly aside: Map<number, number>;
  /** Reasons of this session by job, the last of each action that looked at it: said once, at the end. */
  readonly told: Map<number, number>;
  /** What evictions can reach, until some are decided. */
  readonly bounds: Bounds;
  /** Also those searches are made that cannot end well: for the proof that this makes no difference. */
  readonly everySearch: boolean;
  /** Pods bound so far. */
  bound: number;
  /** Groups let in, pods bound, pods told to leave. */
  decided: number;
}

interface Boards {
  readonly idle: NodeBoard;
  readonly future: NodeBoard;
  readonly bounds: Bounds;
}
/** Of the run whose setup it is: derived from views, so going back does not matter. */
const boards = new WeakMap<GroupSetup, Boards>();
const held = new Grant();

function boardsOf(view: PoolView, setup: GroupSetup, scoring: () => Scoring): Boards {
  let made = boards.get(setup);
  if (made === undefined || made.idle.sketch.cluster !== view.cluster) {
    const score = scoring();
    made = {
      idle: new NodeBoard(view, score),
      future: new NodeBoard(view, score),
      bounds: new Bounds(view.cluster),
    };
    boards.set(setup, made);
  }
  return made;
}

/** What the open nodes of the pool have. O(nodes). */
export function openTotal({ cluster, nodes, nodeState }: PoolView): number[] {
  return totalOf(cluster, nodes, (node) => nodeState[node] === NodeStateCode.open);
}

/** The shared part of a session that begins now. O(nodes). */
export function openGroupSession(
  view: PoolView,
  act: Actions,
  { setup }: GroupState,
  scoring: () => Scoring,
  everySearch: boolean,
) {
  const classes = classesOf(view.jobs, view.cluster);
  const { idle, bounds } = boardsOf(view, setup, scoring);
  idle.load(view, classes.hasParts);
  bounds.clear();
  return {
    view,
    act,
    classes,
    total: idle.total,
    idle,
    future: null as NodeBoard | null,
    aside: new Map<number, number>(),
    told: new Map<number, number>(),
    bounds,
    everySearch,
    bound: 0,
    decided: 0,
  };
}

/** Those who wait hear why, also who holds too few members to run, and jobs whose place is kept in the future go back to their lanes. O(jobs told + kept + those that want members). */
export function closeSession({ view, act, state, classes, aside, told }: GroupSession): void {
  const partBound = kubeReasonCode("partBound");
  for (const jobIdx of state.partial) if (!told.has(jobIdx)) told.set(jobIdx, partBound);
  for (const [jobIdx, reason] of told)
    if (view.waitReason(jobIdx) !== reason && stillWaits(view, jobIdx)) act.wait(jobIdx, reason);
  for (const [jobIdx, priority] of aside) {
    const queueIdx = queueOf(view, state, jobIdx);
    const lane = laneFor(state.waiting, queueIdx, priority, classes.classOfJob[jobIdx]!);
    joinLane(state.waiting, lane, view.jobs.at.submitMs, jobIdx);
  }
}

/** The future: the present and what those give back who are leaving. O(nodes that have changed + what they hold) the first time. */
export function futureOf(session: GroupSession): NodeBoard {
  if (session.future !== null) return session.future;
  const { state, setup, idle, classes } = session;
  const { future } = boards.get(setup)!;
  future.follow(idle, classes.hasParts);
  for (const jobIdx of state.ending) giveAll(session, future, jobIdx);
  for (const { jobIdx, component, node } of state.leaving)
    shiftRoom(future, node, groupAt(session, jobIdx).each[component]!, 1);
  session.future = future;
  return future;
}

/** Whether anybody is leaving, so that the future is not the present. */
export function someLeave({ ending, leaving }: GroupState): boolean {
  return ending.size + leaving.length > 0;
}

/** What a job holds becomes free on a board. */
export function giveAll({ view }: GroupSession, board: NodeBoard, jobIdx: number): void {
  held.clear();
  view.holdings(jobIdx, held);
  for (let row = 0; row < held.length; row++) {
    const node = held.node[row]!;
    board.touch(node);
    giveHolding(board.sketch, view.jobs, jobIdx, held, row);
    board.changed(node);
  }
}

/** No job of the lane is looked at again by this action; the first will be told why, unless nothing is to be said (0). */
export function closeLane({ told }: GroupSession, lane: Lane, reason: number): void {
  lane.closed = true;
  if (reason === 0) return;
  lane.reason = reason;
  told.set(lane.jobs[lane.first]!, reason);
}

/** Out of its lane until the session ends: a place in the future is kept for it. */
export function setAside({ view, state, aside, told }: GroupSession, lane: Lane): void {
  const jobIdx = lane.jobs[lane.first]!;
  leaveLane(view, state.waiting, jobIdx);
  aside.set(jobIdx, lane.priority);
  state.awaited.add(jobIdx);
  told.set(jobIdx, kubeReasonCode("nominated"));
}

export function groupAt({ classes }: GroupSession, jobIdx: number): GroupClass {
  return classes.list[classes.classOfJob[jobIdx]!]!;
}

/** Enough may be free and yet not where all of the group could use it. Devices say nothing about a group that asks for none. */
export function roomReason({ view }: GroupSession, group: GroupClass): number {
  const asked = group.leastRequest[GPU]!;
  if (asked > view.gpusFreeTotal) return WaitReasonCode.resources;
  if (membersTogether(group) > 1) return kubeReasonCode("groupShort");
  return asked === 0 ? kubeReasonCode("noNode") : WaitReasonCode.fragmentation;
}
