/**
 * The order of a queue as one number per waiting job: a smaller key comes first, equal keys go by submit time and then by job
 * index. Schedulers sort by it and the page shows its queue by it, so both always agree; it reads nothing but the job table.
 */
import { never } from "../base/assert.ts";
import type { JobTable } from "./jobs.ts";
import type { LabOrder } from "./policy.ts";

/**
 * The key of a job whose tier is now `tier` (0 = highest). First come, first served: the submit time, ms. Shortest first: the
 * time limit, ms; without one (`Infinity`), last. Tiers: the tier. O(1).
 */
export function queueKey(
  order: LabOrder,
  { at }: Pick<JobTable, "at">,
  tier: number,
  jobIdx: number,
): number {
  switch (order) {
    case "fcfs":
      return at.submitMs[jobIdx]!;
    case "shortest":
      return at.limitMs[jobIdx]!;
    case "tiers":
      return tier;
    default:
      return never(order);
  }
}
