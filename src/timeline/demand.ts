/**
 * The step series of the record summed over tiers: devices held, devices and jobs waited for, over time. It answers "does work
 * wait at t" for the idle ground of the Gantt, and draws the minimap. It is kept by chunk list and extended when chunks come.
 */
import type { Chunk } from "../record/shapes.ts";

export interface Demand {
  readonly count: number;
  readonly atMs: Float64Array;
  readonly gpusHeld: Int32Array;
  readonly gpusWaited: Int32Array;
  readonly jobsWaiting: Int32Array;
}

const EMPTY: Demand = {
  count: 0,
  atMs: new Float64Array(0),
  gpusHeld: new Int32Array(0),
  gpusWaited: new Int32Array(0),
  jobsWaiting: new Int32Array(0),
};

/** Sums the series of all tiers. O(rows of the series). */
export function demandOf(chunks: readonly Chunk[]): Demand {
  let rows = 0;
  for (const chunk of chunks) rows += chunk.series.atMs.length;
  if (rows === 0) return EMPTY;
  const atMs = new Float64Array(rows);
  const gpusHeld = new Int32Array(rows);
  const gpusWaited = new Int32Array(rows);
  const jobsWaiting = new Int32Array(rows);
  const held = new Int32Array(256);
  const waited = new Int32Array(256);
  const waiting = new Int32Array(256);
  let count = 0;
  let sumHeld = 0;
  let sumWaited = 0;
  let sumWaiting = 0;
  for (const { series } of chunks) {
    for (let i = 0; i < series.atMs.length; i++) {
      const tier = series.tier[i]!;
      sumHeld += series.gpusHeld[i]! - held[tier]!;
      sumWaited += series.gpusWaited[i]! - waited[tier]!;
      sumWaiting += series.jobsWaiting[i]! - waiting[tier]!;
      held[tier] = series.gpusHeld[i]!;
      waited[tier] = series.gpusWaited[i]!;
      waiting[tier] = series.jobsWaiting[i]!;
      if (count === 0 || atMs[count - 1] !== series.atMs[i]!) count += 1;
      atMs[count - 1] = series.atMs[i]!;
      gpusHeld[count - 1] = sumHeld;
      gpusWaited[count - 1] = sumWaited;
      jobsWaiting[count - 1] = sumWaiting;
    }
  }
  return { count, atMs, gpusHeld, gpusWaited, jobsWaiting };
}

/** Last step at or before `atMs`; −1 before the first. O(log n). */
export function demandStepAt(demand: Demand, atMs: number): number {
  let low = 0;
  let high = demand.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (demand.atMs[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Marks in `out` the pixels of a plot during which some job waits: 1 where one waits at any time of the pixel. Steps shorter
 * than a pixel are never lost. O(log n + steps in the window + width).
 */
export function markWaiting(
  demand: Demand,
  pxPerMs: number,
  originPx: number,
  from: number,
  to: number,
  knownMs: number,
  out: Uint8Array,
): void {
  out.fill(0, from, to);
  const fromMs = (from + originPx) / pxPerMs;
  for (let i = Math.max(0, demandStepAt(demand, fromMs)); i < demand.count; i++) {
    if (demand.atMs[i]! * pxPerMs - originPx >= to) return;
    if (demand.jobsWaiting[i]! <= 0) continue;
    const untilMs = i + 1 < demand.count ? demand.atMs[i + 1]! : knownMs;
    const x0 = Math.max(from, Math.floor(demand.atMs[i]! * pxPerMs) - originPx);
    const x1 = Math.min(to, Math.max(x0 + 1, Math.ceil(untilMs * pxPerMs) - originPx));
    if (x1 > x0) out.fill(1, x0, x1);
  }
}
