/**
 * The areas of the curves: idle ground where work waits, what is held as a stack of tiers, what is waited for, and the line of what is
 * in service. They paint a range of columns and touch nothing beside it, so a pan paints only what came into view.
 */
import { type Palette, tierColours } from "../../theme/palette.ts";
import type { CapacityStep } from "../../timeline/capacity.ts";
import { type PixelScale, timeMsOfPixel, xDevOf } from "../../timeline/pixelScale.ts";
import type { StepColumns } from "../../timeline/stepColumns.ts";
import type { CurveBox } from "./curveLayout.ts";

export interface Areas {
  /** In CSS pixels; one column is one device pixel. */
  readonly context: CanvasRenderingContext2D;
  readonly columns: StepColumns;
  readonly tiers: number;
  readonly scale: PixelScale;
  readonly widthDev: number;
  readonly ratio: number;
  readonly colours: Palette;
  readonly inService: readonly CapacityStep[];
  readonly capacity: number;
  readonly held: CurveBox;
  readonly waited: CurveBox;
  readonly yHeld: (value: number) => number;
  readonly yWaited: (value: number) => number;
  /** Columns `from` ≤ x < `to`. */
  readonly from: number;
  readonly to: number;
}

/** Paints all of them into columns that are clear. O(columns × tiers). */
export function paintAreas(areas: Areas): void {
  paintIdle(areas);
  paintStack(areas);
  paintWaited(areas);
  paintCapacity(areas);
  const { context, colours, waited, from, to } = areas;
  const step = 1 / areas.ratio;
  context.fillStyle = colours.line2;
  const foot = Math.round(waited.topCss + waited.heightCss);
  context.fillRect(from * step, foot, (to - from) * step, step);
}

/** The sum over tiers in one column. */
export function total(means: Float64Array, column: number, columns: number, tiers: number): number {
  let sum = 0;
  for (let tier = 0; tier < tiers; tier++) sum += means[tier * columns + column]!;
  return sum;
}

/** Ground of idle devices in service, in columns where work waits. */
function paintIdle(areas: Areas): void {
  const { context, scale, tiers, inService, yHeld, from, to } = areas;
  const { columns, heldMean, waitedMean } = areas.columns;
  const step = 1 / areas.ratio;
  let at = 0;
  context.fillStyle = areas.colours.idle;
  for (let x = from; x < to; x++) {
    const middleMs = timeMsOfPixel(x + 0.5, scale);
    while (at + 1 < inService.length && inService[at + 1]!.atMs <= middleMs) at += 1;
    if (total(waitedMean, x, columns, tiers) <= 0) continue;
    const most = yHeld(inService[at]?.devices ?? areas.capacity);
    const top = yHeld(total(heldMean, x, columns, tiers));
    if (top > most + 1) context.fillRect(x * step, most, step, top - most);
  }
}

function paintStack(areas: Areas): void {
  const { context, tiers, yHeld, from, to } = areas;
  const { columns, heldMean } = areas.columns;
  const step = 1 / areas.ratio;
  const base = new Float64Array(to - from);
  for (let tier = 0; tier < tiers; tier++) {
    const row = tier * columns;
    context.fillStyle = tierColours(areas.colours, tier, tiers).full;
    context.beginPath();
    context.moveTo(from * step, yHeld(base[0]!));
    for (let x = from; x < to; x++) {
      const y = yHeld(base[x - from]! + heldMean[row + x]!);
      context.lineTo(x * step, y);
      context.lineTo((x + 1) * step, y);
    }
    for (let x = to - 1; x >= from; x--) {
      const y = yHeld(base[x - from]!);
      context.lineTo((x + 1) * step, y);
      context.lineTo(x * step, y);
      base[x - from]! += heldMean[row + x]!;
    }
    context.fill();
  }
}

/** The mean as an area, and above it how far the most of a pixel reaches. */
function paintWaited(areas: Areas): void {
  const { context, tiers, waited, yWaited, from, to } = areas;
  const { columns, waitedMean, waitedMost } = areas.columns;
  const step = 1 / areas.ratio;
  context.fillStyle = areas.colours.press;
  for (let x = from; x < to; x++) {
    const y = yWaited(total(waitedMean, x, columns, tiers));
    context.fillRect(x * step, y, step, waited.topCss + waited.heightCss - y);
  }
  context.fillStyle = areas.colours.line2;
  for (let x = from; x < to; x++) {
    const mean = yWaited(total(waitedMean, x, columns, tiers));
    const top = yWaited(waitedMost[x]!);
    if (mean - top >= 1) context.fillRect(x * step, top, step, mean - top);
  }
}

/** What is in service, as a line: a step down where nodes are drained or down. */
function paintCapacity(areas: Areas): void {
  const { context, inService, scale, ratio, yHeld, from, to } = areas;
  const xOf = (i: number) =>
    i < inService.length ? xDevOf(inService[i]!.atMs, scale) : areas.widthDev;
  context.fillStyle = areas.colours.rule;
  let lastY = Math.round(areas.held.topCss);
  for (let i = 0; i < inService.length; i++) {
    const y = Math.round(yHeld(inService[i]!.devices));
    const x = xOf(i);
    const left = Math.max(from, x);
    const right = Math.min(to, xOf(i + 1));
    if (right > left) context.fillRect(left / ratio, y, (right - left) / ratio, 1 / ratio);
    if (x > 0 && x >= from && x < to) {
      const height = Math.abs(y - lastY) + 1 / ratio;
      context.fillRect(x / ratio, Math.min(y, lastY), 1 / ratio, height);
    }
    lastY = y;
  }
}
