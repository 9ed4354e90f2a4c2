/**
 * Why jobs wait under conservative backfill. A job is told when it joins the queue and when it gets its reservation; later only
 * that a reservation keeps it from a start it would fit, or what it lacks as the first of the queue. That it does not fit any
 * more is no news.
 */
import type { PoolView } from "../../engine/view.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { BLOCK, firstJob } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shapes } from "../../scheduling/placement/shapes.ts";
import { canFitNow, headReason } from "./fits.ts";
import type { News } from "./news.ts";
import type { PlanDesk } from "./planDesk.ts";
import type { LabState } from "./state.ts";
import { isWaiting } from "./state.ts";

/** The answers of this pass, by shape: 0 = not asked, 1 = fits now, 2 = does not. */
let fitsNow = new Uint8Array(16);

/**
 * Newcomers, those planned at last, and the first block of the queue after anything but arrivals; all on the first pass.
 * O(shapes among them × what a placement costs + those told).
 */
export function tellReasons(desk: PlanDesk, news: News, lastPlanned: readonly number[]): void {
  const { state, view, shapes, act } = desk;
  const { queue } = state;
  if (fitsNow.length < shapes.list.length) fitsNow = new Uint8Array(shapes.list.length);
  else fitsNow.fill(0);
  const headBefore = state.headJobIdx;
  state.headJobIdx = firstJob(queue);
  const tell = (jobIdx: number): void => {
    if (isWaiting(view, jobIdx)) act.wait(jobIdx, reasonNow(desk, jobIdx));
  };
  if (state.fresh || !news.onlyArrivals) {
    const blocks = state.fresh ? queue.blockCount : Math.min(1, queue.blockCount);
    const mayFit = state.fresh || view.gpusFreeTotal > 0 || shapes.zeroNeeds;
    for (let position = 0; position < blocks && mayFit; position++) {
      const base = queue.order[position]! * BLOCK;
      for (let row = 0; row < queue.used[queue.order[position]!]!; row++) {
        const jobIdx = queue.jobIdx[base + row]!;
        const reason = reasonNow(desk, jobIdx);
        if (state.fresh || reason === WaitReasonCode.reservation) act.wait(jobIdx, reason);
      }
    }
  }
  if (state.headJobIdx >= 0) tell(state.headJobIdx);
  if (headBefore >= 0 && headBefore !== state.headJobIdx) tell(headBefore);
  for (const jobIdx of lastPlanned) tell(jobIdx);
  for (let i = 0; i < news.count; i++) tell(news.jobs[i]!);
}

/** As `planReason`, with one placement for all jobs of a shape. */
function reasonNow({ view, state, shapes }: PlanDesk, jobIdx: number): number {
  if (!state.planned.has(jobIdx)) return WaitReasonCode.depth;
  const shapeIdx = shapes.shapeOfJob[jobIdx]!;
  if (fitsNow[shapeIdx] === 0) fitsNow[shapeIdx] = canFitNow(view, shapes, jobIdx) ? 1 : 2;
  if (fitsNow[shapeIdx] === 1) return WaitReasonCode.reservation;
  return firstJob(state.queue) === jobIdx
    ? headReason(view, shapes, jobIdx)
    : WaitReasonCode.priority;
}

/** Why a job waits now. */
export function planReason(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  jobIdx: number,
): number {
  if (!state.planned.has(jobIdx)) return WaitReasonCode.depth;
  if (canFitNow(view, shapes, jobIdx)) return WaitReasonCode.reservation;
  return firstJob(state.queue) === jobIdx
    ? headReason(view, shapes, jobIdx)
    : WaitReasonCode.priority;
}
