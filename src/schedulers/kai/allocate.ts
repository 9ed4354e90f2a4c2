/**
 * Allocate: turn by turn, a job gets its least members all at once, or one more where it has these. Room that is free goes to whoever comes first, above the fair share as well; only
 * limits hold a queue back, and quota holds work that is never a victim. A job that fits nowhere is passed over, and nothing is kept for it. O(turns × (queues × lanes + nodes)).
 * Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/actions/allocate`.
 */
import { StartReasonCode } from "../../model/reasons.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { bind, keepPlace, startReason } from "../podGroups/bind.ts";
import { closeLane, groupAt, roomReason, setAside } from "../podGroups/session.ts";
import { mayJoin, queueOf } from "../podGroups/state.ts";
import { findPlace } from "./place.ts";
import { chargeUp, queueRefuses, type Session } from "./session.ts";
import { FIXED_FROM, priorityOf } from "./setup.ts";
import { BOOKS } from "./state.ts";
import {
  laneTurn,
  memberTurn,
  nextComponent,
  nextTurn,
  openPartials,
  openTurns,
  type Turn,
  turnTaken,
} from "./turns.ts";

const place = new Placing();

export function allocate(session: Session): void {
  const { state } = session;
  openLanes(state.waiting);
  placeRoomMadeFor(session);
  const partials = openPartials(session);
  const turns = openTurns(session, partials);
  for (;;) {
    const turn = nextTurn(session, turns);
    if (turn === null) return;
    const { queueIdx, jobIdx } = turn;
    turnTaken(session, turns, queueIdx);
    const placed = turn.lane === null ? tryMember(session, turn) : tryGroup(session, turn);
    const list = partials[queueIdx]!;
    const wantsMore = placed && state.partial.has(jobIdx) && nextComponent(session, jobIdx) >= 0;
    if (turn.lane === null && !wantsMore)
      partials[queueIdx] = list.filter((other) => other !== jobIdx);
    else if (turn.lane !== null && wantsMore) list.push(jobIdx);
  }
}

/** Those for whom others had to leave take their places before these come back; who does not fit after all waits like anybody. */
function placeRoomMadeFor(session: Session): void {
  const { state } = session;
  const inOrder = [...state.roomMadeFor].sort(([one], [other]) => one - other);
  for (const [jobIdx, turns] of inOrder) {
    if (state.runs.has(jobIdx)) {
      placeMembersRoomMadeFor(session, jobIdx, turns);
      continue;
    }
    const lane = laneOfJob(state.waiting, jobIdx);
    const isHead = lane !== null && !lane.closed && lane.jobs[lane.first] === jobIdx;
    if (isHead) tryGroup(session, laneTurn(session, lane));
    if (!session.aside.has(jobIdx)) state.roomMadeFor.delete(jobIdx);
  }
}

/** As many members as room was made for; those that have to wait until it is free keep their claim. */
function placeMembersRoomMadeFor(session: Session, jobIdx: number, turns: number): void {
  const { view, state } = session;
  if (!mayJoin(view, jobIdx)) return;
  const queueIdx = queueOf(view, state, jobIdx);
  let waits = 0;
  for (let done = 0; done < turns && nextComponent(session, jobIdx) >= 0; done++) {
    const { bound } = session;
    if (!tryMember(session, memberTurn(session, queueIdx, jobIdx))) break;
    if (session.bound === bound) waits++;
  }
  if (waits > 0) state.roomMadeFor.set(jobIdx, waits);
  else state.roomMadeFor.delete(jobIdx);
}

function tryGroup(session: Session, turn: Turn): boolean {
  const { lane, jobIdx, queueIdx } = turn;
  const { state } = session;
  const { classIdx, priority } = lane!;
  const group = groupAt(session, jobIdx);
  const refused = queueRefuses(session, queueIdx, group.leastRequest, priority);
  if (refused > 0) closeLane(session, lane!, refused);
  else if (
    (session.everySearch || state.failedAt.get(classIdx) !== state.grown) &&
    findPlace(session, session.idle, jobIdx, group, group.least, place)
  ) {
    start(session, turn, group, startReason(session, lane!, jobIdx));
    return true;
  } else if (fitsFuture(session, turn, classIdx)) pipeline(session, turn, place);
  else {
    // Places kept for others in this session may be nobody's in the next.
    if (session.aside.size === 0) state.failedAt.set(classIdx, state.grown);
    closeLane(session, lane!, roomReason(session, group));
  }
  return false;
}

/** What found no place in the future of this session finds none later in it. */
function fitsFuture(session: Session, { jobIdx, wanted }: Turn, classIdx: number): boolean {
  const { future, futureFailed } = session;
  if (future === null || futureFailed.has(classIdx)) return false;
  if (findPlace(session, future, jobIdx, groupAt(session, jobIdx), wanted, place)) return true;
  futureFailed.add(classIdx);
  return false;
}

/** The place that was found becomes real. */
function start(
  session: Session,
  { jobIdx, queueIdx }: Turn,
  group: GroupClass,
  reason: number,
): void {
  const amounts = bind(session, BOOKS, jobIdx, group, place, reason);
  const isFixed = priorityOf(session.view, session.setup, jobIdx) >= FIXED_FROM;
  chargeUp(session, queueIdx, amounts, 1, isFixed);
}

/** Keeps a place that is not free yet from the others of this session. */
export function pipeline(session: Session, turn: Turn, placing: Placing): void {
  const { view, setup, promised } = session;
  const { jobIdx, queueIdx, lane, request, wanted } = turn;
  keepPlace(session, placing);
  const isFixed = priorityOf(view, setup, jobIdx) >= FIXED_FROM;
  chargeUp(session, queueIdx, request, 1, isFixed);
  if (lane !== null) setAside(session, lane);
  else {
    const before = promised.get(jobIdx) ?? wanted.map(() => 0);
    promised.set(
      jobIdx,
      before.map((count, at) => count + wanted[at]!),
    );
  }
}

/** One more member of a job that holds some. */
function tryMember(session: Session, turn: Turn): boolean {
  const { state, idle, future } = session;
  const { jobIdx, queueIdx, request, wanted } = turn;
  const group = groupAt(session, jobIdx);
  const { priority } = state.runs.get(jobIdx)!;
  const refused = queueRefuses(session, queueIdx, request, priority);
  if (refused > 0) {
    session.told.set(jobIdx, refused);
    return false;
  }
  if (findPlace(session, idle, jobIdx, group, wanted, place))
    start(session, turn, group, StartReasonCode.inOrder);
  else if (future !== null && findPlace(session, future, jobIdx, group, wanted, place))
    pipeline(session, turn, place);
  else return false;
  return true;
}
