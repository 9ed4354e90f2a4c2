/**
 * Allocate: queue by queue (least share first, anew after each turn), job by job (priority, groups that lack their least members first, dominant share, age). A group gets its least
 * members all at once or nothing; once it is there, one pod a turn. A job that fits nowhere is passed over, and nothing is kept for it: small jobs overtake, large ones can starve.
 * A queue that holds what it deserves is not served. O(turns × (lanes + nodes)). Source: volcano-sh/volcano `pkg/scheduler/actions/allocate`, `plugins/{gang,drf,proportion}`.
 */
import { kubeReasonCode, StartReasonCode } from "../../model/reasons.ts";
import { type Amounts, addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { isReady, shortComponent } from "../../scheduling/kubernetes/podGroups/held.ts";
import { type Lane, nextLane, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { bind, keepPlace, startReason } from "../podGroups/bind.ts";
import { closeLane, groupAt, roomReason, setAside } from "../podGroups/session.ts";
import { groupOf, partialsByQueue, queueOf } from "../podGroups/state.ts";
import { findPlace } from "./hyperNodes.ts";
import { firstQueue, isOverused, queueAllows, type Session } from "./session.ts";
import { BOOKS, priorityOf } from "./state.ts";

const place = new Placing();

/** Jobs that hold members and want more, by queue. */
type Partials = number[][];

export function allocate(session: Session): void {
  const { state } = session;
  openLanes(state.waiting);
  const partials = partialsByQueue(session.view, state);
  const open = new Set(session.setup.queues.keys());
  while (open.size > 0) {
    const queueIdx = firstQueue(session, open);
    if (isOverused(session, queueIdx)) closeQueue(session, queueIdx, partials[queueIdx]!);
    else if (turn(session, queueIdx, partials)) continue;
    open.delete(queueIdx);
  }
}

/** A queue that holds what it deserves is not served: those in it are told. O(its lanes). */
function closeQueue(session: Session, queueIdx: number, partials: readonly number[]): void {
  const { list, ofQueue } = session.state.waiting;
  for (const at of ofQueue[queueIdx]!) {
    const lane = list[at]!;
    if (lane.closed || lane.first === lane.jobs.length) continue;
    const { bestEffort, leastRequest } = groupAt(session, lane.jobs[lane.first]!);
    closeLane(session, lane, bestEffort ? 0 : queueReason(session, queueIdx, leastRequest));
  }
  for (const jobIdx of partials)
    tellPartial(session, queueIdx, jobIdx, nextMember(session, jobIdx));
}

/** What one more member of a job that holds some asks for. */
function nextMember({ view, state }: Session, jobIdx: number): Amounts {
  const group = groupOf(view, jobIdx);
  const { members } = state.runs.get(jobIdx)!;
  return group.each[shortComponent(group, members, state.leaving, jobIdx)]!;
}

/** The first job of a queue has its turn; false where none is left. */
function turn(session: Session, queueIdx: number, partials: Partials): boolean {
  const { state } = session;
  const lane = nextLane(state.waiting, queueIdx);
  const partial = bestPartial(session, partials[queueIdx]!);
  if (lane === null && partial < 0) return false;
  if (lane !== null && (partial < 0 || comesFirst(session, lane, partial)))
    tryGroup(session, lane, partials);
  else if (!tryMember(session, partial) || !state.partial.has(partial))
    partials[queueIdx] = partials[queueIdx]!.filter((jobIdx) => jobIdx !== partial);
  return true;
}

/** Of those that want more: priority, groups that lack their least members, dominant share, age; −1 if there is none. */
function bestPartial(session: Session, jobs: readonly number[]): number {
  const { view, state, setup } = session;
  let best = -1;
  let bestKey: readonly number[] = [];
  for (const jobIdx of jobs) {
    const ready = isReady(groupOf(view, jobIdx), state.runs.get(jobIdx)!.members) ? 1 : 0;
    const share = setup.drf ? dominantShare(session, jobIdx) : 0;
    const key = [-priorityOf(view, state, jobIdx), ready, share];
    if (best >= 0 && !isLess(key, bestKey)) continue;
    best = jobIdx;
    bestKey = key;
  }
  return best;
}

function isLess(key: readonly number[], other: readonly number[]): boolean {
  const at = key.findIndex((value, idx) => value !== other[idx]);
  return at >= 0 && key[at]! < other[at]!;
}

/** Its largest part of the cluster, over the resources. */
function dominantShare({ view, state, total }: Session, jobIdx: number): number {
  const { each } = groupOf(view, jobIdx);
  const { members } = state.runs.get(jobIdx)!;
  return total.reduce((share, amount, at) => {
    const has = each.reduce((sum, one, component) => sum + one[at]! * members[component]!, 0);
    return amount > 0 ? Math.max(share, has / amount) : share;
  }, 0);
}

/** A group that lacks its least members goes before one that only wants more. */
function comesFirst({ view, state }: Session, lane: Lane, partial: number): boolean {
  const priority = priorityOf(view, state, partial);
  if (lane.priority !== priority) return lane.priority > priority;
  const ready = isReady(groupOf(view, partial), state.runs.get(partial)!.members);
  return ready || lane.jobs[lane.first]! < partial;
}

/** Nothing has grown since a group of this class found no place, and no victim leaves. */
function failedBefore({ state, future, everySearch }: Session, { classIdx }: Lane): boolean {
  return !everySearch && future === null && state.failedAt.get(classIdx) === state.grown;
}

function tryGroup(session: Session, lane: Lane, partials: Partials): void {
  const { state } = session;
  const jobIdx = lane.jobs[lane.first]!;
  const group = groupAt(session, jobIdx);
  // Pods that ask for nothing are left to backfill.
  if (group.bestEffort) lane.closed = true;
  else if (!queueAllows(session, lane.queueIdx, group.leastRequest))
    closeLane(session, lane, queueReason(session, lane.queueIdx, group.leastRequest));
  else if (failedBefore(session, lane)) closeLane(session, lane, roomReason(session, group));
  else if (findPlace(session, session.idle, jobIdx, group, group.least, place)) {
    start(session, lane.queueIdx, jobIdx, group, startReason(session, lane, jobIdx));
    if (state.partial.has(jobIdx)) partials[lane.queueIdx]!.push(jobIdx);
  } else if (
    session.future !== null &&
    findPlace(session, session.future, jobIdx, group, group.least, place)
  ) {
    keepPlace(session, place);
    addAmounts(session.allocated[lane.queueIdx]!, group.leastRequest);
    setAside(session, lane);
  } else {
    state.failedAt.set(lane.classIdx, state.grown);
    closeLane(session, lane, roomReason(session, group));
  }
}

/** Why a queue may not be given so much more: its own bound, where that is less than the cluster, or its part by weight. */
function queueReason(session: Session, queueIdx: number, request: Amounts): number {
  const { setup, most, allocated, total } = session;
  const can = most[queueIdx]!;
  const has = allocated[queueIdx]!;
  const isBound = request.some(
    (asked, at) =>
      asked > can[at]! || (asked > 0 && can[at]! < total[at]! && has[at]! + asked > can[at]!),
  );
  const byWeight = setup.queuePlugin === "proportion" && !isBound;
  return kubeReasonCode(byWeight ? "queueDeserved" : "queueMost");
}

/** A job that holds some members hears of its queue, unless the queue has so much of the cluster that no rule of queues matters. */
function tellPartial(session: Session, queueIdx: number, jobIdx: number, request: Amounts): void {
  const has = session.allocated[queueIdx]!;
  if (request.some((asked, at) => asked > 0 && has[at]! + asked > session.total[at]!)) return;
  session.told.set(jobIdx, queueReason(session, queueIdx, request));
}

/** The place that was found becomes real. */
function start(
  session: Session,
  queueIdx: number,
  jobIdx: number,
  group: GroupClass,
  reason: number,
): void {
  addAmounts(session.allocated[queueIdx]!, bind(session, BOOKS, jobIdx, group, place, reason));
}

/** One more pod of a job that holds some. */
function tryMember(session: Session, jobIdx: number): boolean {
  const { view, state } = session;
  const group = groupOf(view, jobIdx);
  const { members } = state.runs.get(jobIdx)!;
  const at = shortComponent(group, members, state.leaving, jobIdx);
  const queueIdx = queueOf(view, state, jobIdx);
  const request = group.each[at]!;
  if (!queueAllows(session, queueIdx, request)) {
    tellPartial(session, queueIdx, jobIdx, request);
    return false;
  }
  const wanted = group.least.map((_, idx) => (idx === at ? 1 : 0));
  if (!findPlace(session, session.idle, jobIdx, group, wanted, place)) return false;
  start(session, queueIdx, jobIdx, group, StartReasonCode.inOrder);
  return true;
}
