/** The same numbers for each tier and each team: jobs are dealt into their groups once, by counting. */
import type { JobTable } from "../model/jobs.ts";
import { HOUR_MS, SECOND_MS } from "../model/units.ts";
import type { PerJob } from "./perJob.ts";
import { isFinished, isService } from "./perJob.ts";
import { distributionSteps } from "./quantiles.ts";
import type { GroupMetrics } from "./runMetrics.ts";

/** Key of the jobs that name no team. */
const NO_GROUP = "none";

interface Group {
  readonly id: string;
}

/** Metrics by the id of the group, in steps; groups without a job are left out. `unit`: see `PerJob.held`. O(jobs + groups). */
export function* groupSteps(
  groups: readonly Group[],
  groupOfJob: Uint8Array | Uint16Array,
  jobs: Pick<JobTable, "count" | "at">,
  per: PerJob,
  unit: number,
): Generator<void, Record<string, GroupMetrics>> {
  const count = groups.length;
  const jobCount = new Uint32Array(count);
  const started = new Uint32Array(count);
  /** Of those that started, the ones whose wait counts. */
  const waited = new Uint32Array(count);
  const finished = new Uint32Array(count);
  const held = new Float64Array(count);
  for (let job = 0; job < jobs.count; job++) {
    const group = groupOfJob[job]!;
    jobCount[group]!++;
    held[group]! += per.held[job]!;
    if (!Number.isNaN(per.firstStartMs[job]!)) {
      started[group]!++;
      if (!isService(jobs, job)) waited[group]!++;
    }
    if (isFinished(per.lastEndState[job]!)) finished[group]!++;
  }
  yield;
  const waits = waitsByGroup(groupOfJob, waited, jobs, per);
  yield;
  const entries: [string, GroupMetrics][] = [];
  for (const [index, group] of groups.entries()) {
    if (jobCount[index] === 0) continue;
    const metrics: GroupMetrics = {
      jobs: jobCount[index]!,
      started: started[index]!,
      finished: finished[index]!,
      waitSec: yield* distributionSteps(waits[index]!),
      gpuHoursAllocated: held[index]! / unit / HOUR_MS,
    };
    entries.push([group.id === "" ? NO_GROUP : group.id, metrics]);
  }
  return Object.fromEntries(entries);
}

/** The waits of each group, as stretches of one array. */
function waitsByGroup(
  groupOfJob: Uint8Array | Uint16Array,
  waited: Uint32Array,
  jobs: Pick<JobTable, "count" | "at">,
  per: PerJob,
): Float64Array[] {
  const next = new Uint32Array(waited.length + 1);
  for (let group = 0; group < waited.length; group++)
    next[group + 1] = next[group]! + waited[group]!;
  const first = next.slice();
  const values = new Float64Array(next[waited.length]!);
  for (let job = 0; job < jobs.count; job++) {
    const startMs = per.firstStartMs[job]!;
    if (Number.isNaN(startMs) || isService(jobs, job)) continue;
    values[next[groupOfJob[job]!]!++] = (startMs - jobs.at.submitMs[job]!) / SECOND_MS;
  }
  return Array.from(waited, (_, group) => values.subarray(first[group]!, first[group + 1]!));
}
