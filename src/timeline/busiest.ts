/** The moment worth looking at in a run that nobody has looked at yet: when most jobs wait. */
import type { Chunk } from "../record/shapes.ts";

/** The first time at which most jobs wait, ms; `null` where nobody ever does. O(rows of the series). */
export function busiestMs(chunks: readonly Chunk[]): number | null {
  const waiting: number[] = [];
  let sum = 0;
  let most = 0;
  let found: number | null = null;
  let nowMs = Number.NaN;
  const endInstant = (): void => {
    if (sum <= most) return;
    most = sum;
    found = nowMs;
  };
  for (const { series } of chunks) {
    for (let row = 0; row < series.atMs.length; row++) {
      // Tiers that change in one instant have a row each.
      if (series.atMs[row] !== nowMs) endInstant();
      nowMs = series.atMs[row]!;
      const tier = series.tier[row]!;
      sum += series.jobsWaiting[row]! - (waiting[tier] ?? 0);
      waiting[tier] = series.jobsWaiting[row]!;
    }
  }
  endInstant();
  return found;
}
