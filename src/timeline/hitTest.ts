/**
 * What is under the pointer: arithmetic for the row, bisection for the bar. Bars that share the pixel are counted, so that a
 * tooltip can say "17 jobs here; longest: …".
 */
import { WHOLE_DEVICE } from "../model/units.ts";
import { createBars, emitUnit } from "./lod.ts";
import type { PartPlaces } from "./partPlaces.ts";
import type { PixelScale } from "./pixelScale.ts";
import { xDevOf } from "./pixelScale.ts";
import type { Part } from "./rowIndex.ts";
import { drawsBars, padOf, type RowLayout, unitAt } from "./rows.ts";
import { rowsOfUnit } from "./rowUnits.ts";

export interface Hit {
  readonly block: number;
  readonly unit: number;
  /** Global device index; the unit's first in a far block. */
  readonly device: number;
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly bits: number;
  /** Bars on this pixel of this row, this one included. */
  readonly barCount: number;
}

const scratch = createBars();

/** The bar at a pixel, or null. Where load is drawn, no bar is hit. O(log n + bars on the pixel). */
export function hitTest(
  parts: readonly Part[],
  layout: RowLayout,
  scale: PixelScale,
  xDev: number,
  yDev: number,
  openEndMs: number,
  partPlaces: PartPlaces | null = null,
): Hit | null {
  const unit = unitAt(layout, yDev);
  if (unit < 0) return null;
  const block = layout.units.blockOfUnit[unit]!;
  if (!drawsBars(layout, block)) return null;
  const rows = rowsOfUnit(layout.units, unit);
  const height = layout.unitH[unit]! - padOf(layout, unit);
  const place = ((yDev - layout.unitY[unit]!) * rows) / height;
  const row = Math.min(rows - 1, Math.floor(place));
  const milli = (place - row) * WHOLE_DEVICE;
  const x = Math.floor(xDev);
  emitUnit(parts, unit, scale, x, x + 1, openEndMs, scratch);
  let best = -1;
  for (let i = 0; i < scratch.count; i++) {
    const from = scratch.row[i]!;
    if (row < from || row >= from + scratch.rows[i]! || scratch.x0[i]! > x || scratch.x1[i]! <= x)
      continue;
    const part = partPlaces?.placeOf(
      layout.units.unitFirst[unit]! + row,
      scratch.bits[i]!,
      scratch.jobIdx[i]!,
      scratch.startMs[i]!,
    );
    if (!part || (milli >= part.from && milli < part.to)) best = i;
  }
  if (best < 0) return null;
  return {
    block,
    unit,
    device: layout.units.unitFirst[unit]! + row,
    jobIdx: scratch.jobIdx[best]!,
    startMs: scratch.startMs[best]!,
    endMs: scratch.endMs[best]!,
    bits: scratch.bits[best]!,
    barCount: barsOnPixel(parts, unit, row, scale, x),
  };
}

function barsOnPixel(
  parts: readonly Part[],
  unit: number,
  row: number,
  scale: PixelScale,
  x: number,
): number {
  let count = 0;
  for (const part of parts) {
    for (let e = part.first[unit]!; e < part.first[unit + 1]!; e++) {
      const x0 = xDevOf(part.startMs[e]!, scale);
      if (x0 > x) break;
      const from = part.rows[e]! & 255;
      if (row < from || row >= from + (part.rows[e]! >> 8)) continue;
      const x1 = Math.max(x0 + 1, xDevOf(part.endMs[e]!, scale));
      if (x1 > x) count += 1;
    }
  }
  return count;
}
