/**
 * Where bars are too many to be drawn one by one. On pixels narrower than its bars a row is a solid wall whatever its load, since
 * the longest bar has each pixel; such a block is drawn as its load instead. What decides is a count: how many pixels lie between the starts of
 * two bars in a row, on average over the block's rows and the known time in the window. It takes more of them to go back to bars than
 * to leave them, so no zoom flickers between the two.
 */
import type { PixelScale } from "./pixelScale.ts";
import { timeMsOfPixel } from "./pixelScale.ts";
import { firstStartingFrom, type Part, rowsOfEntries } from "./rowIndex.ts";
import { Level, type LevelCode, type RowLayout } from "./rows.ts";
import { type RowUnits, rowsOfBlock } from "./rowUnits.ts";

/** CSS pixels between two starts in a row, below which bars become load. */
export const CROWDED_CSS = 2;
/** And from which on load becomes bars again. */
export const ROOMY_CSS = 3;
/** A shorter stretch of known time counts as so long: the first few bars of a run tell little. */
const LEAST_SPAN_CSS = 16;

/** Bars that start in `fromMs` ≤ t < `toMs` in block `b`, each counted once a row. O(units of the block · parts · log n). */
export function rowStarts(
  parts: readonly Part[],
  units: RowUnits,
  b: number,
  fromMs: number,
  toMs: number,
): number {
  let rows = 0;
  for (const part of parts) {
    if (part.count === 0 || part.fromMs >= toMs) continue;
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const from = firstStartingFrom(part, u, fromMs);
      rows += rowsOfEntries(part, from, firstStartingFrom(part, u, toMs));
    }
  }
  return rows;
}

export interface CrowdView {
  readonly scale: PixelScale;
  /** Device pixels. */
  readonly width: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** Levels chosen by hand: those blocks are drawn as they were chosen. */
  readonly chosen: Readonly<Record<number, LevelCode>>;
  readonly knownMs: number;
}

/** The layout with `load` set where bars are crowded; `layout.load` is the choice so far. The same object while nothing changes. */
export function crowded(layout: RowLayout, parts: readonly Part[], view: CrowdView): RowLayout {
  const { units } = layout;
  const { scale, ratio } = view;
  const fromMs = Math.max(0, timeMsOfPixel(0, scale));
  const toMs = Math.min(view.knownMs, timeMsOfPixel(view.width, scale));
  const spanCss = Math.max(LEAST_SPAN_CSS, ((toMs - fromMs) * scale.pxPerMs) / ratio);
  let load: Uint8Array | null = null;
  for (let b = 0; b < units.blockCount; b++) {
    const before = layout.load[b]!;
    let now = 0;
    if (layout.level[b] !== Level.far && view.chosen[b] === undefined) {
      const devices = rowsOfBlock(units, b);
      const starts = rowStarts(parts, units, b, fromMs, toMs);
      now = starts * (before === 1 ? ROOMY_CSS : CROWDED_CSS) > devices * spanCss ? 1 : 0;
    }
    if (now === before) continue;
    load ??= layout.load.slice();
    load[b] = now;
  }
  return load ? { ...layout, load } : layout;
}
