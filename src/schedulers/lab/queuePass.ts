/**
 * One pass without backfill or with EASY.
 *
 * Without: jobs start from the head of the queue while they fit; nobody overtakes. EASY: then the blocked head gets a
 * reservation, and the others are gone through once in queue order: a job starts if it fits now and either ends by the head's
 * shadow time or uses only what the head leaves. On nodes "what it leaves" is counted node by node.
 *
 * Exact shortcuts: after arrivals behind a blocked head only the newcomers are tested (the others have failed, and nothing
 * that they depend on has grown); whole blocks of the queue whose least need or least limit rules them out are skipped;
 * a shape that found no place is not tried again in the same pass.
 *
 * A job behind the head is told once, when it joins, that it waits for its turn; later only that it would delay the head,
 * when a pass really looked at it while it fitted. That it does not fit any more is no news.
 */
import { assert } from "../../base/assert.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Reservation } from "../../scheduling/backfill/shadow.ts";
import { reserveFlat, reserveNodes } from "../../scheduling/backfill/shadow.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import type { SortedJobs } from "../../scheduling/ordering/sortedJobs.ts";
import { BLOCK, firstJob, removeJob, removeRow } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { stillFits } from "../../scheduling/placement/stillFits.ts";
import { Candidates } from "./candidates.ts";
import { headReason } from "./fits.ts";
import { completeParts, placeLoose, placeLooseNewcomers } from "./loose.ts";
import type { News } from "./news.ts";
import { sketchOf } from "./scratch.ts";
import { findPlace, isFlat, place, startFlat, startOn, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";
import { isBefore, isLoose, noteRemoved } from "./state.ts";

const candidates = new Candidates();

/**
 * One pass: from the head while jobs fit, then, with EASY, once through those behind it. With nothing but newcomers behind a blocked head it looks
 * at these alone. Cost: `docs/policies/fcfs.md`, `docs/policies/easy.md`.
 */
export function passQueue(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  act: Actions,
): void {
  const flat = isFlat(view, shapes);
  if (canTestNewcomersOnly(view, state, shapes, news)) {
    testNewcomers(view, state, shapes, news, act, flat);
    return;
  }
  const headBefore = state.headJobIdx;
  const head = startFromHead(view, state, shapes, news, act, flat);
  state.headJobIdx = head;
  state.reservation.jobIdx = state.reservation.jobIdx === head ? head : -1;
  if (head < 0) return;
  completeParts(view, state, shapes, head, act);
  if (headBefore >= 0 && headBefore !== head && isQueued(view, headBefore)) {
    act.wait(headBefore, WaitReasonCode.priority);
  }
  if (state.backfill === "none") {
    // Jobs that take members one by one may stand before a head, and behind another that comes in front of it.
    const mayBeNew = headBefore < 0 || isBefore(state, view, head, headBefore);
    if (state.fresh || (state.looseCount > 0 && mayBeNew)) tellBehind(state, view, head, act);
    else for (let i = 0; i < news.count; i++) tellNewcomer(view, state, head, news.jobs[i]!, act);
    return;
  }
  reserve(view, state, shapes, head, flat);
  if (state.reservation.startMs !== NEVER_MS) act.plan(head, state.reservation.startMs);
  candidates.begin(view, state, shapes, act, flat);
  scan(view, state, shapes, head);
  for (let i = 0; i < news.count; i++) {
    const jobIdx = news.jobs[i]!;
    if (jobIdx === head || !isQueued(view, jobIdx)) continue;
    if (state.looseCount > 0 && isBefore(state, view, jobIdx, head)) continue;
    assert(!candidates.canStart(jobIdx), "the scan missed a job that may start");
    act.wait(jobIdx, candidates.reason);
  }
}

/**
 * Nothing but arrivals, all of them behind the head or such as block nobody, and the head's shadow time has not passed. With EASY, a head and
 * jobs that hold only some members, the head's reservation is made anew in each pass, so all are tried.
 */
function canTestNewcomersOnly(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
): boolean {
  const { headJobIdx: head } = state;
  // A job let past by its run time delays the head by its limit: the next shadow time is later, and others may pass too.
  if (!news.onlyArrivals || state.judgedByRunTime) return false;
  if (state.looseCount === 0) {
    if (head < 0 || firstJob(state.queue) !== head) return false;
  } else {
    if (head >= 0 && state.backfill !== "none") return false;
    for (let i = 0; i < news.count; i++) {
      const jobIdx = news.jobs[i]!;
      if (head >= 0 && !isBefore(state, view, jobIdx, head)) continue;
      if (!isLoose(state, view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx)) return false;
    }
  }
  return head < 0 || state.backfill === "none" || state.reservation.startMs > view.nowMs;
}

function testNewcomers(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  act: Actions,
  flat: boolean,
): void {
  const { headJobIdx: head } = state;
  if (news.count > 1) sortByQueue(view, state, news);
  let behind = 0;
  if (state.looseCount > 0) {
    const loose: number[] = [];
    for (; behind < news.count; behind++) {
      const jobIdx = news.jobs[behind]!;
      if (head >= 0 && !isBefore(state, view, jobIdx, head)) break;
      loose.push(jobIdx);
    }
    placeLooseNewcomers(view, state, shapes, loose, act);
  }
  candidates.begin(view, state, shapes, act, flat);
  for (; behind < news.count; behind++) testNewcomer(view, state, shapes, news.jobs[behind]!, act);
}

function testNewcomer(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  jobIdx: number,
  act: Actions,
): void {
  if (state.backfill === "none") {
    act.wait(jobIdx, WaitReasonCode.priority);
    return;
  }
  if (!candidates.tryStart(jobIdx)) {
    act.wait(jobIdx, candidates.reason);
    return;
  }
  removeJob(
    state.queue,
    orderKey(state.order, view, jobIdx),
    view.jobs.at.submitMs[jobIdx]!,
    jobIdx,
  );
  noteRemoved(state, view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx);
}

function sortByQueue(view: PoolView, state: LabState, news: News): void {
  const jobs = news.jobs;
  for (let i = 1; i < news.count; i++) {
    const jobIdx = jobs[i]!;
    let at = i;
    for (; at > 0 && isBefore(state, view, jobIdx, jobs[at - 1]!); at--) jobs[at] = jobs[at - 1]!;
    jobs[at] = jobIdx;
  }
}

/** Starts jobs in order until one does not fit; returns that job, or −1. Jobs that take members one by one block nobody. */
function startFromHead(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  act: Actions,
  flat: boolean,
): number {
  const { queue } = state;
  if (state.looseCount > 0) return placeLoose(view, state, shapes, news, act);
  while (queue.length > 0) {
    const at = queue.order[0]! * BLOCK;
    const jobIdx = queue.jobIdx[at]!;
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    const fits =
      queue.need[at]! <= view.gpusFreeTotal || view.jobState[jobIdx] === JobStateCode.placed;
    if (flat && fits && view.jobState[jobIdx] !== JobStateCode.placed) {
      startFlat(state, view, act, shape, jobIdx, StartReasonCode.inOrder);
    } else if (fits && findPlace(state, view, shape, stillWanted(view, shape, jobIdx))) {
      startOn(state, view, act, shape, jobIdx, place, StartReasonCode.inOrder);
    } else if (fits && keptPlaceIsFree(view, state, shape, jobIdx)) {
      startOn(state, view, act, shape, jobIdx, state.reservation.placing, StartReasonCode.inOrder);
    } else {
      act.wait(jobIdx, headReason(view, shapes, jobIdx));
      return jobIdx;
    }
    removeRow(queue, 0, 0);
    noteRemoved(state, view, shape, jobIdx);
  }
  return -1;
}

/** Several parts are placed one after the other, which may miss the place that the job's reservation names. */
function keptPlaceIsFree(view: PoolView, state: LabState, shape: Shape, jobIdx: number): boolean {
  const { reservation } = state;
  if (shape.parts.length < 2 || reservation.jobIdx !== jobIdx) return false;
  return (
    view.jobState[jobIdx] !== JobStateCode.placed && stillFits(view, reservation.placing, shape)
  );
}

function reserve(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  head: number,
  flat: boolean,
): void {
  const shape = shapes.list[shapes.shapeOfJob[head]!]!;
  const { reservation, runs } = state;
  const isKept = state.staleReservation && reservation.jobIdx === head;
  if (isKept && reservation.startMs !== NEVER_MS) return;
  if (flat) reserveFlat(reservation, head, shape.gpusWhole, view, runs);
  else
    reserveNodes(
      reservation,
      head,
      shape,
      state.placement,
      view,
      runs,
      shapes.hasParts,
      sketchOf(view, "shadow"),
    );
  if (!state.extra) leaveNothing(reservation);
}

/** Nothing of what the head leaves may be used: only jobs that end in time pass it. */
function leaveNothing(reservation: Reservation): void {
  reservation.gpusLeftTotal = 0;
  reservation.gpusFree.fill(0);
}

/**
 * Goes once through the jobs behind the head. All of the first block are looked at, of the others only those whose need and
 * limit alone do not rule them out. O((started + 1) × 64 + blocks).
 */
function scan(view: PoolView, state: LabState, shapes: Shapes, head: number): void {
  const { queue } = state;
  const tellAll = state.fresh;
  const stopWhenFull = !tellAll && !shapes.zeroNeeds;
  // Before the head stand only jobs that take members one by one; they have had their turn.
  let behind = false;
  let position = 0;
  let row = 0;
  while (position < queue.blockCount) {
    if (stopWhenFull && view.gpusFreeTotal === 0) return;
    const block = queue.order[position]!;
    const choosy = position > 0 && behind && !tellAll;
    if (choosy && row === 0 && !candidates.mayStartFrom(queue, block)) {
      position++;
      continue;
    }
    if (choosy) row = nextCandidate(queue, block, row);
    if (row < queue.used[block]!) {
      const jobIdx = queue.jobIdx[block * BLOCK + row]!;
      if (behind && candidates.tryStart(jobIdx)) {
        removeRow(queue, position, row);
        noteRemoved(state, view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx);
      } else {
        if (behind && (tellAll || candidates.reason === WaitReasonCode.reservation)) {
          candidates.act.wait(jobIdx, candidates.reason);
        }
        behind ||= jobIdx === head;
        row++;
      }
    }
    if (position < queue.blockCount && row >= queue.used[queue.order[position]!]!) {
      position++;
      row = 0;
    }
  }
}

/** The first row of a block from `row` on that may start by its need and limit; the number of its rows if there is none. */
function nextCandidate(queue: SortedJobs, block: number, row: number): number {
  const used = queue.used[block]!;
  let at = block * BLOCK + row;
  while (at < block * BLOCK + used && !candidates.mayStart(queue.need[at]!, queue.limitMs[at]!))
    at++;
  return at - block * BLOCK;
}

function tellNewcomer(
  view: PoolView,
  state: LabState,
  head: number,
  jobIdx: number,
  act: Actions,
): void {
  if (!isBefore(state, view, head, jobIdx) || !isQueued(view, jobIdx)) return;
  act.wait(jobIdx, WaitReasonCode.priority);
}

/** First pass without backfill: everybody behind the head waits for it. O(waiting). */
function tellBehind(state: LabState, view: PoolView, head: number, act: Actions): void {
  const { queue } = state;
  for (let position = 0; position < queue.blockCount; position++) {
    const base = queue.order[position]! * BLOCK;
    const used = queue.used[queue.order[position]!]!;
    for (let row = 0; row < used; row++) {
      const jobIdx = queue.jobIdx[base + row]!;
      if (jobIdx !== head && isQueued(view, jobIdx)) act.wait(jobIdx, WaitReasonCode.priority);
    }
  }
}

function isQueued(view: PoolView, jobIdx: number): boolean {
  const jobState = view.jobState[jobIdx]!;
  return jobState === JobStateCode.queued || jobState === JobStateCode.admitted;
}
