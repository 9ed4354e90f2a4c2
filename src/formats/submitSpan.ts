/**
 * A row whose clock slipped (a submit time of 0 among Unix times, a stray exponent) would stretch the run over centuries and leave
 * nothing to see. Times are taken as they are as long as all fit into the longest run; else those far from the middle one are out.
 */
import { LIMITS } from "../model/limits.ts";
import { isOutside } from "../workload/parsed.ts";

export interface SubmitSpan {
  /** Time 0 of the run: the earliest submit time that counts, 0 where there is none. */
  readonly firstMs: number;
  /** Rows that lie before it, or further behind it than the longest run. */
  readonly outside: number;
}

/** O(rows); O(rows log rows) only where rows are out. */
export function submitSpan(submitMs: Float64Array): SubmitSpan {
  if (submitMs.length === 0) return { firstMs: 0, outside: 0 };
  let leastMs = Number.POSITIVE_INFINITY;
  let mostMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < submitMs.length; row++) {
    leastMs = Math.min(leastMs, submitMs[row]!);
    mostMs = Math.max(mostMs, submitMs[row]!);
  }
  if (mostMs - leastMs <= LIMITS.horizonMs) return { firstMs: leastMs, outside: 0 };
  const sorted = submitMs.slice().sort();
  const middleMs = sorted[sorted.length >> 1]!;
  const firstMs = sorted.find((atMs) => atMs >= middleMs - LIMITS.horizonMs / 2) ?? middleMs;
  const outside = sorted.filter((atMs) => isOutside(atMs - firstMs)).length;
  return { firstMs, outside };
}
