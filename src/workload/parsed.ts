/**
 * What a reader of a foreign workload hands over: jobs in columns, in file order, and everything it could not use, counted by
 * reason. Readers live in `formats/`; `workload/expand.ts` turns this into the job table.
 */
import type { ArraysOf, Shape } from "../base/columns.ts";
import type { NameList } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";

export const PARSED_JOB_SHAPE = {
  submitMs: "f64",
  runMs: "f64",
  /** `Infinity` where the log has none. */
  limitMs: "f64",
  /** GPUs, or processors on a flat machine. */
  devices: "i32",
  user: "u32",
  queue: "u16",
} as const satisfies Shape;

export interface ParsedWorkload {
  readonly format: string;
  readonly count: number;
  readonly at: ArraysOf<typeof PARSED_JOB_SHAPE>;
  readonly ids: NameList;
  readonly users: readonly string[];
  readonly queues: readonly string[];
  /** Rows that describe no job that can run, by reason; they are reported, never silently dropped. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Facts of rows that were kept, by name: `runOverLimit`, `outOfOrder`, … */
  readonly noted: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** What the file says of its machine, where it says anything. */
  readonly machine: {
    readonly processors?: number;
    readonly nodes?: number;
    readonly flat: boolean;
  };
  /** Wall clock of the file's time 0, Unix seconds, and the submit time of the first kept job, which becomes time 0. */
  readonly originUnixSec: number | null;
  readonly firstSubmitMs: number;
}

/** Whether a submit time, ms from time 0 of the run, lies outside every run: before it, or beyond the longest one. */
export function isOutside(submitMs: number): boolean {
  return submitMs < 0 || submitMs > LIMITS.horizonMs;
}
