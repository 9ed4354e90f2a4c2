/**
 * The marks that every strip of the sheet has over its picture: the paler future, the part that is not computed yet, dotted
 * hairlines of changes, the time cursor. All of them live on the overlay layer, so that playing repaints nothing below.
 */

import type { Palette } from "../theme/palette.ts";
import { type TimeWindow, xCssOf } from "../timeline/viewport.ts";

export interface StripMarks {
  readonly window: TimeWindow;
  readonly widthCss: number;
  readonly heightCss: number;
  readonly cursorMs: number;
  /** Up to here the record is complete. */
  readonly knownMs: number;
  /** Times of the changes made to the run. */
  readonly changesMs: readonly number[];
}

/** Lays the ground over everything right of the cursor: the same as mixing each tint with it. */
export function drawFutureVeil(
  context: CanvasRenderingContext2D,
  palette: Palette,
  marks: StripMarks,
  share: number,
): void {
  const x = Math.max(0, xCssOf(marks.cursorMs, marks.window, marks.widthCss));
  if (x >= marks.widthCss) return;
  context.globalAlpha = share;
  context.fillStyle = palette.bg;
  context.fillRect(x, 0, marks.widthCss - x, marks.heightCss);
  context.globalAlpha = 1;
}

/** Neutral hatch in place of what is not computed: what a series says beyond its end is not shown. */
export function drawUnknown(
  context: CanvasRenderingContext2D,
  palette: Palette,
  marks: StripMarks,
): void {
  const x = Math.max(0, xCssOf(marks.knownMs, marks.window, marks.widthCss));
  if (x >= marks.widthCss) return;
  context.save();
  context.beginPath();
  context.rect(x, 0, marks.widthCss - x, marks.heightCss);
  context.clip();
  context.fillStyle = palette.bg;
  context.fillRect(x, 0, marks.widthCss - x, marks.heightCss);
  context.strokeStyle = palette.line2;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - marks.heightCss; at < marks.widthCss; at += 8) {
    context.moveTo(at, marks.heightCss);
    context.lineTo(at + marks.heightCss, 0);
  }
  context.stroke();
  context.restore();
}

export function drawChangesAndCursor(
  context: CanvasRenderingContext2D,
  palette: Palette,
  marks: StripMarks,
): void {
  const { window, widthCss, heightCss } = marks;
  context.fillStyle = palette.ink;
  const columns = new Set(
    marks.changesMs.map((atMs) => Math.round(xCssOf(atMs, window, widthCss))),
  );
  for (const x of columns) {
    if (x < 0 || x > widthCss) continue;
    for (let y = 1; y < heightCss; y += 4) context.fillRect(x, y, 1, 1);
  }
  const x = Math.round(xCssOf(marks.cursorMs, window, widthCss));
  if (x >= -1 && x <= widthCss + 1) context.fillRect(x - 1, 0, 2, heightCss);
}
