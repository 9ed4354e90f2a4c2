/**
 * Allocate: turn by turn, a job gets its least members all at once, or one more where it has these. Room that is free goes to whoever comes first, above the fair share as well; only
 * limits hold a queue back, and quota holds work that is never a victim. A job that fits nowhere is passed over, and nothing is kept for it. O(turns × (queues × lanes + nodes)).
 * Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/actions/allocate`.
 */
import { assert } from "../../base/assert.ts";
import { Grant } from "../../engine/grant.ts";
import { kubeReasonCode, StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { addAmounts, GPU, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { lessenOn, takePlacing } from "../../scheduling/placement/capacity.ts";
import { grantPlacing } from "../../scheduling/placement/grantPlacing.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { findPlace } from "./place.ts";
import { chargeUp, closeLane, groupAt, queueRefuses, type Session, setAside } from "./session.ts";
import { FIXED_FROM, priorityOf } from "./setup.ts";
import { leave, queueOf, takeStock } from "./state.ts";
import { memberTurn, nextComponent, nextTurn, partialsByQueue, type Turn } from "./turns.ts";

const place = new Placing();
const grant = new Grant();

export function allocate(session: Session): void {
  const { state } = session;
  openLanes(state.waiting);
  placeRoomMadeFor(session);
  const partials = partialsByQueue(session);
  for (;;) {
    const turn = nextTurn(session, partials);
    if (turn === null) return;
    const { queueIdx, jobIdx } = turn;
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
  const { view, state } = session;
  const inOrder = [...state.roomMadeFor].sort(([one], [other]) => one - other);
  for (const [jobIdx, turns] of inOrder) {
    if (state.runs.has(jobIdx)) {
      placeMembersRoomMadeFor(session, jobIdx, turns);
      continue;
    }
    const lane = laneOfJob(state.waiting, jobIdx);
    const isHead = lane !== null && !lane.closed && lane.jobs[lane.first] === jobIdx;
    const { least, leastRequest } = groupAt(session, jobIdx);
    const queueIdx = queueOf(view, state, jobIdx);
    if (isHead) tryGroup(session, { queueIdx, lane, jobIdx, request: leastRequest, wanted: least });
    if (!session.aside.includes(jobIdx)) state.roomMadeFor.delete(jobIdx);
  }
}

/** As many members as room was made for; those that have to wait until it is free keep their claim. */
function placeMembersRoomMadeFor(session: Session, jobIdx: number, turns: number): void {
  const { view, state } = session;
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
    state.failedAt.get(classIdx) !== state.grown &&
    findPlace(session, session.idle, jobIdx, group, group.least, place)
  ) {
    const skipped = state.waiting.list.some((other) => other.closed && other.priority >= priority);
    const reason = state.awaited.has(jobIdx) ? "preempting" : skipped ? "skipped" : "inOrder";
    bind(session, jobIdx, group, StartReasonCode[reason]);
    return true;
  } else if (fitsFuture(session, turn, classIdx)) pipeline(session, turn, place);
  else {
    state.failedAt.set(classIdx, state.grown);
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

/** Enough may be free and yet not where all of the group could use it. */
function roomReason({ view }: Session, group: GroupClass): number {
  const asked = group.leastRequest[GPU]!;
  if (asked === 0 || view.gpusFreeTotal < asked) return WaitReasonCode.resources;
  return group.leastMembers > 1 ? kubeReasonCode("groupShort") : WaitReasonCode.fragmentation;
}

/** The place that was found becomes real; what is bound later starts later. */
function bind(session: Session, jobIdx: number, group: GroupClass, reason: number): void {
  const { view, state, act, setup, idle, future } = session;
  assert(grantPlacing(view, group.shape, place, grant), "a place was found that is not free");
  if (!state.runs.has(jobIdx)) leave(view, state, jobIdx);
  session.decided++;
  const perSecond = setup.bindsPerSecond;
  const bindsMs = perSecond > 0 ? Math.floor((session.bound * 1_000) / perSecond) : 0;
  const amounts = noAmounts();
  for (let row = 0; row < place.length; row++) {
    session.bound += place.members[row]!;
    addAmounts(amounts, group.each[place.part[row]!]!, place.members[row]!);
  }
  act.place(jobIdx, grant, reason, bindsMs + setup.podStartMs);
  takeStock(view, state, jobIdx);
  const isFixed = priorityOf(view, setup, jobIdx) >= FIXED_FROM;
  chargeUp(session, queueOf(view, state, jobIdx), amounts, 1, isFixed);
  if (future === null) {
    for (let row = 0; row < place.length; row++) idle.refresh(view, place.node[row]!);
    return;
  }
  // What is free now is free in the future too.
  takePlacing(future.sketch, place, group.shape.parts);
  for (let row = 0; row < place.length; row++) future.changed(place.node[row]!);
}

/** Keeps a place that is not free yet from the others of this session. */
export function pipeline(session: Session, turn: Turn, placing: Placing): void {
  const { idle, future, view, setup, promised } = session;
  const { jobIdx, queueIdx, lane, request, wanted } = turn;
  lessenOn(idle.sketch, idle.sketch, future!.sketch, placing);
  for (let row = 0; row < placing.length; row++) idle.changed(placing.node[row]!);
  const isFixed = priorityOf(view, setup, jobIdx) >= FIXED_FROM;
  chargeUp(session, queueIdx, request, 1, isFixed);
  if (lane !== null) setAside(session, jobIdx);
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
  if (queueRefuses(session, queueIdx, request, priority) > 0) return false;
  if (findPlace(session, idle, jobIdx, group, wanted, place))
    bind(session, jobIdx, group, StartReasonCode.inOrder);
  else if (future !== null && findPlace(session, future, jobIdx, group, wanted, place))
    pipeline(session, turn, place);
  else return false;
  return true;
}
