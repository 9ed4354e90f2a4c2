/**
 * The shapes of chosen curves. Areas of tiers have the tiers' colours. What devices did is told by pattern as well as by tint: useful solid, not finished pale,
 * overhead upright lines, no progress lying ones, lost the signal's hatch over a pale ground, idle while work waits the stippled ground of the Gantt.
 */
import { type Palette, tierColours } from "../../theme/palette.ts";
import type { Curve, LineLook } from "../../timeline/curves/curve.ts";
import type { Columns } from "../../timeline/curves/steps.ts";
import { valueAt } from "../../timeline/curves/steps.ts";
import { type TimeWindow, timeMsAt } from "../../timeline/viewport.ts";

export interface CurvePlot {
  readonly context: CanvasRenderingContext2D;
  readonly colours: Palette;
  readonly tiers: number;
  readonly window: TimeWindow;
  readonly widthCss: number;
  readonly widthDev: number;
  readonly ratio: number;
  readonly footCss: number;
  readonly yOf: (value: number) => number;
}

/** Dashes of lines, in CSS pixels; also in the samples of the gutter. */
export const LINE_DASHES: readonly (readonly number[])[] = [[], [5, 3], [1.5, 2.5], [8, 3, 2, 3]];

/** Areas on each other, the first at the foot; columns are means. O(columns × lines). */
export function paintStack(plot: CurvePlot, curve: Curve, columns: readonly Columns[]): void {
  const base = new Float64Array(plot.widthDev);
  curve.lines.forEach(({ look }, line) => {
    tracedArea(plot, base, columns[line]!.mean);
    fillArea(plot, look);
  });
  outline(plot, base);
}

/** The path between what lies below and what it is on top of that; `base` becomes the upper edge. */
function tracedArea(
  { context, widthDev, ratio, yOf }: CurvePlot,
  base: Float64Array,
  mean: Float64Array,
): void {
  context.beginPath();
  context.moveTo(0, yOf(base[0]!));
  for (let x = 0; x < widthDev; x++) {
    const y = yOf(base[x]! + (mean[x]! || 0));
    context.lineTo(x / ratio, y);
    context.lineTo((x + 1) / ratio, y);
  }
  for (let x = widthDev - 1; x >= 0; x--) {
    const y = yOf(base[x]!);
    context.lineTo((x + 1) / ratio, y);
    context.lineTo(x / ratio, y);
    base[x]! += mean[x]! || 0;
  }
}

function outline({ context, widthDev, ratio, yOf, colours }: CurvePlot, top: Float64Array): void {
  context.beginPath();
  for (let x = 0; x < widthDev; x++) {
    const y = yOf(top[x]!);
    if (x === 0) context.moveTo(0, y);
    else context.lineTo(x / ratio, y);
    context.lineTo((x + 1) / ratio, y);
  }
  context.strokeStyle = colours.ink2;
  context.lineWidth = 1;
  context.stroke();
}

function fillArea(plot: CurvePlot, look: LineLook): void {
  const { context, colours } = plot;
  if (look.kind === "tier") {
    context.fillStyle = tierColours(colours, look.tier, plot.tiers).full;
    context.fill();
    return;
  }
  if (look.kind === "line") return;
  const fills = {
    useful: colours.heldCell,
    unfinished: colours.heldArea,
    overhead: colours.raise,
    stalled: colours.press,
    lost: colours.bg,
    idle: colours.idle,
  };
  context.fillStyle = fills[look.use];
  context.fill();
  const ruled = {
    overhead: { stroke: colours.ink2, lean: 0, gap: 4 },
    stalled: { stroke: colours.ink3, lean: null, gap: 3 },
    lost: { stroke: colours.signal, lean: 1, gap: 4 },
    idle: { stroke: colours.idleDot, lean: 0, gap: 4 },
  };
  if (!(look.use in ruled)) return;
  const { stroke, lean, gap } = ruled[look.use as keyof typeof ruled];
  context.save();
  context.clip();
  rule(plot, stroke, lean, gap, look.use === "idle");
  context.restore();
}

/** Lines over the whole plot: lying where `lean` is null, else upright or at 45°. */
function rule(
  { context, widthCss, footCss }: CurvePlot,
  stroke: string,
  lean: number | null,
  gapCss: number,
  dotted: boolean,
): void {
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  context.setLineDash(dotted ? [1, 3] : []);
  context.beginPath();
  if (lean === null) {
    for (let y = 0.5; y < footCss; y += gapCss) {
      context.moveTo(0, y);
      context.lineTo(widthCss, y);
    }
  } else {
    for (let x = 0.5 - lean * footCss; x < widthCss; x += gapCss) {
      context.moveTo(x, footCss);
      context.lineTo(x + lean * footCss, 0);
    }
  }
  context.stroke();
  context.setLineDash([]);
}

/** Lines with, in each column, the reach from its least to its most. */
export function paintLines(plot: CurvePlot, curve: Curve, columns: readonly Columns[]): void {
  const { context, colours } = plot;
  curve.lines.forEach(({ look }, line) => {
    context.strokeStyle = line === 0 ? colours.ink : colours.ink2;
    context.lineWidth = 1.5;
    context.setLineDash([...(look.kind === "line" ? (LINE_DASHES[look.dash] ?? []) : [])]);
    tracedLine(plot, columns[line]!);
    context.stroke();
  });
  context.setLineDash([]);
}

function tracedLine({ context, widthDev, ratio, yOf }: CurvePlot, columns: Columns): void {
  const { least, most, mean } = columns;
  context.beginPath();
  let pen = false;
  for (let x = 0; x < widthDev; x++) {
    const value = mean[x]!;
    if (Number.isNaN(value)) {
      pen = false;
      continue;
    }
    if (pen) context.lineTo(x / ratio, yOf(value));
    else context.moveTo(x / ratio, yOf(value));
    pen = true;
    if (least[x] !== most[x]) {
      context.lineTo(x / ratio, yOf(least[x]!));
      context.lineTo(x / ratio, yOf(most[x]!));
      context.lineTo(x / ratio, yOf(value));
    }
    context.lineTo((x + 1) / ratio, yOf(value));
  }
}

/** The dotted line to compare with. */
export function paintLevel(plot: CurvePlot, { level }: Curve): void {
  if (!level) return;
  const { context, colours, window, widthCss, yOf } = plot;
  context.fillStyle = colours.rule;
  for (let x = 0; x < widthCss; x += 6) {
    const value = valueAt(level.steps, timeMsAt(x, window, widthCss));
    if (!Number.isNaN(value)) context.fillRect(x, Math.round(yOf(value)), 3, 1);
  }
}
