/** Line marks over bars, in CSS pixels: outlines of hover, selection, keyboard and ghost, dots of what is planned, the cross. */
import type { Palette } from "../theme/palette.ts";

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A straight line, as wide as it is told. */
export function line(
  context: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** One pixel of ink inside the edge. */
export function strokeHover(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  context.strokeStyle = palette.ink;
  context.lineWidth = 1;
  context.strokeRect(
    box.x0 + 0.5,
    box.y0 + 0.5,
    Math.max(1, box.x1 - box.x0 - 1),
    Math.max(1, box.y1 - box.y0 - 1),
  );
}

/** Ink outside, ground inside: reads on every tier. */
export function strokeSelected(
  context: CanvasRenderingContext2D,
  box: Box,
  palette: Palette,
): void {
  const w = box.x1 - box.x0;
  const h = box.y1 - box.y0;
  context.lineWidth = 1;
  context.strokeStyle = palette.ink;
  context.strokeRect(box.x0 - 0.5, box.y0 - 0.5, w + 1, h + 1);
  if (w < 5 || h < 5) return;
  context.strokeStyle = palette.bg;
  context.strokeRect(box.x0 + 0.5, box.y0 + 0.5, w - 1, h - 1);
}

/** Brackets at the four corners: where the keyboard stands. */
export function strokeCorners(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  const x0 = box.x0 - 2.5;
  const x1 = box.x1 + 2.5;
  const y0 = box.y0 - 2.5;
  const y1 = box.y1 + 2.5;
  const arm = Math.max(3, Math.min(7, (x1 - x0) / 3));
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.beginPath();
  for (const [x, dx] of [
    [x0, arm],
    [x1, -arm],
  ] as const) {
    for (const [y, dy] of [
      [y0, Math.min(arm, (y1 - y0) / 3)],
      [y1, -Math.min(arm, (y1 - y0) / 3)],
    ] as const) {
      context.moveTo(x + dx, y);
      context.lineTo(x, y);
      context.lineTo(x, y + dy);
    }
  }
  context.stroke();
}

/** Dashed ink over a halo: where it would have run before the last change. */
export function strokeGhost(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  context.setLineDash([]);
  context.strokeStyle = palette.bg;
  context.lineWidth = 3;
  const w = Math.max(1, box.x1 - box.x0 - 1);
  const h = Math.max(1, box.y1 - box.y0 - 1);
  context.strokeRect(box.x0 + 0.5, box.y0 + 0.5, w, h);
  context.strokeStyle = palette.ink2;
  context.lineWidth = 1.2;
  context.setLineDash([4, 3]);
  context.strokeRect(box.x0 + 0.5, box.y0 + 0.5, w, h);
  context.setLineDash([]);
}

/** Round dots of ink around three sides (the right end is open: a promise has no end yet), broken where they would run through words. */
export function strokePlanned(
  context: CanvasRenderingContext2D,
  box: Box,
  palette: Palette,
  words: readonly Box[] = [],
): void {
  if (words.length > 0) {
    context.save();
    context.beginPath();
    context.rect(box.x0 - 4, box.y0 - 4, box.x1 - box.x0 + 8, box.y1 - box.y0 + 8);
    for (const { x0, y0, x1, y1 } of words) context.rect(x0, y0, x1 - x0, y1 - y0);
    context.clip("evenodd");
    strokePlanned(context, box, palette);
    context.restore();
    return;
  }
  const trace = () => {
    context.beginPath();
    context.moveTo(box.x1, box.y0 + 0.5);
    context.lineTo(box.x0, box.y0 + 0.5);
    context.lineTo(box.x0, box.y1 - 0.5);
    context.lineTo(box.x1, box.y1 - 0.5);
    context.stroke();
  };
  context.globalAlpha = 0.8;
  context.strokeStyle = palette.bg;
  context.lineWidth = 4;
  trace();
  context.globalAlpha = 1;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.8;
  context.lineCap = "round";
  context.setLineDash([0.1, 3.6]);
  trace();
  context.setLineDash([]);
  context.lineCap = "butt";
}

/** A cross in signal with a halo of the ground: a node failed here. */
export function strokeCross(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  palette: Palette,
): void {
  for (const [width, colour] of [
    [5, palette.bg],
    [2, palette.signal],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x - half, y - half);
    context.lineTo(x + half, y + half);
    context.moveTo(x + half, y - half);
    context.lineTo(x - half, y + half);
    context.stroke();
  }
}

/** Dotted vertical hairline: a change to the run. */
export function dotLine(
  context: CanvasRenderingContext2D,
  x: number,
  y0: number,
  y1: number,
  palette: Palette,
): void {
  context.fillStyle = palette.ink;
  for (let y = y0; y < y1; y += 4) context.fillRect(x, y, 1, 1);
}
