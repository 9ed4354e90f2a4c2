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
  /** GPUs, or processors on a flat machine. 0: a job of CPUs only (where there are `asks`). */
  devices: "i32",
  user: "u32",
  queue: "u16",
} as const satisfies Shape;

/** What a log of a batch system says beyond that; 0 where it says nothing. */
export const PARSED_ASK_SHAPE = {
  /** Nodes, each with an equal part of the job. */
  nodes: "i32",
  /** CPUs and memory of the whole job. */
  cpus: "i32",
  memMiB: "f64",
  /** Indexes into `teams` and `tiers`. */
  team: "u16",
  tier: "u8",
  /** 1 = ended with an exit code other than 0. */
  fails: "u8",
} as const satisfies Shape;

export interface ParsedAsks {
  readonly at: ArraysOf<typeof PARSED_ASK_SHAPE>;
  /** Accounts; "" = none. */
  readonly teams: readonly string[];
  /** QOS, the one that is served first in front; "" = none. */
  readonly tiers: readonly string[];
}

/** What a log of single pods says beyond that: one member on one node each. */
export const PARSED_POD_SHAPE = {
  cpuMilli: "i32",
  memMiB: "i32",
  /** Of one device in 1/1,000; 0 = whole devices. */
  shareMilli: "u16",
  /** Index into `modelLists`. */
  models: "u16",
} as const satisfies Shape;

export interface ParsedPods {
  readonly at: ArraysOf<typeof PARSED_POD_SHAPE>;
  /** GPU models that will do; empty = any. */
  readonly modelLists: readonly (readonly string[])[];
}

export interface ParsedWorkload {
  readonly format: string;
  readonly count: number;
  readonly at: ArraysOf<typeof PARSED_JOB_SHAPE>;
  /** Only from logs that have it. */
  readonly asks?: ParsedAsks;
  readonly pods?: ParsedPods;
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
  /** How far that clock is ahead of UTC; absent: the file does not say. */
  readonly zoneSec?: number;
  readonly firstSubmitMs: number;
}

/** Whether a submit time, ms from time 0 of the run, lies outside every run: before it, or beyond the longest one. */
export function isOutside(submitMs: number): boolean {
  return submitMs < 0 || submitMs > LIMITS.horizonMs;
}
