/**
 * Jobs whose members take devices one by one and hold them without progress until enough of them do: a gang scheduled as if its
 * members knew nothing of each other, as kube-scheduler does with bare pods. In rounds, each waiting job of the kind gets one member,
 * in queue order, until nothing fits. Two gangs that each got half of a machine wait for each other for ever: the gang deadlock.
 *
 * Such a job blocks nobody and nobody plans for it. Behind a blocked job that starts whole it waits like any other, unless that job cannot start before it has run.
 *
 * Exact shortcuts: within a pass room only shrinks, so a job whose member found no place is not tried again, nor another of its
 * shape, and the queue is read no further once no device is free. After a pass no member of a waiting job fits; so after
 * arrivals alone only they are tried.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import { BLOCK, removeJob } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { shortReason } from "./fits.ts";
import { partlyPlaced, waitsForParts } from "./heldParts.ts";
import type { News } from "./news.ts";
import { findPlace, place, startOn, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";
import { isBefore, isLoose, noteRemoved } from "./state.ts";

/** Whether the job lacks members; with enough of them it runs, or starts up first. */
function stillWaits({ jobState }: PoolView, jobIdx: number): boolean {
  const state = jobState[jobIdx];
  return state === JobStateCode.queued || state === JobStateCode.placed;
}

/** One pass over jobs of the kind. The queue stays as it is until `end`. */
class LoosePass {
  readonly view: PoolView;
  readonly state: LabState;
  readonly shapes: Shapes;
  readonly act: Actions;
  /** Jobs that were tried and wait, and those of them that may get another member. */
  readonly #tried: number[] = [];
  #again: number[] = [];
  readonly #started: number[] = [];
  /** Shapes of which no member fits any more. */
  readonly #full = new Set<number>();
  readonly #reasons = new Map<number, number>();

  constructor(view: PoolView, state: LabState, shapes: Shapes, act: Actions) {
    this.view = view;
    this.state = state;
    this.shapes = shapes;
    this.act = act;
  }

  /** False only if no job at all can be given anything. */
  get anyRoom(): boolean {
    return this.view.gpusFreeTotal > 0 || this.shapes.zeroNeeds || this.shapes.hasParts;
  }

  shapeOf(jobIdx: number): Shape {
    return this.shapes.list[this.shapes.shapeOfJob[jobIdx]!]!;
  }

  /** The first round, job by job. */
  offer(jobIdx: number): void {
    this.#tried.push(jobIdx);
    if (!this.#placeMember(jobIdx)) return;
    if (!stillWaits(this.view, jobIdx)) this.#started.push(jobIdx);
    else this.#again.push(jobIdx);
  }

  /** All further rounds, with the jobs offered so far. */
  finishRounds(): void {
    while (this.#again.length > 0) {
      const jobs = this.#again;
      this.#again = [];
      for (const jobIdx of jobs) {
        if (!this.#placeMember(jobIdx)) continue;
        if (!stillWaits(this.view, jobIdx)) this.#started.push(jobIdx);
        else this.#again.push(jobIdx);
      }
    }
  }

  /** Starts a job whole if it fits. */
  startWhole(jobIdx: number, reason: number = StartReasonCode.inOrder): boolean {
    const { view, state, act } = this;
    const shape = this.shapeOf(jobIdx);
    if (!findPlace(state, view, shape, stillWanted(view, shape, jobIdx))) return false;
    startOn(state, view, act, shape, jobIdx, place, reason);
    this.#started.push(jobIdx);
    return true;
  }

  tell(jobIdx: number): void {
    const { view, shapes } = this;
    if (view.jobState[jobIdx] === JobStateCode.placed) {
      this.act.wait(jobIdx, WaitReasonCode.gang);
      return;
    }
    const shapeIdx = shapes.shapeOfJob[jobIdx]!;
    let reason = this.#reasons.get(shapeIdx);
    if (reason === undefined) {
      reason = shortReason(view, this.shapeOf(jobIdx), null);
      this.#reasons.set(shapeIdx, reason);
    }
    this.act.wait(jobIdx, reason);
  }

  /** Takes what runs out of the queue and tells the others why they wait. */
  end(): void {
    const { view, state } = this;
    for (const jobIdx of this.#started) {
      const { submitMs } = view.jobs.at;
      removeJob(state.queue, orderKey(state.order, view, jobIdx), submitMs[jobIdx]!, jobIdx);
      noteRemoved(state, view, this.shapeOf(jobIdx), jobIdx);
    }
    for (const jobIdx of this.#tried) {
      if (stillWaits(view, jobIdx)) this.tell(jobIdx);
    }
  }

  /** Gives one member a place, of the first part that has one. */
  #placeMember(jobIdx: number): boolean {
    const { view, state, act } = this;
    const shapeIdx = this.shapes.shapeOfJob[jobIdx]!;
    if (this.#full.has(shapeIdx)) return false;
    const shape = this.shapeOf(jobIdx);
    const wanted = stillWanted(view, shape, jobIdx);
    for (let part = 0; part < shape.parts.length; part++) {
      if (wanted !== null && wanted[part]! <= 0) continue;
      const one = new Int32Array(shape.parts.length);
      one[part] = 1;
      if (!findPlace(state, view, shape, one)) continue;
      startOn(state, view, act, shape, jobIdx, place, StartReasonCode.inOrder);
      return true;
    }
    if (wanted === null || shape.parts.length === 1) this.#full.add(shapeIdx);
    return false;
  }
}

/**
 * Starts jobs in order until one that starts whole does not fit; returns it, or −1. O(members placed + jobs up to the one at
 * which no device is free any more).
 */
export function placeLoose(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  news: News,
  act: Actions,
): number {
  const pass = new LoosePass(view, state, shapes, act);
  const head = goThrough(pass);
  pass.finishRounds();
  pass.end();
  for (let i = 0; i < news.count; i++) {
    const jobIdx = news.jobs[i]!;
    if (view.jobState[jobIdx] !== JobStateCode.queued || jobIdx === head) continue;
    if (head < 0 || isBefore(state, view, jobIdx, head)) pass.tell(jobIdx);
  }
  if (head < 0) return head;
  const shape = pass.shapeOf(head);
  act.wait(head, shortReason(view, shape, stillWanted(view, shape, head)));
  return head;
}

/** Offers places in queue order; returns the first job that starts whole and does not fit. */
function goThrough(pass: LoosePass): number {
  const { view, state } = pass;
  const { queue } = state;
  const allLoose = state.looseCount === queue.length && !state.fresh;
  for (let position = 0; position < queue.blockCount; position++) {
    const base = queue.order[position]! * BLOCK;
    for (let row = 0; row < queue.used[queue.order[position]!]!; row++) {
      const jobIdx = queue.jobIdx[base + row]!;
      if (isLoose(state, view, pass.shapeOf(jobIdx), jobIdx)) {
        if (pass.anyRoom || state.fresh) pass.offer(jobIdx);
        else if (allLoose) return -1;
        continue;
      }
      pass.finishRounds();
      if (!pass.startWhole(jobIdx)) return jobIdx;
    }
  }
  return -1;
}

/**
 * Gangs that hold some of their members, behind the blocked job, complete themselves where that job waits for what they hold (`heldParts.ts`), in queue order.
 * O(jobs that hold devices) where there are such gangs, and a placement for each.
 */
export function completeParts(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  head: number,
  act: Actions,
): void {
  // Those are not among the runs that are known.
  if (view.runningCount === state.runs.length) return;
  const pass = new LoosePass(view, state, shapes, act);
  const behind = partlyPlaced(view).filter((jobIdx) => isBefore(state, view, head, jobIdx));
  behind.sort((one, other) => (isBefore(state, view, one, other) ? -1 : 1));
  for (const jobIdx of behind)
    if (waitsForParts(view, pass.shapeOf(head), head))
      pass.startWhole(jobIdx, StartReasonCode.backfilled);
  pass.end();
}

/** After arrivals alone: jobs of the kind, in queue order, before which nothing is blocked. O(members placed + jobs). */
export function placeLooseNewcomers(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  jobs: readonly number[],
  act: Actions,
): void {
  const pass = new LoosePass(view, state, shapes, act);
  for (const jobIdx of jobs) pass.offer(jobIdx);
  pass.finishRounds();
  pass.end();
}
