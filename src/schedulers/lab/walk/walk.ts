/**
 * The walk: the lab's scheduler for everything that the plain passes do not serve. Each pass takes in the news, lets steps and gates act first, goes
 * through the queue once (`pass.ts`), and lets the steps act again. It wakes where one of its parts changes its mind by itself, where room that
 * is kept for a job expires, and at multiples of the interval of passes if there is one.
 */
import type { Happened, PoolView, Scheduler } from "../../../engine/view.ts";
import { WaitReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { BLOCK } from "../../../scheduling/ordering/sortedJobs.ts";
import { nodeRulesOf } from "../../../scheduling/placement/nodeRules.ts";
import { shapesOf } from "../../../scheduling/placement/shapes.ts";
import { canEverFit } from "../fits.ts";
import { CLOSURES } from "./closures/closures.ts";
import { keptWindows } from "./closures/windowClosures.ts";
import { settleCuts } from "./cuts.ts";
import { explainWalk, walkCandidates, walkFacts } from "./explainWalk.ts";
import { GATES } from "./gates/gates.ts";
import { forgetRuns } from "./keep/keepRuns.ts";
import { failLoose, isLoose, looseWakeMs } from "./looseTurns.ts";
import { newcomersSuffice } from "./newcomers.ts";
import { openAll } from "./parked.ts";
import type { IsBefore } from "./parts.ts";
import { type Desk, goThrough, testNewcomers, verdictOf } from "./pass.ts";
import {
  copyWalk,
  createWalk,
  followRun,
  orderOf,
  type PartInUse,
  partsOf,
  type WalkState,
} from "./state.ts";
import { STEPS } from "./steps/steps.ts";
import { ToldActions } from "./told.ts";

const told = new ToldActions();

export const walk: Scheduler<WalkState> = {
  init: createWalk,

  decide(view, happened, state, act) {
    const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(state.pool.settings));
    const desk: Desk = {
      view,
      state,
      order: orderOf(state),
      shapes,
      act: told.begin(act, view, state),
      newcomers: state.newcomers,
      headBefore: state.headJobIdx,
      begun: false,
      corrected: false,
      calm: state.inVain,
      ahead: false,
    };
    if (state.fresh) takeOver(desk);
    takeNews(desk, happened);
    if (isDue(state, view)) {
      const late = state.putOff;
      state.putOff = false;
      state.inVain = false;
      desk.corrected = correctRuns(state, view);
      if (state.nominated.length > 0)
        state.nominated = state.nominated.filter((job) => job.untilMs > view.nowMs);
      const { released, moved } = desk.act;
      before(desk);
      const still = desk.act.released === released && desk.act.moved === moved;
      const harmless = !happened.timer || view.nowMs === state.stepWakeMs;
      const arrivals = !late && still && harmless && onlyArrivals(happened);
      if (arrivals && newcomersSuffice(desk)) testNewcomers(desk);
      else goThrough(desk);
      after(desk);
      settleCuts(state.cuts, view);
      state.fresh = false;
      if (state.newcomers.size > 0) state.newcomers.clear();
    } else state.putOff = true;
    return nextWake(state, view);
  },

  explain: explainWalk,
  labFacts: walkFacts,
  candidates: walkCandidates,
  shares: (view, state) => [
    ...state.gates.flatMap(({ part, state: own }) => GATES[part]!.shares?.(own, view) ?? []),
    ...(orderOf(state).shares?.(state.order, view) ?? []),
  ],
  windows: ({ closures }) => keptWindows(closures, CLOSURES),
  snapshot: copyWalk,
};

/** First pass: jobs that can never run are refused; they, and gangs that an earlier policy left with some of their members, give those back. O(waiting). */
function takeOver(desk: Desk): void {
  const { view, state, act } = desk;
  const doomed: number[] = [];
  const parts: number[] = [];
  for (const jobIdx of state.waiting) {
    const isDoomed = !canEverFit(state, view, desk.shapes, jobIdx);
    if (isDoomed) doomed.push(jobIdx);
    if (view.jobState[jobIdx] !== JobStateCode.placed) continue;
    const shape = desk.shapes.list[desk.shapes.shapeOfJob[jobIdx]!]!;
    if (isDoomed || !isLoose(state, view, shape, jobIdx)) parts.push(jobIdx);
  }
  for (const jobIdx of parts) act.evict(jobIdx, "requeue", 0, -1);
  for (const jobIdx of doomed) act.refuse(jobIdx, WaitReasonCode.never);
}

function takeNews(desk: Desk, happened: Happened): void {
  const { view, state, shapes, act } = desk;
  if (happened.nodesChanged) {
    state.fitsEmpty.fill(0);
    state.oneKept = null;
    forgetRuns(state.runs);
    openAll(state);
  }
  for (let i = 0; i < happened.released.length; i++) act.tellReleased(happened.released.at[i]!);
  for (let i = 0; i < happened.withdrawn.length; i++) act.tellWithdrawn(happened.withdrawn.at[i]!);
  for (let i = 0; i < happened.retiered.length; i++) act.tellRetiered(happened.retiered.at[i]!);
  for (let i = 0; i < happened.queued.length; i++) {
    const jobIdx = happened.queued.at[i]!;
    const jobState = view.jobState[jobIdx]!;
    if (jobState !== JobStateCode.queued && jobState !== JobStateCode.admitted) continue;
    if (state.waiting.has(jobIdx)) continue;
    if (canEverFit(state, view, shapes, jobIdx)) act.tellQueued(jobIdx);
    else act.refuse(jobIdx, WaitReasonCode.never);
  }
}

function onlyArrivals(happened: Happened): boolean {
  return (
    !happened.nodesChanged &&
    happened.released.length === 0 &&
    happened.withdrawn.length === 0 &&
    happened.retiered.length === 0
  );
}

function isDue({ rules }: WalkState, { nowMs }: PoolView): boolean {
  return rules.passEveryMs === 0 || nowMs % rules.passEveryMs === 0;
}

/** Runs past their estimate are asked about anew; false if there are none. O(those × log running). */
function correctRuns(state: WalkState, view: PoolView): boolean {
  const late: number[] = [];
  const { runs } = state;
  for (let position = 0; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    const used = runs.used[runs.order[position]!]!;
    let row = 0;
    for (; row < used && runs.key[base + row]! <= view.nowMs; row++)
      late.push(runs.jobIdx[base + row]!);
    if (row < used) break;
  }
  for (const jobIdx of late) followRun(state, view, jobIdx);
  return late.length > 0;
}

function before(desk: Desk): void {
  const { view, state, shapes, act } = desk;
  if (state.looseSinceMs.size > 0) failLoose(desk);
  if (state.closures.length + state.steps.length + state.gates.length === 0) return;
  const mayStart = mayStartIn(desk);
  for (const { part, state: own } of state.closures)
    CLOSURES[part]!.before?.(own, view, state.pool, shapes, act);
  for (const { part, state: own } of state.steps)
    STEPS[part]!.before?.(own, view, state.pool, shapes, act, isBeforeIn(desk), mayStart);
  for (const { part, state: own } of state.gates) GATES[part]!.begin?.(own, view, act);
}

function isBeforeIn({ view, state }: Desk): IsBefore {
  const order = orderOf(state);
  return (jobIdx, otherIdx) => order.isBefore(state.order, view, jobIdx, otherIdx);
}

function mayStartIn(desk: Desk): (jobIdx: number) => boolean {
  return (jobIdx) => verdictOf(desk, jobIdx) === WaitReasonCode.none;
}

function after(desk: Desk): void {
  const { view, state, shapes, act } = desk;
  if (state.steps.length + state.gates.length === 0) return;
  const headroom = (jobIdx: number): number =>
    state.gates.reduce(
      (least, { part, state: own }) =>
        Math.min(least, GATES[part]!.headroom?.(own, view, jobIdx) ?? NEVER_MS),
      NEVER_MS,
    );
  const awaited = (): ReadonlySet<number> =>
    new Set(
      state.nominated.flatMap(({ placing }) => [...placing.node.subarray(0, placing.length)]),
    );
  const isBefore = isBeforeIn(desk);
  const mayStart = mayStartIn(desk);
  for (const { part, state: own } of state.steps)
    STEPS[part]!.run?.(own, view, state.pool, shapes, act, headroom, isBefore, awaited, mayStart);
  for (const { part, state: own } of state.gates) GATES[part]!.end?.(own, view, act);
}

function firstWake(parts: readonly PartInUse[], view: PoolView): number {
  let wakeMs = NEVER_MS;
  for (let at = 0; at < parts.length; at++) {
    const atMs = parts[at]![0].wakeMs!(parts[at]![1], view);
    if (atMs > view.nowMs && atMs < wakeMs) wakeMs = atMs;
  }
  return wakeMs;
}

function nextWake(state: WalkState, view: PoolView): number {
  const { nowMs } = view;
  const { stepsThatWake, othersThatWake } = partsOf(state);
  const stepMs = firstWake(stepsThatWake, view);
  let wakeMs = firstWake(othersThatWake, view);
  state.stepWakeMs = stepMs < wakeMs ? stepMs : -1;
  wakeMs = Math.min(wakeMs, stepMs);
  const failMs = looseWakeMs(state, view);
  if (failMs > nowMs && failMs < wakeMs) wakeMs = failMs;
  for (const { untilMs } of state.nominated) {
    if (untilMs > nowMs && untilMs < wakeMs) wakeMs = untilMs;
  }
  // News of what a pass stops call for no pass by themselves.
  if (state.inVain) wakeMs = nowMs + 1;
  const everyMs = state.rules.passEveryMs;
  if (everyMs === 0) return wakeMs;
  const nextMs = (Math.floor(nowMs / everyMs) + 1) * everyMs;
  if (state.putOff) return nextMs;
  return wakeMs === NEVER_MS ? NEVER_MS : Math.ceil(wakeMs / everyMs) * everyMs;
}
