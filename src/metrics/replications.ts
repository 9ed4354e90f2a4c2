/**
 * Replications: the same question under several seeds, and two answers compared seed by seed. Intervals are Student's t over the replications'
 * values, each of which is one number of one run; runs with different seeds are independent, rows within a run are not. Source: Law,
 * Simulation Modeling and Analysis, fifth edition, chapters 9 (replication) and 10 (paired t).
 */
import tQuantile from "@stdlib/stats-base-dists-t-quantile";

export interface Interval {
  readonly mean: number;
  /** Half the width of the 95 % confidence interval; `Infinity` for a single value. */
  readonly halfWidth: number;
  readonly count: number;
}

/** Mean and 95 % interval of independent values. O(values). */
export function intervalOf(values: readonly number[]): Interval {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, halfWidth: Number.POSITIVE_INFINITY, count };
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  return { mean, halfWidth: tQuantile(0.975, count - 1) * error, count };
}

/**
 * How much `b` differs from `a`, seed by seed: both must have met the same arrivals, so that most of the noise cancels. The difference is
 * distinguishable from none where the interval does not hold 0. O(values).
 */
export function pairedDifference(a: readonly number[], b: readonly number[]): Interval {
  return intervalOf(b.map((value, index) => value - a[index]!));
}

/** Whether an interval says that its sign is no accident. */
export function isDistinct({ mean, halfWidth }: Interval): boolean {
  return Math.abs(mean) > halfWidth;
}
