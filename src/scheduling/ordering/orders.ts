/**
 * The orders of a queue, each as one number per job: a smaller key comes first, equal keys go by submit time and then by job
 * index. First come, first served: the submit time. Shortest first: the time limit (a job without one comes last). Tiers: the
 * rank of the tier.
 */

import { never } from "../../base/assert.ts";
import type { PoolView } from "../../engine/view.ts";
import type { LabOrder } from "../../model/policy.ts";

/** The key of a job under an order, now: a change of tier changes it. O(1). */
export function orderKey(order: LabOrder, view: PoolView, jobIdx: number): number {
  switch (order) {
    case "fcfs":
      return view.jobs.at.submitMs[jobIdx]!;
    case "shortest":
      return view.jobs.at.limitMs[jobIdx]!;
    case "tiers":
      return view.tierOfJob[jobIdx]!;
    default:
      return never(order);
  }
}
