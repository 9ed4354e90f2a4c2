/**
 * One pass with conservative backfill: every waiting job up to the depth has a reservation, at a time and on named nodes, and
 * a job starts when its reservation is due, which may be at once.
 *
 * Reservations are kept between passes. When a job ends early, or a waiting one leaves, they are compressed in order of planned
 * start: each is taken out and put in again at the earliest time that all the others allow, so none moves later while limits are
 * upper bounds. Jobs without a reservation get one in queue order. A run past its limit counts as ending in the next millisecond,
 * and reservations that it stands in the way of are moved.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Plan } from "../../scheduling/backfill/plans.ts";
import { comparePlans, insertPlan } from "../../scheduling/backfill/plans.ts";
import {
  earliestFit,
  earliestFlat,
  giveEarly,
  giveEarlyTotal,
  holdPlacing,
  sketchOver,
  takeOver,
} from "../../scheduling/backfill/profile.ts";
import { forgetBefore } from "../../scheduling/backfill/steps.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import { BLOCK, firstJob, removeJob } from "../../scheduling/ordering/sortedJobs.ts";
import { loadSketch } from "../../scheduling/placement/capacity.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Shapes } from "../../scheduling/placement/shapes.ts";
import { stillFits } from "../../scheduling/placement/stillFits.ts";
import { compressPlans } from "./compressPlans.ts";
import type { News } from "./news.ts";
import type { PlanDesk } from "./planDesk.ts";
import { announce, announceNext, plannedShape } from "./planDesk.ts";
import { tellReasons } from "./planReasons.ts";
import { profileOfRuns } from "./runsProfile.ts";
import { sketchOf } from "./scratch.ts";
import { isFlat, startFlat, startOn } from "./starts.ts";
import type { LabState } from "./state.ts";
import { isWaiting } from "./state.ts";

const found = new Placing();

/** Returns when the next reservation is due. */
export function passPlans(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  act: Actions,
): number {
  const flat = isFlat(view, shapes);
  const overrun = state.runs.length > 0 && firstKey(state) <= view.nowMs;
  const unforeseen = state.fresh || overrun || news.disturbed;
  // Parts of devices that jobs share become whole when the last of them ends: that is left to a new profile.
  if (unforeseen || (shapes.hasParts && news.grownUntilMs > view.nowMs)) state.profile = null;
  takeReleased(view, state, shapes, news, flat);
  if (unforeseen) state.grownUntilMs.fill(NEVER_MS);
  if (news.disturbed) {
    state.plans = state.plans.filter((plan) => isWaiting(view, plan.jobIdx));
    state.planned = new Set(state.plans.map((plan) => plan.jobIdx));
  }
  const rebuild = state.profile === null;
  const profile = state.profile ?? profileOfRuns(view, state.runs, flat, shapes.plainOnly);
  state.profile = profile;
  forgetBefore(profile.total, view.nowMs);
  const sketch = sketchOf(view, "plan");
  loadSketch(sketch, view, false);
  const desk: PlanDesk = { view, state, shapes, act, flat, profile, sketch };
  if (rebuild) putBack(desk);
  if (unforeseen || news.grownUntilMs > view.nowMs) compressPlans(desk);
  startDue(desk);
  const lastPlanned = planUnplanned(desk, news);
  announceNext(desk);
  tellReasons(desk, news, lastPlanned);
  return nextStart(state.plans, view.nowMs + (overrun ? 1 : 0));
}

/** Runs that ended: where one did before its estimate, more is free from now until then. */
function takeReleased(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  flat: boolean,
): void {
  const { nowMs } = view;
  for (let i = 0; i < news.released.length; i++) {
    const jobIdx = news.released.at[i]!;
    const endMs = view.limitEndMs[jobIdx]!;
    const held = state.profile?.held.get(jobIdx);
    state.profile?.held.delete(jobIdx);
    if (endMs <= nowMs) continue;
    if (flat) {
      noteGrown(state, view.nodes[0]!, endMs);
      const { gpusWhole } = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
      if (state.profile !== null) giveEarlyTotal(state.profile, gpusWhole, nowMs, endMs);
    } else if (state.profile === null || held === undefined || held.endMs !== endMs) {
      // Nobody knows any more where it ran.
      state.profile = null;
      for (let n = 0; n < view.nodes.length; n++) noteGrown(state, view.nodes[n]!, endMs);
    } else {
      giveEarly(state.profile, held, nowMs);
      for (const node of held.node) noteGrown(state, node, endMs);
    }
  }
}

function noteGrown({ grownUntilMs }: LabState, node: number, untilMs: number): void {
  if (untilMs > grownUntilMs[node]!) grownUntilMs[node] = untilMs;
}

/** Puts the kept reservations into a new profile. One that no longer fits where it was gets the earliest time left. */
function putBack(desk: PlanDesk): void {
  const { state, profile } = desk;
  let moved = false;
  for (const plan of state.plans) {
    if (!fitsAsPlanned(desk, plan)) {
      moved = true;
      planAnew(desk, plan);
    }
    takeOver(profile, plannedShape(desk, plan.jobIdx), plan.placing, plan.startMs, plan.endMs, 1);
    if (moved) announce(desk, plan);
  }
  if (moved) state.plans.sort(comparePlans);
}

function fitsAsPlanned(desk: PlanDesk, plan: Plan): boolean {
  const { profile, sketch, view } = desk;
  if (plan.startMs === NEVER_MS) return true;
  if (plan.startMs < view.nowMs) return false;
  const shape = plannedShape(desk, plan.jobIdx);
  if (desk.flat) {
    const { startMs, endMs } = plan;
    const { total } = profile;
    const limitMs = endMs - startMs;
    return (
      earliestFlat(total, shape.gpusWhole, limitMs, startMs, startMs + 1, NEVER_MS) === startMs
    );
  }
  sketchOver(profile, sketch, plan.startMs, plan.endMs);
  return stillFits(sketch, plan.placing, shape);
}

function planAnew(desk: PlanDesk, plan: Plan): void {
  const { view, state, profile, sketch } = desk;
  const limitMs = view.limitMs(plan.jobIdx);
  const shape = plannedShape(desk, plan.jobIdx);
  const { nowMs } = view;
  plan.startMs = earliestFit(
    profile,
    sketch,
    shape,
    limitMs,
    nowMs,
    NEVER_MS,
    state.placement,
    found,
  );
  plan.endMs = plan.startMs + limitMs;
  plan.placing.set(found);
}

function startDue(desk: PlanDesk): void {
  const { state, view } = desk;
  let due = 0;
  while (due < state.plans.length && state.plans[due]!.startMs <= view.nowMs) due++;
  for (const plan of state.plans.splice(0, due)) {
    state.planned.delete(plan.jobIdx);
    start(desk, plan.jobIdx, plan.placing, StartReasonCode.reserved);
  }
}

/** Starts a job whose time is already taken in the profile. */
function start(desk: PlanDesk, jobIdx: number, placing: Placing, startReason: number): void {
  const { view, state, act } = desk;
  const shape = desk.shapes.list[desk.shapes.shapeOfJob[jobIdx]!]!;
  const endMs = view.nowMs + view.limitMs(jobIdx);
  removeJob(
    state.queue,
    orderKey(state.order, view, jobIdx),
    view.jobs.at.submitMs[jobIdx]!,
    jobIdx,
  );
  if (desk.flat) startFlat(state, view, act, shape, jobIdx, startReason);
  else {
    startOn(state, view, act, shape, jobIdx, placing, startReason);
    holdPlacing(desk.profile, jobIdx, plannedShape(desk, jobIdx), placing, view.nowMs, endMs);
  }
  // A run that is counted on for another time than planned: the next pass starts from what runs.
  if (view.limitEndMs[jobIdx] !== endMs) state.profile = null;
}

/**
 * Gives reservations to jobs without one, in queue order, up to the depth; returns those that are no newcomers. The queue is
 * read only as far as the depth has room: what waits behind it costs nothing.
 */
function planUnplanned(desk: PlanDesk, news: News): number[] {
  const { state } = desk;
  if (state.plans.length >= state.depth || state.plans.length === state.queue.length) return [];
  if (state.plans.length + news.count === state.queue.length && news.count === 1) {
    planOne(desk, news.jobs[0]!);
    return [];
  }
  const planned: number[] = [];
  while (state.plans.length < state.depth && state.plans.length < state.queue.length) {
    for (const jobIdx of firstUnplanned(state, state.depth - state.plans.length)) {
      planOne(desk, jobIdx);
      planned.push(jobIdx);
    }
  }
  return planned;
}

function planOne(desk: PlanDesk, jobIdx: number): void {
  const { view, state, profile, sketch } = desk;
  const shape = plannedShape(desk, jobIdx);
  const limitMs = view.limitMs(jobIdx);
  const startMs = earliestFit(
    profile,
    sketch,
    shape,
    limitMs,
    view.nowMs,
    NEVER_MS,
    state.placement,
    found,
  );
  takeOver(profile, shape, found, startMs, startMs + limitMs, 1);
  if (startMs <= view.nowMs) {
    const first = firstJob(state.queue) === jobIdx;
    start(desk, jobIdx, found, first ? StartReasonCode.inOrder : StartReasonCode.backfilled);
    return;
  }
  const submitMs = view.jobs.at.submitMs[jobIdx]!;
  const endMs = startMs + limitMs;
  const placing = found.copy();
  const plan: Plan = { jobIdx, submitMs, startMs, endMs, toldMs: NEVER_MS, placing };
  insertPlan(state.plans, plan);
  state.planned.add(jobIdx);
  announce(desk, plan);
}

/** At most `most` jobs without a reservation, in queue order. O(the planned before them + most). */
function firstUnplanned({ queue, planned }: LabState, most: number): number[] {
  const jobs: number[] = [];
  for (let position = 0; position < queue.blockCount; position++) {
    const base = queue.order[position]! * BLOCK;
    for (let row = 0; row < queue.used[queue.order[position]!]!; row++) {
      const jobIdx = queue.jobIdx[base + row]!;
      if (planned.has(jobIdx)) continue;
      jobs.push(jobIdx);
      if (jobs.length === most) return jobs;
    }
  }
  return jobs;
}

function nextStart(plans: readonly Plan[], afterMs: number): number {
  for (const plan of plans) if (plan.startMs > afterMs) return plan.startMs;
  return NEVER_MS;
}

function firstKey(state: LabState): number {
  return state.runs.key[state.runs.order[0]! * BLOCK]!;
}
