/**
 * Pods whose grace is over while other pods of their job stay: the engine takes them off their node. Until then they work on. The job goes on with the others where they
 * are enough; else it holds them without progress until its controller's new pods are bound. O(pods that leave).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { settlePods } from "./pods.ts";
import { dequeue } from "./queue.ts";
import { touchNode } from "./search.ts";
import type { PodShapes } from "./shapes.ts";
import type { PlacementState } from "./state.ts";

/** For whom pods leave (−1 = nobody), in what time (absent or null = their own grace), and what is said of it. */
export interface Leave {
  readonly forJobIdx: number;
  readonly graceMs?: number | null;
  /** Their own grace is cut to this. */
  readonly graceMostMs?: number;
  readonly stopReason?: number;
}

/** Pods are told to leave, those that leave already excepted: a job of which no pod would stay as a whole, others pod by pod when their grace is over. O(pods × pods of their jobs). */
export function tellToLeave(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  victims: readonly number[],
  { forJobIdx, graceMs: grace, graceMostMs = Number.POSITIVE_INFINITY, stopReason }: Leave,
): void {
  const { pods } = state;
  const release = (jobIdx: number) => {
    state.again = true;
    settlePods(view, pods, shapes, jobIdx, (node, shapeIdx) => {
      touchNode(state.known, node, true);
      state.freed |= shapes.list[shapeIdx]!.kinds;
    });
  };
  const told = victims.filter((pod) => pods.leaveMs[pod] === 0);
  const jobs = [...new Set(told.map((pod) => pods.jobIdx[pod]!))].sort((a, b) => a - b);
  for (const jobIdx of jobs) {
    // A replica that its autoscaler took at this moment: the news is still to come.
    if (!holds(view, jobIdx)) {
      release(jobIdx);
      continue;
    }
    const mine = told.filter((pod) => pods.jobIdx[pod] === jobIdx);
    const graceMs = grace ?? Math.min(graceMostMs, graceOf(view, state, jobIdx));
    const atMs = view.nowMs + graceMs;
    for (const pod of mine) pods.leaveMs[pod] = atMs;
    pods.changes++;
    if (podsStay(state, jobIdx)) {
      const more = stopReason === undefined ? {} : { stopReason };
      for (const pod of mine) state.leaving.push({ pod, atMs, forJobIdx, ...more });
      if (graceMs === 0) state.again = true;
    } else {
      act.evict(jobIdx, "requeue", graceMs, forJobIdx, stopReason);
      // What it still lacks it asks for no longer: it comes back as a whole.
      const { firstComponent } = view.jobs.at;
      for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++)
        dequeue(state, row);
      if (view.jobState[jobIdx] !== JobStateCode.ending) release(jobIdx);
    }
  }
}

function podsStay({ pods }: PlacementState, jobIdx: number): boolean {
  for (let pod = pods.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = pods.jobNext[pod]!)
    if (pods.leaveMs[pod] === 0) return true;
  return false;
}

function graceOf(view: PoolView, state: PlacementState, jobIdx: number): number {
  const own = view.jobs.kubernetes?.get(jobIdx)?.terminationGraceMs;
  return own ?? view.tiers[view.tierOfJob[jobIdx]!]!.graceMs ?? state.config.graceMs;
}

/** Takes away what is due; `gone` hears of each job that has lost pods or was evicted. */
export function dismissDue(
  view: PoolView,
  state: PlacementState,
  act: Actions,
  gone: (jobIdx: number) => void,
): void {
  if (state.leaving.length === 0) return;
  const due = state.leaving.filter(({ atMs }) => atMs <= view.nowMs);
  if (due.length === 0) return;
  state.leaving = state.leaving.filter(({ atMs }) => atMs > view.nowMs);
  const { pods } = state;
  // Pods of one kind on one node are alike: which of their rows is dropped when one is taken away says nothing of which of them was due.
  const going = due.flatMap(({ pod, ...leave }) =>
    pods.jobIdx[pod]! >= 0 && pods.leaveMs[pod] === leave.atMs
      ? [{ ...leave, jobIdx: pods.jobIdx[pod]!, row: pods.row[pod]!, node: pods.node[pod]! }]
      : [],
  );
  for (const { jobIdx, row, node, atMs, forJobIdx, stopReason } of going) {
    if (!holds(view, jobIdx) || !isDue(state, jobIdx, row, node, atMs)) continue;
    const only = pods.jobNext[pods.headOfJob.get(jobIdx)!]! < 0;
    if (only) {
      act.evict(jobIdx, "requeue", 0, forJobIdx, stopReason);
      state.again = true;
    } else {
      const component = row - view.jobs.at.firstComponent[jobIdx]!;
      act.evictMembers(jobIdx, component, node, 1, forJobIdx, stopReason);
    }
    gone(jobIdx);
  }
}

/** Has the job such a pod there whose grace ends at this time? */
function isDue(
  { pods }: PlacementState,
  jobIdx: number,
  row: number,
  node: number,
  atMs: number,
): boolean {
  for (let pod = pods.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = pods.jobNext[pod]!)
    if (pods.row[pod] === row && pods.node[pod] === node && pods.leaveMs[pod] === atMs) return true;
  return false;
}

/** Is it on nodes, and not about to end as a whole? */
export function holds(view: PoolView, jobIdx: number): boolean {
  const now = view.jobState[jobIdx]!;
  return now >= JobStateCode.placed && now < JobStateCode.ending;
}

/** When the next pod is due (ms); `Infinity` = none leaves. */
export function nextLeaveMs(state: PlacementState): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { atMs } of state.leaving) first = Math.min(first, atMs);
  return first;
}
