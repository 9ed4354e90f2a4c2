/**
 * Time on the device pixels of a plot. A pixel has an absolute number, `floor(timeMs · pxPerMs)`, that does not depend on where
 * the window stands; panning only changes which number is at the left edge. So pictures shift by whole pixels, and a strip
 * painted alone equals the same strip of a full picture.
 */
import type { TimeWindow } from "./viewport.ts";

export interface PixelScale {
  readonly pxPerMs: number;
  /** Absolute pixel at the left edge of the plot. */
  readonly originPx: number;
}

/**
 * The scale that shows `window` on `widthDev` device pixels. Where the zoom is that of `last` but for rounding, its factor is
 * kept to the bit, so that a pan stays a shift.
 */
export function pixelScaleOf(
  window: TimeWindow,
  widthDev: number,
  last?: PixelScale | null,
): PixelScale {
  const exact = Math.max(1, widthDev) / Math.max(1e-6, window.toMs - window.fromMs);
  const pxPerMs = last && Math.abs(last.pxPerMs / exact - 1) < 1e-9 ? last.pxPerMs : exact;
  return { pxPerMs, originPx: Math.floor(window.fromMs * pxPerMs) };
}

/** Pixel of a time, from the left edge of the plot. */
export function xDevOf(timeMs: number, scale: PixelScale): number {
  return Math.floor(timeMs * scale.pxPerMs) - scale.originPx;
}

/** Time at the left edge of a pixel. */
export function timeMsOfPixel(xDev: number, scale: PixelScale): number {
  return (xDev + scale.originPx) / scale.pxPerMs;
}
