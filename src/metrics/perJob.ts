/** What the metrics remember of each job while the record passes by: 68 bytes. */

import type { ArraysOf } from "../base/columns.ts";
import { allocate } from "../base/columns.ts";
import { JobFlag, type JobTable } from "../model/jobs.ts";
import { EndStateCode } from "../model/states.ts";

const PER_JOB_SHAPE = {
  /** When work first went on; not a number before. */
  firstStartMs: "f64",
  lastEndMs: "f64",
  /** Last row of the job, runs or not: when it left, or was queued again. */
  leftMs: "f64",
  /** Length of the last run. */
  lastRunMs: "f64",
  /** Devices held × time, in parts of a device-millisecond (`DeviceTime.unit`). */
  held: "f64",
  /** The part of `held` that belongs to a run that has not closed yet, and of that the part in which work went on. */
  openHeld: "f64",
  openRunning: "f64",
  /** The time in which work went on in the run that completed. */
  usefulOfJob: "f64",
  /** Runs that closed. */
  runs: "u16",
  /** 1 = runs or waits at the end of the record. */
  living: "u8",
  /** `EndStateCode` of the last row of the job; 0 = still going on, or never ran. */
  lastEndState: "u8",
} as const;
export type PerJob = ArraysOf<typeof PER_JOB_SHAPE>;

/** The memory for `jobs` jobs, none of which has started. O(jobs). */
export function makePerJob(jobs: number): PerJob {
  const per = allocate(PER_JOB_SHAPE, jobs);
  per.firstStartMs.fill(Number.NaN);
  return per;
}

/** A job has ended for good after running: its work done, whatever its exit code, or killed at its limit. */
/** A replica of a service is no job that somebody waits for: whether it is wanted is the autoscaler's affair, and its latency says how it did. */
export function isService(jobs: Pick<JobTable, "at">, job: number): boolean {
  return (jobs.at.flags[job]! & JobFlag.service) !== 0;
}

export function isFinished(endState: number): boolean {
  return (
    endState === EndStateCode.completed ||
    endState === EndStateCode.failed ||
    endState === EndStateCode.timeout
  );
}
