/**
 * Policies against each other under the same seeds: each number with its mean and 95 % interval over the replications, and its difference to the
 * first policy's, seed by seed. All policies meet the same arrivals, so the differences are narrower than the intervals. See `replications.ts`.
 */
import { type Interval, intervalOf, isDistinct, pairedDifference } from "./replications.ts";
import type { RunMetrics } from "./runMetrics.ts";

/** The numbers that are compared, by their place in the output of `run`. */
const COMPARED: readonly (readonly [string, (metrics: RunMetrics) => number | null])[] = [
  ["waitSec.mean", ({ waitSec }) => waitSec.mean],
  ["waitSec.p95", ({ waitSec }) => waitSec.p95],
  ["turnaroundSec.mean", ({ turnaroundSec }) => turnaroundSec.mean],
  ["boundedSlowdown.mean", ({ boundedSlowdown }) => boundedSlowdown.mean],
  ["boundedSlowdown10Min.mean", ({ boundedSlowdown10Min }) => boundedSlowdown10Min.mean],
  ["makespanSec", ({ makespanSec }) => makespanSec],
  ["throughput.jobsPerHour", ({ throughput }) => throughput.jobsPerHour],
  ["throughput.usefulGpuHoursPerHour", ({ throughput }) => throughput.usefulGpuHoursPerHour],
  ["utilization.allocated", ({ utilization }) => utilization.allocated],
  ["utilization.useful", ({ utilization }) => utilization.useful],
  ["utilization.idleWhileWaiting", ({ utilization }) => utilization.idleWhileWaiting],
  ["goodput", ({ goodput }) => goodput],
  ["gpuHours.lost", ({ gpuHours }) => gpuHours.lost],
  ["gpuHours.overhead", ({ gpuHours }) => gpuHours.overhead],
  ["fragmentation", ({ fragmentation }) => fragmentation],
  ["fairness.jain", ({ fairness }) => fairness.jain],
  ["fairness.shareError", ({ fairness }) => fairness.shareError],
  ["fairness.finishTime.mean", ({ fairness }) => fairness.finishTime.mean],
  ["preemptions", ({ preemptions }) => preemptions],
  ["suspensions", ({ suspensions }) => suspensions],
  ["shrinks", ({ shrinks }) => shrinks],
  ["promises.broken", ({ promises }) => promises.broken],
  ["cost.total", ({ cost }) => cost?.total ?? null],
];

export interface ComparedValue extends Interval {
  /** In order of the seeds. */
  readonly values: readonly number[];
  /** To the first policy; null for the first itself. */
  readonly difference: (Interval & { readonly distinct: boolean }) | null;
}

/** By name, for each policy in turn. Numbers that a run lacks are left out. `runs`: by policy, then by seed. O(numbers × runs). */
export function compareRuns(
  runs: readonly (readonly RunMetrics[])[],
): ReadonlyMap<string, readonly ComparedValue[]> {
  const found = new Map<string, readonly ComparedValue[]>();
  for (const [name, of] of COMPARED) {
    const values = runs.map((seeds) => seeds.map(of));
    const first = values[0];
    if (first === undefined || !values.every(isComplete) || !isComplete(first)) continue;
    const compared = values.map((own, policy): ComparedValue => {
      const numbers = own as readonly number[];
      const difference = policy === 0 ? null : pairedDifference(first, numbers);
      return {
        ...intervalOf(numbers),
        values: numbers,
        difference: difference && { ...difference, distinct: isDistinct(difference) },
      };
    });
    found.set(name, compared);
  }
  return found;
}

function isComplete(values: readonly (number | null)[]): values is readonly number[] {
  return values.every((value) => value !== null);
}
