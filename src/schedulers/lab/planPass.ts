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
import { StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Plan } from "../../scheduling/backfill/plans.ts";
import { comparePlans, insertPlan } from "../../scheduling/backfill/plans.ts";
import type { Profile } from "../../scheduling/backfill/profile.ts";
import { earliestFit, sketchOver, takeOver } from "../../scheduling/backfill/profile.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import { BLOCK, firstJob, removeJob } from "../../scheduling/ordering/sortedJobs.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import { loadSketch } from "../../scheduling/placement/capacity.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Shapes } from "../../scheduling/placement/shapes.ts";
import { stillFits } from "../../scheduling/placement/stillFits.ts";
import { canFitNow, headReason } from "./fits.ts";
import type { News } from "./news.ts";
import { profileOfRuns, wholeShape } from "./runsProfile.ts";
import { sketchOf } from "./scratch.ts";
import { isFlat, startFlat, startOn } from "./starts.ts";
import type { LabState } from "./state.ts";

/** What a pass works with. */
interface Desk {
  view: PoolView;
  state: LabState;
  shapes: Shapes;
  act: Actions;
  flat: boolean;
  profile: Profile;
  sketch: Sketch;
}

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
  if (state.fresh || overrun || news.disturbed) state.grownUntilMs = NEVER_MS;
  else state.grownUntilMs = Math.max(state.grownUntilMs, news.grownUntilMs);
  const compress = state.fresh || overrun || news.disturbed || news.grownUntilMs > view.nowMs;
  const rebuild = compress || state.profile === null;
  if (news.disturbed) state.plans = state.plans.filter((plan) => isWaiting(view, plan.jobIdx));
  if (rebuild) state.profile = profileOfRuns(view, state.runs, flat);
  const sketch = sketchOf(view, "plan");
  loadSketch(sketch, view, false);
  const desk: Desk = { view, state, shapes, act, flat, profile: state.profile!, sketch };
  if (rebuild) putBack(desk);
  if (compress) compressPlans(desk);
  startDue(desk);
  planUnplanned(desk, news);
  tellReasons(desk, news);
  return nextStart(state.plans, view.nowMs + (overrun ? 1 : 0));
}

/** Puts the kept reservations into a new profile. One that no longer fits where it was gets the earliest time left. */
function putBack(desk: Desk): void {
  const { state, profile } = desk;
  let moved = false;
  for (const plan of state.plans) {
    if (!fitsAsPlanned(desk, plan)) {
      moved = true;
      planAnew(desk, plan);
    }
    takeOver(profile, shapeOf(desk, plan.jobIdx), plan.placing, plan.startMs, plan.endMs, 1);
    if (moved) announce(desk, plan);
  }
  if (moved) state.plans.sort(comparePlans);
}

function fitsAsPlanned(desk: Desk, plan: Plan): boolean {
  const { profile, sketch, view } = desk;
  if (plan.startMs === NEVER_MS) return true;
  if (plan.startMs < view.nowMs) return false;
  const shape = shapeOf(desk, plan.jobIdx);
  if (desk.flat) {
    const { startMs, endMs } = plan;
    return (
      earliestFit(
        profile,
        sketch,
        shape,
        endMs - startMs,
        startMs,
        startMs + 1,
        "firstFit",
        found,
      ) === startMs
    );
  }
  sketchOver(profile, sketch, plan.startMs, plan.endMs);
  return stillFits(sketch, plan.placing, shape);
}

function planAnew(desk: Desk, plan: Plan): void {
  const { view, state, profile, sketch } = desk;
  const limitMs = view.jobs.at.limitMs[plan.jobIdx]!;
  const shape = shapeOf(desk, plan.jobIdx);
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

/**
 * Only windows that begin before the profile last grew can be new to a plan; when a plan moves, the time it leaves has grown
 * for those tried before it, which the next round takes into account.
 */
function compressPlans(desk: Desk): void {
  const { view, state, profile, sketch } = desk;
  let grownUntilMs = state.grownUntilMs;
  let carriedMs = Number.NEGATIVE_INFINITY;
  for (const plan of [...state.plans]) {
    if (plan.startMs <= view.nowMs) continue;
    const shape = shapeOf(desk, plan.jobIdx);
    const limitMs = view.jobs.at.limitMs[plan.jobIdx]!;
    const beforeMs = Math.min(plan.startMs, grownUntilMs);
    takeOver(profile, shape, plan.placing, plan.startMs, plan.endMs, -1);
    const startMs = earliestFit(
      profile,
      sketch,
      shape,
      limitMs,
      view.nowMs,
      beforeMs,
      state.placement,
      found,
    );
    if (startMs < plan.startMs) {
      if (plan.startMs !== NEVER_MS) carriedMs = Math.max(carriedMs, plan.endMs);
      grownUntilMs = Math.max(grownUntilMs, carriedMs);
      plan.startMs = startMs;
      plan.endMs = startMs + limitMs;
      plan.placing.set(found);
      announce(desk, plan);
    }
    takeOver(profile, shape, plan.placing, plan.startMs, plan.endMs, 1);
  }
  state.plans.sort(comparePlans);
  state.grownUntilMs = carriedMs;
}

function startDue(desk: Desk): void {
  const { state, view } = desk;
  let due = 0;
  while (due < state.plans.length && state.plans[due]!.startMs <= view.nowMs) due++;
  for (const plan of state.plans.splice(0, due))
    start(desk, plan.jobIdx, plan.placing, StartReasonCode.reserved);
}

/** Starts a job whose time is already taken in the profile. */
function start(desk: Desk, jobIdx: number, placing: Placing, startReason: number): void {
  const { view, state, act } = desk;
  const shape = desk.shapes.list[desk.shapes.shapeOfJob[jobIdx]!]!;
  removeJob(
    state.queue,
    orderKey(state.order, view, jobIdx),
    view.jobs.at.submitMs[jobIdx]!,
    jobIdx,
  );
  if (desk.flat) startFlat(state, view, act, shape, jobIdx, startReason);
  else startOn(state, view, act, shape, jobIdx, placing, startReason);
}

/** Gives reservations to jobs without one, in queue order, up to the depth. */
function planUnplanned(desk: Desk, news: News): void {
  const { state } = desk;
  if (state.plans.length >= state.depth || state.plans.length === state.queue.length) return;
  if (state.plans.length + news.count === state.queue.length && news.count === 1) {
    planOne(desk, news.jobs[0]!);
    return;
  }
  for (const jobIdx of unplannedInOrder(state)) {
    if (state.plans.length >= state.depth) return;
    planOne(desk, jobIdx);
  }
}

function planOne(desk: Desk, jobIdx: number): void {
  const { view, state, profile, sketch } = desk;
  const shape = shapeOf(desk, jobIdx);
  const limitMs = view.jobs.at.limitMs[jobIdx]!;
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
  const plan: Plan = { jobIdx, submitMs, startMs, endMs: startMs + limitMs, placing: found.copy() };
  insertPlan(state.plans, plan);
  announce(desk, plan);
}

function unplannedInOrder(state: LabState): number[] {
  const planned = new Set(state.plans.map((plan) => plan.jobIdx));
  const jobs: number[] = [];
  const { queue } = state;
  for (let position = 0; position < queue.blockCount; position++) {
    const base = queue.order[position]! * BLOCK;
    for (let row = 0; row < queue.used[queue.order[position]!]!; row++) {
      const jobIdx = queue.jobIdx[base + row]!;
      if (!planned.has(jobIdx)) jobs.push(jobIdx);
    }
  }
  return jobs;
}

function announce(desk: Desk, plan: Plan): void {
  if (plan.startMs !== NEVER_MS) desk.act.plan(plan.jobIdx, plan.startMs);
}

/** Why they wait: newcomers, and the first block of the queue after anything but arrivals; all on the first pass. */
function tellReasons(desk: Desk, news: News): void {
  const { state, view } = desk;
  const { queue } = state;
  const planned =
    queue.length > state.plans.length ? new Set(state.plans.map((plan) => plan.jobIdx)) : null;
  const blocks = state.fresh
    ? queue.blockCount
    : news.onlyArrivals
      ? 0
      : Math.min(1, queue.blockCount);
  for (let position = 0; position < blocks; position++) {
    const base = queue.order[position]! * BLOCK;
    for (let row = 0; row < queue.used[queue.order[position]!]!; row++) {
      tellReason(desk, queue.jobIdx[base + row]!, planned);
    }
  }
  for (let i = 0; i < news.count; i++)
    if (isWaiting(view, news.jobs[i]!)) tellReason(desk, news.jobs[i]!, planned);
}

function tellReason(desk: Desk, jobIdx: number, planned: ReadonlySet<number> | null): void {
  desk.act.wait(
    jobIdx,
    planReason(desk.view, desk.state, desk.shapes, jobIdx, planned === null || planned.has(jobIdx)),
  );
}

/** Why a job waits under conservative backfill. */
export function planReason(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  jobIdx: number,
  planned: boolean,
): number {
  if (!planned) return WaitReasonCode.depth;
  if (canFitNow(view, shapes, jobIdx)) return WaitReasonCode.reservation;
  return firstJob(state.queue) === jobIdx
    ? headReason(view, shapes, jobIdx)
    : WaitReasonCode.priority;
}

function nextStart(plans: readonly Plan[], afterMs: number): number {
  for (const plan of plans) if (plan.startMs > afterMs) return plan.startMs;
  return NEVER_MS;
}

function isWaiting(view: PoolView, jobIdx: number): boolean {
  const jobState = view.jobState[jobIdx]!;
  return (
    jobState === JobStateCode.queued ||
    jobState === JobStateCode.admitted ||
    jobState === JobStateCode.placed
  );
}

function shapeOf(desk: Desk, jobIdx: number): ReturnType<typeof wholeShape> {
  return wholeShape(desk.shapes.list[desk.shapes.shapeOfJob[jobIdx]!]!);
}

function firstKey(state: LabState): number {
  return state.runs.key[state.runs.order[0]! * BLOCK]!;
}
