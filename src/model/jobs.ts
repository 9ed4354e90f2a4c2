/**
 * Jobs in columns. A job is components × members; most jobs have one component. Jobs are numbered in order of submit time,
 * equal times in the order of the document; jobs injected later follow behind, so that a number never changes its meaning.
 *
 *     job row:        submitMs workQ16 limitMs tier team user queue kind flags | firstComponent
 *     component row:  members minMembers gpus share mig cpus memMiB model flags
 */
import type { ArraysOf, Shape } from "../base/columns.ts";
import type { KubernetesRequest } from "./kubernetes/request.ts";
import type { JobLife } from "./lab/jobLife.ts";
import type { SlurmRequest } from "./slurm/request.ts";

export const JOB_SHAPE = {
  submitMs: "f64",
  /** Reference work in 1/65,536 ms (`units.ts`). */
  workQ16: "f64",
  /** The user's time limit; `Infinity` = none. Schedulers plan with it, never with the work. */
  limitMs: "f64",
  /** Nothing starts before this (begin time); equal to the submit time where none was asked for. */
  beginMs: "f64",
  tier: "u8",
  kind: "u8",
  flags: "u8",
  team: "u16",
  queue: "u16",
  user: "u32",
  /** First row in the component table; the next job's entry ends it (one more entry at the end). */
  firstComponent: "u32",
  /** All members of all components: devices asked for (whole ones; fractions count up), CPUs in 1/1,000, MiB. */
  gpuTotal: "i32",
} as const satisfies Shape;

export const COMPONENT_SHAPE = {
  members: "i32",
  minMembers: "i32",
  /** Whole devices a member; with `shareMilli` or `mig` set this is 1. */
  gpus: "i32",
  /** 0 = whole devices; else the share of one device in 1/1,000. */
  shareMilli: "u16",
  /** 0 = none; else 1 + index into `JobTable.migProfiles`. */
  mig: "u8",
  /** 1 = each member on a node of its own. */
  ownNode: "u8",
  /** CPUs a member, in 1/1,000. */
  cpuMilli: "i32",
  memMiB: "i32",
  /** 0 = any; else 1 + index into `JobTable.gpuModels`. */
  gpuModel: "u8",
} as const satisfies Shape;

export const JobFlag = {
  preemptible: 1,
  /** All members start together. */
  gang: 2,
  /** Wish: all members under one leaf. */
  sameLeaf: 4,
  /** Wish: all members in one NVSwitch domain. */
  sameNvswitch: 8,
  /** Put in by an intervention. */
  injected: 16,
  /** A service: no end of its own. */
  service: 32,
  /** Ends with an exit code other than 0. */
  fails: 64,
  /** No limit is known: what stands for it is for plans, and nobody is stopped there. */
  limitless: 128,
} as const;

export const JOB_KINDS = ["training", "inference", "interactive", "ci", "batch"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const DEPENDENCY_KINDS = ["after", "afterOk", "afterNotOk", "afterAny"] as const;
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

export interface Dependency {
  readonly jobIdx: number;
  readonly onJobIdx: number;
  readonly kind: DependencyKind;
  /** `after` only: met this long after the start (ms). */
  readonly delayMs: number;
  /** One of several alternatives of the job: it may start when any of them is met. */
  readonly anyOf: boolean;
  /** From `singleton`: reported in that word. */
  readonly singleton: boolean;
}

export interface JobTable {
  /** All jobs, injected ones included. */
  readonly count: number;
  readonly at: ArraysOf<typeof JOB_SHAPE>;
  readonly components: ArraysOf<typeof COMPONENT_SHAPE>;
  /** The names people use: `1234`, `moe-16x8`. `id` is unique, `name` need not be; a job that has a number is named by it, so both may share `numbers`. */
  readonly ids: NameList;
  readonly names: NameList;
  readonly users: readonly string[];
  readonly gpuModels: readonly string[];
  readonly migProfiles: readonly string[];
  readonly dependencies: readonly Dependency[];
  /** What single jobs ask of Slurm beyond their shape; jobs of one kind share one object. */
  readonly slurm: ReadonlyMap<number, SlurmRequest>;
  /** What single jobs do in their life and ask of their nodes; jobs of one kind share one object. Absent = nothing of it. */
  readonly lab: ReadonlyMap<number, JobLife>;
  /** What single jobs ask of the Kubernetes family; jobs of one kind share one object. Absent = nothing of it. */
  readonly kubernetes?: ReadonlyMap<number, KubernetesRequest>;
  /** Place in the document's list by job, where that is not in the order of submission; absent = the places are the numbers. */
  readonly listed?: Uint32Array;
  /** Tables that are told to be `of` the same have the same first `rows` rows, in every column, name and request: all but the injected jobs. */
  readonly origin?: JobOrigin;
}

export interface JobOrigin {
  readonly of: object;
  readonly rows: number;
}

/**
 * A list of strings that costs no object per entry where the strings are numbers: `numbers[i]` when it is not negative,
 * else `texts.get(i)`, else the empty string.
 */
export interface NameList {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: ReadonlyMap<number, string>;
}

/** The text of one entry; empty where the index is outside the list. O(1). */
export function nameOf(list: NameList, index: number): string {
  const number = list.numbers[index];
  if (number !== undefined && number >= 0) return String(number);
  return list.texts.get(index) ?? "";
}
