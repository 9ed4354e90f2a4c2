/**
 * The order of a queue as one number per waiting job: a smaller key comes first, equal keys go by submit time and then by job
 * index. Schedulers sort by it and the page shows its queue by it, so both always agree; it reads nothing but the job table.
 * Orders that depend on who uses how much have no such number: theirs is the submit time, and the scheduler says the rest.
 */
import type { JobTable } from "./jobs.ts";
import type { LabOrder } from "./policy.ts";

/**
 * The key of a job whose tier is now `tier` (0 = highest). First come, first served: the submit time, ms. Shortest first: the
 * time limit, ms; without one (`Infinity`), last. Tiers: the tier. Size: devices. Least slack: deadline less time limit, ms; without a
 * deadline last. Aging: submit time plus `agingMs` for each tier below the highest. O(1).
 */
export function queueKey(
  order: LabOrder,
  { at, lab }: Pick<JobTable, "at"> & Partial<Pick<JobTable, "lab">>,
  tier: number,
  jobIdx: number,
  agingMs = 0,
): number {
  switch (order) {
    case "shortest":
      return at.limitMs[jobIdx]!;
    case "tiers":
      return tier;
    case "smallest":
      return at.gpuTotal[jobIdx]!;
    case "largest":
      return -at.gpuTotal[jobIdx]!;
    case "priority":
    case "leastUsage":
      return -(lab?.get(jobIdx)?.priority ?? 0);
    case "highestBid":
      return -(lab?.get(jobIdx)?.bid ?? 0);
    case "leastSlack":
      return slackKey(lab?.get(jobIdx)?.deadlineMs, at.limitMs[jobIdx]!);
    case "aging":
      return agingMs > 0 ? at.submitMs[jobIdx]! + tier * agingMs : tier;
    default:
      return at.submitMs[jobIdx]!;
  }
}

/** A job without a limit and with a deadline has no time to lose. */
function slackKey(deadlineMs: number | undefined, limitMs: number): number {
  if (deadlineMs === undefined || deadlineMs === Number.POSITIVE_INFINITY) {
    return Number.POSITIVE_INFINITY;
  }
  return deadlineMs - limitMs;
}
