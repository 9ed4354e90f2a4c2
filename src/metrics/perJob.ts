/** What the metrics remember of each job while the record passes by: 49 bytes. */

import type { ArraysOf } from "../base/columns.ts";
import { allocate } from "../base/columns.ts";
import { EndStateCode } from "../model/states.ts";

const PER_JOB_SHAPE = {
  /** When work first went on; not a number before. */
  firstStartMs: "f64",
  lastEndMs: "f64",
  /** Length of the last run. */
  lastRunMs: "f64",
  /** Devices held × time, ms. */
  heldMs: "f64",
  /** The part of `heldMs` that belongs to a run that has not closed yet, and of that the part in which work went on. */
  openHeldMs: "f64",
  openRunningMs: "f64",
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
export function isFinished(endState: number): boolean {
  return (
    endState === EndStateCode.completed ||
    endState === EndStateCode.failed ||
    endState === EndStateCode.timeout
  );
}
