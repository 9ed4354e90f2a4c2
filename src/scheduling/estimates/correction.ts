/**
 * A run that has outlived its estimate: how much longer it is now taken to run. The estimate grows by steps of a fixed list that get longer, since a
 * run that has exceeded its prediction tends to exceed the next one too, and a plan that expects its end every minute keeps everybody waiting.
 * Source: Tsafrir, Etsion, Feitelson, Backfilling using system-generated predictions rather than user runtime estimates, IEEE TPDS 18(6), 2007 (the
 * "prediction correction" of the paper: added minutes, then hours).
 */
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";

const STEPS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  20 * HOUR_MS,
  50 * HOUR_MS,
  100 * HOUR_MS,
];

/** The corrected length of a run that has lasted `ranMs`: the estimate, or the first corrected one that is longer. O(steps). */
export function correctedMs(estimateMs: number, ranMs: number): number {
  if (ranMs < estimateMs) return estimateMs;
  let lengthMs = estimateMs;
  for (const stepMs of STEPS_MS) {
    lengthMs += stepMs;
    if (lengthMs > ranMs) return lengthMs;
  }
  const lastMs = STEPS_MS[STEPS_MS.length - 1]!;
  return lengthMs + (Math.floor((ranMs - lengthMs) / lastMs) + 1) * lastMs;
}
