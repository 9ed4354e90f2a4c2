/**
 * What a reader of a foreign workload gives back: the jobs that can run, and the facts of the whole file. Both come from one
 * pass, so that what the product simulates and what it says of a file cannot drift apart.
 */
import { countText, numberText } from "../base/format.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";

/** The JSON of `queuescope facts`: sums over every row, runnable or not; null where the format cannot say. */
export interface FileFacts {
  readonly format: string;
  /** Rows that describe a job, also those that cannot run. */
  readonly jobs: number;
  /** Rows that no run can use, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Peculiarities of rows that were kept, by name. */
  readonly noted: Readonly<Record<string, number>>;
  /** Earliest and latest submit time in the file's own clock, seconds. */
  readonly submitFirstSec: number | null;
  readonly submitLastSec: number | null;
  readonly gpuHours: number | null;
  readonly cpuHours: number | null;
  readonly maxGpus: number | null;
  readonly maxProcs: number | null;
  /** Jobs by the source's own status codes. */
  readonly statusCounts: Readonly<Record<string, number>> | null;
  readonly users: number | null;
  /** Distinct values of the partition field; a log without partitions has one. */
  readonly partitions: number | null;
  /** What the file says of its machine; null where it says nothing. */
  readonly nodes: number | null;
  readonly processors: number | null;
  readonly warnings: readonly string[];
}

export interface ForeignWorkload {
  readonly facts: FileFacts;
  readonly workload: ParsedWorkload;
}

/** Reads the (unpacked) bytes of a file. `name` is used in messages only. */
export type Reader = (bytes: Uint8Array, name: string) => Result<ForeignWorkload, Problem[]>;

/** Counts by name, for `skipped` and `noted`. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** In order of first appearance. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}

/** Sentences for the names in `skipped` and `noted`, shown as "12 rows: run time unknown". */
export const ROW_NOTES: Readonly<Record<string, string>> = {
  runUnknown: "run time unknown, so the job cannot be replayed",
  noProcessors: "no number of processors, so the job cannot be replayed",
  noGpus: "no GPU asked for, so the job cannot be replayed",
  runTooLong: "run time above four years, so the job cannot be replayed",
  step: "a step of a job: what it used is in the job's own row",
  neverStarted: "never started, so how long the job would run is not known",
  earlierRun: "one of several runs of a job that was requeued: its last run counts",
  notNumbers: "not a row of numbers",
  badRow: "a field is missing or is no number",
  submitTooFar: "submitted decades before or after the other rows: its clock must have been wrong",
  runZero: "run time 0: the job starts and ends at once",
  stillRunning: "still running when the file was written: its time so far is taken",
  runEstimated: "run time told only by CPU time: divided by the CPUs, at most the time limit",
  hetComponent: "component of a heterogeneous job: taken as a job of its own",
  runOverLimit: "run time above the time limit: the job is cut at its limit unless killing is off",
  outOfOrder: "submitted before the row above it",
  negativeSubmit: "submitted before time 0 of the file",
  noLimit: "no time limit: the run time stands for it in plans, and nothing is stopped there",
  askedMissing: "processors asked for are missing: those allocated stand for them",
  allocatedMissing: "processors allocated are missing",
  allocatedNotAsked: "processors allocated differ from those asked for",
  largerThanMachine: "larger than the machine that the file names: the job will be refused",
  queueBeyond: `beyond the first ${numberText(LIMITS.traceQueues)} queues of the file: taken as of no queue`,
  duplicateId: "a job number that an earlier row has: a suffix keeps them apart",
};

/** One sentence for each reason, for people. */
export function noteSentences(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(
    ([name, count]) => `${countText(count, "row")}: ${ROW_NOTES[name] ?? name}.`,
  );
}
