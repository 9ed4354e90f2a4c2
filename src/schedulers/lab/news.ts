/** Brings the lab's queue and list of running jobs up to date with what happened since its last pass. */
import { Grant } from "../../engine/grant.ts";
import type { Actions, Happened, IndexList, PoolView } from "../../engine/view.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { rankOf } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shapes } from "../../scheduling/placement/shapes.ts";
import { canEverFit } from "./fits.ts";
import type { LabState } from "./state.ts";
import { addRun, dequeue, dropRun, enqueue } from "./state.ts";

/** Jobs that joined the queue by the last call, in queue order once sorted; and whether anything else happened. */
export interface News {
  count: number;
  jobs: Int32Array;
  onlyArrivals: boolean;
  /** Until when more is free than the estimates said, because jobs ended early; −∞ if none did. */
  grownUntilMs: number;
  /** Jobs that gave devices back. Belongs to the engine: valid during the pass. */
  released: IndexList;
  /** Something that no estimate foresaw: a job withdrawn, changed, or ended past its limit; nodes opened or closed. */
  disturbed: boolean;
}

const news: News = {
  count: 0,
  jobs: new Int32Array(64),
  onlyArrivals: false,
  grownUntilMs: Number.NEGATIVE_INFINITY,
  released: { length: 0, at: new Int32Array(0) },
  disturbed: false,
};

/** O(what happened); O(waiting) for a job that was withdrawn or changed its tier. The result is reused by the next call. */
export function takeNews(
  view: PoolView,
  happened: Happened,
  state: LabState,
  shapes: Shapes,
  act: Actions,
): News {
  news.count = 0;
  news.onlyArrivals =
    !state.fresh &&
    !happened.nodesChanged &&
    happened.released.length === 0 &&
    happened.withdrawn.length === 0 &&
    happened.retiered.length === 0;
  news.grownUntilMs = Number.NEGATIVE_INFINITY;
  news.released = happened.released;
  news.disturbed =
    happened.nodesChanged || happened.withdrawn.length > 0 || happened.retiered.length > 0;
  if (happened.nodesChanged) state.fitsEmpty.fill(0);
  for (let i = 0; i < happened.released.length; i++)
    giveBack(view, state, happened.released.at[i]!);
  for (let i = 0; i < happened.withdrawn.length; i++) {
    dequeue(state, view, shapes, happened.withdrawn.at[i]!);
  }
  for (let i = 0; i < happened.retiered.length; i++) {
    const jobIdx = happened.retiered.at[i]!;
    if (dequeue(state, view, shapes, jobIdx)) enqueue(state, view, shapes, jobIdx);
  }
  for (let i = 0; i < happened.queued.length; i++) {
    const jobIdx = happened.queued.at[i]!;
    if (state.fresh && rankOf(state.queue, jobIdx) >= 0) continue;
    if (state.gaveBack && isKnown(view, state, jobIdx)) continue;
    join(view, state, shapes, act, jobIdx);
  }
  state.gaveBack = false;
  return news;
}

/** In the queue already, or started since. */
function isKnown(view: PoolView, state: LabState, jobIdx: number): boolean {
  return view.jobState[jobIdx] !== JobStateCode.queued || rankOf(state.queue, jobIdx) >= 0;
}

function join(view: PoolView, state: LabState, shapes: Shapes, act: Actions, jobIdx: number): void {
  if (!canEverFit(state, view, shapes, jobIdx)) {
    act.refuse(jobIdx, WaitReasonCode.never);
    return;
  }
  enqueue(state, view, shapes, jobIdx);
  if (news.count === news.jobs.length) {
    const grown = new Int32Array(news.jobs.length * 2);
    grown.set(news.jobs);
    news.jobs = grown;
  }
  news.jobs[news.count++] = jobIdx;
}

const held = new Grant();

/** A job gave devices back: it is no longer running, or runs on with fewer. */
function giveBack(view: PoolView, state: LabState, jobIdx: number): void {
  dropRun(state, view, jobIdx);
  const jobState = view.jobState[jobIdx]!;
  const endMs = view.limitEndMs[jobIdx]!;
  if (jobState === JobStateCode.done && endMs >= view.nowMs) {
    if (endMs > view.nowMs) news.grownUntilMs = Math.max(news.grownUntilMs, endMs);
    return;
  }
  news.disturbed = true;
  if (jobState < JobStateCode.starting || jobState === JobStateCode.done) return;
  held.clear();
  view.holdings(jobIdx, held);
  let gpus = 0;
  for (let row = 0; row < held.length; row++) gpus += held.count[row]!;
  addRun(state, view, jobIdx, gpus);
}

/**
 * Refuses waiting jobs that cannot ever run; on the first pass, for all that wait. One to which another policy gave some of its devices gives them back first: nobody else would ever
 * have them.
 */
export function refuseImpossible(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  act: Actions,
): void {
  const waiting = view.waiting();
  const doomed: number[] = [];
  for (let i = 0; i < waiting.length; i++) {
    const jobIdx = waiting.at[i]!;
    if (!canEverFit(state, view, shapes, jobIdx)) doomed.push(jobIdx);
  }
  for (const jobIdx of doomed) {
    if (!dequeue(state, view, shapes, jobIdx)) continue;
    if (view.jobState[jobIdx] === JobStateCode.placed) act.evict(jobIdx, "requeue", 0, -1);
    act.refuse(jobIdx, WaitReasonCode.never);
  }
}
