/**
 * The keyboard's way through the bars: a cursor that stands on one bar of one device row and steps to the next, the previous,
 * or the nearest bar of the row above or below. Rows of far blocks take part like all others, since a strip of load has no bars.
 */
import type { Part } from "./rowIndex.ts";
import type { RowUnits } from "./rowUnits.ts";

export interface BarCursor {
  readonly device: number;
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly bits: number;
}

/** The bar of a device row that runs at `atMs` (±`Infinity` for the ends), else the next one, else the last. Null for an empty row. */
export function barNear(
  parts: readonly Part[],
  units: RowUnits,
  device: number,
  atMs: number,
): BarCursor | null {
  // Past any run, and still exact when ms are added to it.
  const nearMs = Math.min(Math.max(atMs, -1), 1e13);
  let best: BarCursor | null = null;
  let bestFar = Number.POSITIVE_INFINITY;
  eachOfRow(parts, units, device, (bar) => {
    const far = bar.endMs <= nearMs ? 1e15 + nearMs - bar.endMs : Math.max(0, bar.startMs - nearMs);
    if (far < bestFar) {
      bestFar = far;
      best = bar;
    }
  });
  return best;
}

/** The bar after (`by` = 1) or before (−1) the cursor in its row; null at the row's end. */
export function nextBar(
  parts: readonly Part[],
  units: RowUnits,
  from: BarCursor,
  by: 1 | -1,
): BarCursor | null {
  let best: BarCursor | null = null;
  eachOfRow(parts, units, from.device, (bar) => {
    const after = bar.startMs > from.startMs;
    const before = bar.startMs < from.startMs;
    if (
      by > 0
        ? after && (!best || bar.startMs < best.startMs)
        : before && (!best || bar.startMs > best.startMs)
    ) {
      best = bar;
    }
  });
  return best;
}

/**
 * The bar in the next row down (`by` = 1) or up (−1) near the same time. Rows held by the same bar are passed, and rows
 * without bars: a whole-node bar is one step, not eight.
 */
export function barInRow(
  parts: readonly Part[],
  units: RowUnits,
  from: BarCursor,
  by: 1 | -1,
  aroundMs: number,
): BarCursor | null {
  const deviceCount = units.unitOfDevice.length;
  for (let device = from.device + by; device >= 0 && device < deviceCount; device += by) {
    const bar = barNear(parts, units, device, aroundMs);
    if (!bar) continue;
    const same = bar.jobIdx === from.jobIdx && bar.startMs === from.startMs;
    if (!same || units.unitOfDevice[device] !== units.unitOfDevice[from.device]) return bar;
  }
  return null;
}

function eachOfRow(
  parts: readonly Part[],
  units: RowUnits,
  device: number,
  visit: (bar: BarCursor) => void,
): void {
  const u = units.unitOfDevice[device]!;
  const row = device - units.unitFirst[u]!;
  for (const part of parts) {
    for (let e = part.first[u]!; e < part.first[u + 1]!; e++) {
      const first = part.rows[e]! & 255;
      if (row < first || row >= first + (part.rows[e]! >> 8)) continue;
      visit({
        device,
        jobIdx: part.jobIdx[e]!,
        startMs: part.startMs[e]!,
        endMs: part.endMs[e]!,
        bits: part.bits[e]!,
      });
    }
  }
}
