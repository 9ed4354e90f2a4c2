/**
 * Pods whose grace is over while other pods of their job stay: the engine takes them off their node. Until then they work on. The job goes on with the others where they
 * are enough; else it holds them without progress until its controller's new pods are bound. O(pods that leave).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { PlacementState } from "./state.ts";

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
  for (const { pod, atMs, forJobIdx } of due) {
    const jobIdx = pods.jobIdx[pod]!;
    if (jobIdx < 0 || pods.leaveMs[pod] !== atMs || !holds(view, jobIdx)) continue;
    const only = pods.jobNext[pods.headOfJob.get(jobIdx)!]! < 0;
    const row = pods.row[pod]!;
    if (only) {
      act.evict(jobIdx, "requeue", 0, forJobIdx);
      state.again = true;
    } else {
      const component = row - view.jobs.at.firstComponent[jobIdx]!;
      act.evictMembers(jobIdx, component, pods.node[pod]!, 1, forJobIdx);
    }
    gone(jobIdx);
  }
}

function holds(view: PoolView, jobIdx: number): boolean {
  const now = view.jobState[jobIdx]!;
  return now >= JobStateCode.placed && now < JobStateCode.ending;
}

/** When the next pod is due (ms); `Infinity` = none leaves. */
export function nextLeaveMs(state: PlacementState): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { atMs } of state.leaving) first = Math.min(first, atMs);
  return first;
}
