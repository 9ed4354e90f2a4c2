/**
 * Orders whose key a job has for as long as it waits: first come, shortest, smallest, largest, tiers, priority, aging, least slack, highest bid.
 * Rule: the smaller key of `model/queueOrder.ts` first, with "tiers first" the tier before it. Tie-break: submit time, job index.
 * Shortest and least slack go by what is known of run times as a job joins the queue (setting `runTimes`: the limit, if nothing else is said).
 * A job costs O(log waiting) to join, to leave and to be given; whole blocks of jobs that cannot start are skipped.
 *
 * Aging lifts every waiting job at the same rate, so two of them never change places: the moment at which a job would have reached the top
 * is its key (linear aging, as in Kleinrock's time-dependent priorities with equal slopes, Queueing Systems II, 1976).
 * Pathologies: shortest and smallest first starve long and wide jobs while short ones keep coming; largest first makes everybody wait for the
 * widest; strict tiers and priorities starve the lowest; least slack spends devices on jobs whose deadline is lost already; a bid is
 * nobody's money here (the auction of unused quota is `scheduling/auction`).
 */
import type { PoolView } from "../../engine/view.ts";
import { LAB_ORDERS, type LabOrder, type PoolSettings } from "../../model/policy.ts";
import { goesByLimits, queueKey } from "../../model/queueOrder.ts";
import {
  copyRunTimes,
  createRunTimes,
  lengthMs,
  noteEnd,
  noteStart,
  type RunTimes,
} from "../estimates/runTimes.ts";
import { shapesOf } from "../placement/shapes.ts";
import { beginLanes, type LanesInTurn, nextOfLanes } from "./lanesInTurn.ts";
import type { OrderRule } from "./orderRule.ts";
import { createCursor } from "./sortedCursor.ts";
import {
  copySortedJobs,
  createSortedJobs,
  insertJob,
  REST_NEED,
  removeAnywhere,
  removeJob,
  setNeed,
} from "./sortedJobs.ts";
import { stillWaits } from "./stillWaits.ts";

/** Orders that `staticOrder` serves. */
export const STATIC_ORDERS: readonly LabOrder[] = [
  "fcfs",
  "shortest",
  "tiers",
  "smallest",
  "largest",
  "priority",
  "aging",
  "leastSlack",
  "highestBid",
];

export interface StaticState extends LanesInTurn {
  readonly order: LabOrder;
  readonly agingMs: number;
  readonly tiersFirst: boolean;
  readonly waiting: Set<number>;
  /** Where the order goes by run times other than limits: what is known of them, and the keys of waiting jobs. */
  readonly runTimes: RunTimes | null;
  readonly keys: Map<number, number>;
}

/** What is known of run times, where the order goes by it and it is not the limits. */
function runTimesOf(view: PoolView, pool: PoolSettings, order: LabOrder): RunTimes | null {
  return goesByLimits(order, pool.settings["runTimes"]) ? null : createRunTimes(view, pool);
}

function laneOf(state: StaticState, view: PoolView, jobIdx: number): number {
  return state.tiersFirst ? Math.min(view.tierOfJob[jobIdx]!, state.lanes.length - 1) : 0;
}

function keyOf(state: StaticState, view: PoolView, jobIdx: number): number {
  const { order, runTimes, agingMs } = state;
  const tier = view.tierOfJob[jobIdx]!;
  if (runTimes === null) return queueKey(order, view.jobs, tier, jobIdx, agingMs);
  return (
    state.keys.get(jobIdx) ??
    queueKey(order, view.jobs, tier, jobIdx, agingMs, lengthMs(runTimes, view, jobIdx))
  );
}

function join(state: StaticState, view: PoolView, jobIdx: number): void {
  if (state.waiting.has(jobIdx)) return;
  const shapes = shapesOf(view.jobs, view.cluster);
  const key = keyOf(state, view, jobIdx);
  // It stays while the job waits, whatever is learned of its user meanwhile.
  if (state.runTimes !== null) state.keys.set(jobIdx, key);
  insertJob(
    state.lanes[laneOf(state, view, jobIdx)]!,
    key,
    view.jobs.at.submitMs[jobIdx]!,
    jobIdx,
    shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole,
    view.limitMs(jobIdx),
  );
  state.waiting.add(jobIdx);
}

function leave(state: StaticState, view: PoolView, jobIdx: number): void {
  if (!state.waiting.delete(jobIdx)) return;
  const lane = state.lanes[laneOf(state, view, jobIdx)]!;
  const key = keyOf(state, view, jobIdx);
  state.keys.delete(jobIdx);
  if (removeJob(lane, key, view.jobs.at.submitMs[jobIdx]!, jobIdx)) return;
  // Its tier has changed since it joined.
  state.lanes.some((other) => removeAnywhere(other, jobIdx));
}

export const staticOrder: OrderRule<StaticState> = {
  create(view: PoolView, pool: PoolSettings): StaticState {
    const { settings } = pool;
    const order = LAB_ORDERS.find((known) => known === settings["order"]) ?? "fcfs";
    const tiersFirst = settings["tiersFirst"] === true;
    const lanes = tiersFirst ? Math.max(1, view.tiers.length) : 1;
    const state: StaticState = {
      order,
      agingMs: Number(settings["agingMs"] ?? 0),
      tiersFirst,
      lanes: Array.from({ length: lanes }, () => createSortedJobs()),
      waiting: new Set(),
      runTimes: runTimesOf(view, pool, order),
      keys: new Map(),
      lane: 0,
      cursor: createCursor(),
    };
    const waiting = view.waiting();
    for (let i = 0; i < waiting.length; i++) join(state, view, waiting.at[i]!);
    return state;
  },

  copy: (state) => ({
    ...state,
    lanes: state.lanes.map(copySortedJobs),
    waiting: new Set(state.waiting),
    runTimes: state.runTimes && copyRunTimes(state.runTimes),
    keys: new Map(state.keys),
    cursor: { ...state.cursor },
  }),

  begin(state) {
    beginLanes(state);
  },

  next: (state, _view, needMost, limitMost, longNeedMost) =>
    nextOfLanes(state, needMost, limitMost, longNeedMost),

  rest(state, view, jobIdx, rests) {
    const shapes = shapesOf(view.jobs, view.cluster);
    setNeed(
      state.lanes[laneOf(state, view, jobIdx)]!,
      keyOf(state, view, jobIdx),
      view.jobs.at.submitMs[jobIdx]!,
      jobIdx,
      rests ? REST_NEED : shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole,
    );
  },

  placeOf: (state, view, jobIdx) => [laneOf(state, view, jobIdx), keyOf(state, view, jobIdx)],

  isBefore(state, view, jobIdx, otherIdx) {
    const lanes = laneOf(state, view, jobIdx) - laneOf(state, view, otherIdx);
    if (lanes !== 0) return lanes < 0;
    const key = keyOf(state, view, jobIdx);
    const otherKey = keyOf(state, view, otherIdx);
    if (key !== otherKey) return key < otherKey;
    const { submitMs } = view.jobs.at;
    const laterMs = submitMs[jobIdx]! - submitMs[otherIdx]!;
    return laterMs < 0 || (laterMs === 0 && jobIdx < otherIdx);
  },

  priority: (state, view, jobIdx) => -keyOf(state, view, jobIdx),
  length: (state) => state.waiting.size,

  hooks: {
    queued: join,
    withdrawn: leave,
    given(state, view, jobIdx) {
      if (!stillWaits(view, jobIdx)) leave(state, view, jobIdx);
      if (state.runTimes !== null) noteStart(state.runTimes, view, jobIdx);
    },
    released(state, view, jobIdx) {
      if (state.runTimes !== null) noteEnd(state.runTimes, view, jobIdx);
    },
    retiered(state, view, jobIdx) {
      if (!state.waiting.has(jobIdx)) return;
      leave(state, view, jobIdx);
      join(state, view, jobIdx);
    },
  },
};
