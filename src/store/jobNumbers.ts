/**
 * Jobs are addressed by number. Injected jobs follow the others, so the numbers of one record hold in another only while no
 * injected job moved: removing the first of two moves the second.
 */

import type { JobTable } from "../model/jobs.ts";
import { JobFlag, nameOf } from "../model/jobs.ts";

export type NumberedJobs = Pick<JobTable, "count" | "ids"> & {
  readonly at: Pick<JobTable["at"], "flags" | "submitMs">;
};

/** Number of the first injected job; the count of jobs when there is none. O(injected jobs). */
function firstInjected(jobs: NumberedJobs): number {
  let first = jobs.count;
  while (first > 0 && (jobs.at.flags[first - 1]! & JobFlag.injected) !== 0) first--;
  return first;
}

/** True when every job of `before` has the same number in `after`, both being expanded from one workload. O(injected jobs). */
export function jobsKeepTheirNumbers(
  before: { readonly jobs: NumberedJobs },
  after: { readonly jobs: NumberedJobs },
): boolean {
  if (after.jobs.count < before.jobs.count) return false;
  const first = firstInjected(before.jobs);
  if (firstInjected(after.jobs) !== first) return false;
  for (let job = first; job < before.jobs.count; job++) {
    if (nameOf(before.jobs.ids, job) !== nameOf(after.jobs.ids, job)) return false;
  }
  return true;
}
