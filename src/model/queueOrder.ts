/**
 * The order of a queue as one number per waiting job: a smaller key comes first, equal keys go by submit time and then by job
 * index. Schedulers sort by it and the page shows its queue by it, so both always agree; it reads nothing but the job table.
 * Orders that depend on who uses how much have no such number: theirs is the submit time, and the scheduler says the rest.
 */
import type { JobTable } from "./jobs.ts";
import type { LabOrder, SettingValue } from "./policy.ts";

const BY_LENGTH: ReadonlySet<LabOrder> = new Set(["shortest", "leastSlack"]);

/** Whether the job table alone has the keys of an order: not where it goes by run times and something else than limits is known of them. */
export function goesByLimits(order: LabOrder, runTimes: SettingValue | undefined): boolean {
  return !BY_LENGTH.has(order) || (runTimes ?? "limit") === "limit";
}

/**
 * The key of a job whose tier is now `tier` (0 = highest). First come, first served: the submit time, ms. Shortest first: the
 * time limit, or what the scheduler takes the job to run instead (`lengthMs`), ms; where that is `Infinity`, last. Tiers: the tier. Size: devices. Least
 * slack: deadline less the same, ms; without a deadline last, and where no length is known the deadline itself (earliest deadline first). Aging: submit time plus `agingMs` for each tier below the highest. O(1).
 */
export function queueKey(
  order: LabOrder,
  { at, lab }: Pick<JobTable, "at"> & Partial<Pick<JobTable, "lab">>,
  tier: number,
  jobIdx: number,
  agingMs = 0,
  lengthMs = at.limitMs[jobIdx]!,
): number {
  switch (order) {
    case "shortest":
      return lengthMs;
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
      return slackKey(lab?.get(jobIdx)?.deadlineMs, lengthMs);
    case "aging":
      return agingMs > 0 ? at.submitMs[jobIdx]! + tier * agingMs : tier;
    default:
      return at.submitMs[jobIdx]!;
  }
}

function slackKey(deadlineMs: number | undefined, lengthMs: number): number {
  if (deadlineMs === undefined || deadlineMs === Number.POSITIVE_INFINITY) {
    return Number.POSITIVE_INFINITY;
  }
  return lengthMs === Number.POSITIVE_INFINITY ? deadlineMs : deadlineMs - lengthMs;
}
