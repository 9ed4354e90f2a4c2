/** Waits by how many devices jobs ask for: who pays for a policy is most often the large, or the small. */
import type { JobTable } from "../model/jobs.ts";
import { isService } from "./perJob.ts";

/** Upper ends of the groups, devices; the last group is open. */
const SIZE_ENDS = [1, 4, 8, 32, 128, Number.POSITIVE_INFINITY] as const;

export interface SizeWaits {
  /** Devices asked for, from … to. */
  readonly from: number;
  readonly to: number;
  readonly jobs: number;
  readonly started: number;
  /** First start − submit, mean over those that started, ms; NaN where none did. */
  readonly meanWaitMs: number;
}

/** Groups that have jobs, smallest first. `startMs`: first starts, NaN = none. O(jobs). */
export function waitsBySize(
  jobs: Pick<JobTable, "count" | "at">,
  startMs: Float64Array,
): SizeWaits[] {
  const sums = SIZE_ENDS.map(() => ({ jobs: 0, started: 0, waitMs: 0 }));
  for (let job = 0; job < jobs.count; job++) {
    if (isService(jobs, job)) continue;
    const devices = jobs.at.gpuTotal[job]!;
    const sum = sums[SIZE_ENDS.findIndex((end) => devices <= end)]!;
    sum.jobs++;
    if (Number.isNaN(startMs[job]!)) continue;
    sum.started++;
    sum.waitMs += startMs[job]! - jobs.at.submitMs[job]!;
  }
  return sums.flatMap(({ jobs: count, started, waitMs }, group) =>
    count === 0
      ? []
      : [
          {
            from: group === 0 ? 0 : SIZE_ENDS[group - 1]! + 1,
            to: SIZE_ENDS[group]!,
            jobs: count,
            started,
            meanWaitMs: waitMs / started,
          },
        ],
  );
}
