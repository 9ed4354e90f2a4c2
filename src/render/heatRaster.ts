/**
 * A far block as a strip: tiers stacked by their share of the block's device time per bin, the highest tier at the base, so that
 * what is empty on top is idle. Bins right of the cursor are pale under a thin edge.
 */

import { DIM, type RasterPalette } from "./rasterPalette.ts";
import { fillRect, type Raster } from "./spanRaster.ts";

/** Paints one bin: `sums[at + t]` are device-ms of each of the `DIM` positions t, `capacityMs` is the bin's whole. */
export function paintHeatBin(
  r: Raster,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  sums: Float64Array,
  at: number,
  capacityMs: number,
  cursorX: number,
  palette: RasterPalette,
): void {
  const height = y1 - y0;
  let share = 0;
  let bottom = y1;
  for (let t = 0; t < DIM; t++) {
    const value = sums[at + t]!;
    if (value <= 0) continue;
    share += value / capacityMs;
    const top = Math.max(y0, y1 - Math.round(share * height));
    if (top >= bottom) continue;
    const tier = palette.tiers[t]!;
    if (x0 < cursorX) fillRect(r, x0, Math.min(x1, cursorX), top, bottom, tier.full);
    if (x1 > cursorX) {
      const from = Math.max(x0, cursorX);
      fillRect(r, from, x1, top, bottom, tier.heat);
      fillRect(r, from, x1, top, top + r.hair, tier.mark);
    }
    bottom = top;
  }
}
