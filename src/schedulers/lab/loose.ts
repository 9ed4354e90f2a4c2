/**
 * Jobs whose members take devices one by one and hold them without progress until enough of them do: a gang scheduled as if its
 * members knew nothing of each other, as kube-scheduler does with bare pods. In rounds, each waiting job of the kind gets one member,
 * in queue order, until nothing fits. Two gangs that each got half of a machine wait for each other for ever: the gang deadlock.
 *
 * Such a job blocks nobody and nobody plans for it. Behind a blocked job that starts whole it waits like any other.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { orderKey } from "../../scheduling/ordering/orders.ts";
import { BLOCK, removeJob } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { shortReason } from "./fits.ts";
import { findPlace, place, startOn, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";
import { isLoose, noteRemoved } from "./state.ts";

/** Starts jobs in order until one that starts whole does not fit; returns it, or −1. O(waiting + members placed). */
export function placeLoose(view: PoolView, state: LabState, shapes: Shapes, act: Actions): number {
  let loose: number[] = [];
  let head = -1;
  for (const jobIdx of jobsInOrder(state)) {
    const shape = shapeOf(shapes, jobIdx);
    if (isLoose(state, view, shape, jobIdx)) {
      loose.push(jobIdx);
      continue;
    }
    loose = placeInRounds(view, state, shapes, act, loose);
    if (!findPlace(state, view, shape, stillWanted(view, shape, jobIdx))) {
      head = jobIdx;
      break;
    }
    startOn(state, view, act, shape, jobIdx, place, StartReasonCode.inOrder);
    leave(view, state, shape, jobIdx);
  }
  loose = placeInRounds(view, state, shapes, act, loose);
  for (const jobIdx of loose) {
    const shape = shapeOf(shapes, jobIdx);
    const holds = view.jobState[jobIdx] === JobStateCode.placed;
    act.wait(jobIdx, holds ? WaitReasonCode.gang : shortReason(view, shape, null));
  }
  if (head >= 0)
    act.wait(
      head,
      shortReason(view, shapeOf(shapes, head), stillWanted(view, shapeOf(shapes, head), head)),
    );
  return head;
}

/** Returns the jobs that still wait. */
function placeInRounds(
  view: PoolView,
  state: LabState,
  shapes: Shapes,
  act: Actions,
  jobs: readonly number[],
): number[] {
  let waiting = [...jobs];
  let placed = true;
  while (placed && waiting.length > 0) {
    placed = false;
    const next: number[] = [];
    for (const jobIdx of waiting) {
      const shape = shapeOf(shapes, jobIdx);
      if (placeMember(view, state, act, shape, jobIdx)) placed = true;
      if (view.jobState[jobIdx] === JobStateCode.running) leave(view, state, shape, jobIdx);
      else next.push(jobIdx);
    }
    waiting = next;
  }
  return waiting;
}

/** Gives one member a place, of the first part that has one. */
function placeMember(
  view: PoolView,
  state: LabState,
  act: Actions,
  shape: Shape,
  jobIdx: number,
): boolean {
  const wanted = stillWanted(view, shape, jobIdx);
  for (let part = 0; part < shape.parts.length; part++) {
    if (wanted !== null && wanted[part]! <= 0) continue;
    const one = new Int32Array(shape.parts.length);
    one[part] = 1;
    if (!findPlace(state, view, shape, one)) continue;
    startOn(state, view, act, shape, jobIdx, place, StartReasonCode.inOrder);
    return true;
  }
  return false;
}

function leave(view: PoolView, state: LabState, shape: Shape, jobIdx: number): void {
  removeJob(
    state.queue,
    orderKey(state.order, view, jobIdx),
    view.jobs.at.submitMs[jobIdx]!,
    jobIdx,
  );
  noteRemoved(state, view, shape, jobIdx);
}

function jobsInOrder(state: LabState): number[] {
  const { queue } = state;
  const jobs: number[] = [];
  for (let position = 0; position < queue.blockCount; position++) {
    const base = queue.order[position]! * BLOCK;
    for (let row = 0; row < queue.used[queue.order[position]!]!; row++)
      jobs.push(queue.jobIdx[base + row]!);
  }
  return jobs;
}

function shapeOf(shapes: Shapes, jobIdx: number): Shape {
  return shapes.list[shapes.shapeOfJob[jobIdx]!]!;
}
