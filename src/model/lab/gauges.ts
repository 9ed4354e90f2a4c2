/** Numbers over time that schedulers and the engine record beside what happens: closed union, stored as one byte. */
import { codesOf } from "../../base/codes.ts";

export const GAUGES = [
  /** Team: GPUs beyond its quota, and GPUs of its quota that others use; the sum of what its pools say, as are credits. */
  "borrowed",
  "lent",
  /** Pool: clearing price of the last auction (credits for a GPU-hour). Team: credits left. */
  "price",
  "credits",
  /** Service: requests a second, replicas wanted and serving, latency at its percentile (ms). */
  "demand",
  "replicasWanted",
  "replicasServing",
  "latency",
  /** Pool: nodes open in it. */
  "poolNodes",
  /** Leaf: load of its uplinks (1 = full). */
  "uplink",
  /** Subject 0: jobs that write a checkpoint at the same time. */
  "writers",
  /** Pool: part of its free GPUs that the jobs of the workload cannot use (FGD). */
  "fragmentation",
  /** Pool: promised starts kept and broken so far. */
  "promisesKept",
  "promisesBroken",
  /** Number of a `QuotaCell`: what a ClusterQueue owns, uses, uses beyond its own, and of its own others use. CPUs whole, memory in GiB, other resources counted. */
  "quotaNominal",
  "quotaUsed",
  "quotaBorrowed",
  "quotaLent",
] as const;
export type Gauge = (typeof GAUGES)[number];
export const GaugeCode = codesOf(GAUGES);

/** Kinds whose subject is in several pools, each of which tells its own part: what is recorded is the sum. */
export const SUMMED_GAUGES: ReadonlySet<number> = new Set([
  GaugeCode.borrowed,
  GaugeCode.lent,
  GaugeCode.credits,
]);
