/**
 * Where text may stand: the bars wide and high enough for a label, gangs merged to the block in which they are drawn, and the
 * ends of runs whose node failed. Every visible pixel of a bar counts, so a label can be clamped to what is in view.
 */
import { EndStateCode } from "../model/states.ts";
import { endStateOf } from "../record/shapes.ts";
import { nextAlive } from "./lod.ts";
import { type PixelScale, timeMsOfPixel, xDevOf } from "./pixelScale.ts";
import { firstStartingFrom, type Part } from "./rowIndex.ts";
import { blockAt, drawsBars, padOf, type RowLayout, rowTop } from "./rows.ts";
import { rowsOfUnit } from "./rowUnits.ts";

export interface LabelSpan {
  readonly jobIdx: number;
  readonly bits: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Device pixels from the left edge of the plot and the top of the content; may reach out of the view. */
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  y1: number;
  readonly near: boolean;
}

export interface FailMark {
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
}

export interface LabelScan {
  readonly spans: LabelSpan[];
  readonly fails: FailMark[];
}

const LEAST_WIDTH_CSS = 30;
const LEAST_HEIGHT_CSS = 11;

/** Collects label places in view. O(rectangles in the window of the open blocks). */
export function scanLabels(
  parts: readonly Part[],
  layout: RowLayout,
  scale: PixelScale,
  width: number,
  scrollDev: number,
  height: number,
  ratio: number,
  openEndMs: number,
): LabelScan {
  const out: LabelScan = { spans: [], fails: [] };
  const { units } = layout;
  const leastWidth = LEAST_WIDTH_CSS * ratio;
  const leastHeight = LEAST_HEIGHT_CSS * ratio;
  const open: LabelSpan[] = [];
  for (let b = Math.max(0, blockAt(layout, scrollDev)); b < units.blockCount; b++) {
    if (layout.blockY[b]! > scrollDev + height) break;
    if (!drawsBars(layout, b)) continue;
    let above = new Map<number, LabelSpan>();
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const here = new Map<number, LabelSpan>();
      scanUnit(parts, layout, u, scale, width, leastWidth, openEndMs, above, here, open, out.fails);
      above = here;
    }
  }
  for (const span of open) {
    if (span.y1 - span.y0 >= leastHeight && span.y1 > scrollDev && span.y0 < scrollDev + height)
      out.spans.push(span);
  }
  return out;
}

function scanUnit(
  parts: readonly Part[],
  layout: RowLayout,
  u: number,
  scale: PixelScale,
  width: number,
  leastWidth: number,
  openEndMs: number,
  above: ReadonlyMap<number, LabelSpan>,
  here: Map<number, LabelSpan>,
  open: LabelSpan[],
  fails: FailMark[],
): void {
  const fromMs = timeMsOfPixel(0, scale);
  const toMs = timeMsOfPixel(width, scale);
  const leastMs = leastWidth / scale.pxPerMs;
  const rows = rowsOfUnit(layout.units, u);
  const near = padOf(layout, u) > 0;
  for (const part of parts) {
    if (part.fromMs >= toMs || part.toMs <= fromMs) continue;
    const end = firstStartingFrom(part, u, toMs);
    for (
      let e = nextAlive(part, part.first[u]!, end, fromMs);
      e < end;
      e = nextAlive(part, e + 1, end, fromMs)
    ) {
      const startMs = part.startMs[e]!;
      const endMs = Math.min(part.endMs[e]!, Math.max(openEndMs, startMs));
      const failed = endStateOf(part.bits[e]!) === EndStateCode.nodeFailed;
      if (endMs - startMs < leastMs && !failed) continue;
      const first = part.rows[e]! & 255;
      const count = part.rows[e]! >> 8;
      const y0 = rowTop(layout, u, first);
      const y1 = rowTop(layout, u, first + count);
      const x1 = xDevOf(endMs, scale);
      if (failed && x1 >= 0 && x1 <= width) fails.push({ x: x1, y0, y1 });
      if (endMs - startMs < leastMs || x1 < leastWidth) continue;
      const jobIdx = part.jobIdx[e]!;
      const whole = count === rows;
      const same = whole ? above.get(jobIdx) : undefined;
      if (same && same.startMs === startMs && same.endMs === endMs) {
        if (!near) same.y1 = y1;
        here.set(jobIdx, same);
        continue;
      }
      const span = {
        jobIdx,
        bits: part.bits[e]!,
        startMs,
        endMs,
        x0: xDevOf(startMs, scale),
        x1,
        y0,
        y1,
        near,
      };
      open.push(span);
      if (whole) here.set(jobIdx, span);
    }
  }
}
