/**
 * The memory of the lab scheduler: its queue in order, its running jobs by estimated end, and the reservations of its
 * backfill. Everything else that a pass needs is read from the view or derived from the job table.
 */
import { assert } from "../../base/assert.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { LabSettings, PoolSettings } from "../../model/policy.ts";
import { LAB_BACKFILLS, LAB_ORDERS, LAB_PLACEMENTS } from "../../model/policy.ts";
import { JobStateCode } from "../../model/states.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { Plan } from "../../scheduling/backfill/plans.ts";
import { copyPlans } from "../../scheduling/backfill/plans.ts";
import type { Profile } from "../../scheduling/backfill/profile.ts";
import type { Reservation } from "../../scheduling/backfill/shadow.ts";
import { copyReservation, noReservation } from "../../scheduling/backfill/shadow.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import type { SortedJobs } from "../../scheduling/ordering/sortedJobs.ts";
import {
  copySortedJobs,
  createSortedJobs,
  insertJob,
  removeAnywhere,
  removeJob,
} from "../../scheduling/ordering/sortedJobs.ts";
import type { NodeRules } from "../../scheduling/placement/nodeRules.ts";
import { nodeRulesOf } from "../../scheduling/placement/nodeRules.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { shapesOf } from "../../scheduling/placement/shapes.ts";

export interface LabState extends LabSettings {
  /** True until the first pass: nothing is known of any waiting job. */
  fresh: boolean;
  /** The last pass requeued jobs that are in the queue already: the news of it are no news. */
  gaveBack: boolean;
  queue: SortedJobs;
  /** Jobs that run, by estimated end. */
  runs: SortedJobs;
  /** Waiting jobs whose members take devices one by one. */
  looseCount: number;
  /** The job that nobody may delay, as of the last pass; −1 if none is blocked. */
  headJobIdx: number;
  reservation: Reservation;
  /** Conservative: in order of planned start. */
  plans: Plan[];
  /** Conservative: the jobs of `plans`. */
  planned: Set<number>;
  /** Conservative: follows from the view and the plans; null where it has to be made again. */
  profile: Profile | null;
  /** Conservative, by node: more may be free on it before this time than when each plan was last tried; −∞ where it is not. */
  grownUntilMs: Float64Array;
  /** Per shape: 0 = not looked at, 1 = fits the empty pool, 2 = never fits. Follows from the world, so no copy keeps it. */
  fitsEmpty: Uint8Array;
  /** What may share a node. */
  readonly nodeRules: NodeRules;
}

/**
 * Takes a pool over: jobs that wait are queued, jobs that run are known by their estimated ends. O(waiting + running, × log).
 */
export function createState(view: PoolView, pool: PoolSettings): LabState {
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(pool.settings));
  const state: LabState = {
    ...readSettings(pool),
    fresh: true,
    gaveBack: false,
    queue: createSortedJobs(),
    runs: createSortedJobs(),
    looseCount: 0,
    headJobIdx: -1,
    reservation: noReservation(view.cluster.nodeCount),
    plans: [],
    planned: new Set(),
    profile: null,
    grownUntilMs: new Float64Array(view.cluster.nodeCount).fill(Number.NEGATIVE_INFINITY),
    fitsEmpty: new Uint8Array(0),
    nodeRules: nodeRulesOf(pool.settings),
  };
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    addRun(state, view, running.at[i]!, view.jobs.at.gpuTotal[running.at[i]!]!);
  }
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) enqueue(state, view, shapes, waiting.at[i]!);
  return state;
}

function readSettings(pool: PoolSettings): LabSettings {
  const { order, backfill, placement, gangTogether, depth } = pool.settings;
  const { staleReservation, extra, judgedByRunTime } = pool.settings;
  const known = <V extends string>(values: readonly V[], value: unknown): V => {
    const found = values.find((candidate) => candidate === value);
    assert(found !== undefined, `the lab has no setting ${String(value)}`);
    return found;
  };
  return {
    order: known(LAB_ORDERS, order),
    backfill: known(LAB_BACKFILLS, backfill),
    placement: known(LAB_PLACEMENTS, placement),
    gangTogether: gangTogether !== false,
    depth: Math.max(1, Number(depth)),
    staleReservation: staleReservation === true,
    extra: extra !== false,
    judgedByRunTime: judgedByRunTime === true,
  };
}

/** A copy for a snapshot; what follows from the view is left out. O(waiting + running + planned). */
export function copyState(state: LabState): LabState {
  return {
    ...state,
    queue: copySortedJobs(state.queue),
    runs: copySortedJobs(state.runs),
    reservation: copyReservation(state.reservation),
    plans: copyPlans(state.plans),
    planned: new Set(state.planned),
    profile: null,
    grownUntilMs: state.grownUntilMs.slice(),
    fitsEmpty: new Uint8Array(0),
  };
}

/** Whether a job's members take devices as they come. */
export function isLoose(state: LabState, view: PoolView, shape: Shape, jobIdx: number): boolean {
  if (shape.members < 2 || state.backfill === "conservative") return false;
  // The first member would take the node for itself, where the job has it for all.
  if (shape.parts.some((part) => part.exclusive !== null)) return false;
  return !state.gangTogether || (view.jobs.at.flags[jobIdx]! & JobFlag.gang) === 0;
}

/** Whether one job stands before another in queue order. O(1). */
export function isBefore(
  state: LabState,
  view: PoolView,
  jobIdx: number,
  otherIdx: number,
): boolean {
  const key = orderKey(state.order, view, jobIdx);
  const otherKey = orderKey(state.order, view, otherIdx);
  if (key !== otherKey) return key < otherKey;
  const { submitMs } = view.jobs.at;
  const laterMs = submitMs[jobIdx]! - submitMs[otherIdx]!;
  return laterMs < 0 || (laterMs === 0 && jobIdx < otherIdx);
}

/** How long a job that might pass the head is taken to run: its limit, or what it will really run if the scheduler sees that. O(1). */
export function judgedMs(state: LabState, view: PoolView, jobIdx: number): number {
  const { workQ16 } = view.jobs.at;
  return state.judgedByRunTime ? Math.ceil(workQ16[jobIdx]! / SPEED_ONE) : view.limitMs(jobIdx);
}

/** Puts a job into the queue at its place. O(log waiting). */
export function enqueue(state: LabState, view: PoolView, shapes: Shapes, jobIdx: number): void {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  const { submitMs } = view.jobs.at;
  insertJob(
    state.queue,
    orderKey(state.order, view, jobIdx),
    submitMs[jobIdx]!,
    jobIdx,
    shape.gpusWhole,
    judgedMs(state, view, jobIdx),
  );
  if (isLoose(state, view, shape, jobIdx)) state.looseCount++;
}

/** Takes a job out of the queue wherever it is. False if it was not there. O(waiting). */
export function dequeue(state: LabState, view: PoolView, shapes: Shapes, jobIdx: number): boolean {
  if (!removeAnywhere(state.queue, jobIdx)) return false;
  noteRemoved(state, view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx);
  return true;
}

/** To be called when a row has been taken out of the queue. */
export function noteRemoved(state: LabState, view: PoolView, shape: Shape, jobIdx: number): void {
  if (state.looseCount > 0 && isLoose(state, view, shape, jobIdx)) state.looseCount--;
}

/** Adds a job that holds devices and makes progress. One that holds too few members counts as never ending and is left out. */
export function addRun(state: LabState, view: PoolView, jobIdx: number, gpus: number): void {
  if (view.jobState[jobIdx] === JobStateCode.placed) return;
  insertJob(state.runs, view.limitEndMs[jobIdx]!, 0, jobIdx, gpus, 0);
}

/** False if the job was not among the running. */
export function dropRun(state: LabState, view: PoolView, jobIdx: number): boolean {
  return removeJob(state.runs, view.limitEndMs[jobIdx]!, 0, jobIdx);
}

/** Whether a job waits, with or without some of its members placed. */
export function isWaiting(view: PoolView, jobIdx: number): boolean {
  const jobState = view.jobState[jobIdx]!;
  return (
    jobState === JobStateCode.queued ||
    jobState === JobStateCode.admitted ||
    jobState === JobStateCode.placed
  );
}
