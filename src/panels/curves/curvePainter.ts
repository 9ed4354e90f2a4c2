/**
 * The painter of the curves: GPUs held as a stack of tiers under the capacity line, GPUs waited for below, both summed over all
 * rows of the Gantt above. Each pixel column shows the time-weighted mean and, where they differ, the least and the most within
 * the pixel. The ghost is dashed, from the change on. Areas are on the base layer; the line of now, the ghost and the cursor lie
 * over the paler future.
 */
import { numberText, signedText } from "../../base/format.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import {
  drawChangesAndCursor,
  drawFutureVeil,
  drawUnknown,
  type StripMarks,
} from "../../render/stripOverlay.ts";
import { onRecord, runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette, tierColours } from "../../theme/palette.ts";
import { type CapacityStep, capacitySteps } from "../../timeline/capacity.ts";
import { type PixelScale, pixelScaleOf, timeMsOfPixel, xDevOf } from "../../timeline/pixelScale.ts";
import { ColumnWindow, type StepColumns } from "../../timeline/stepColumns.ts";
import { mostWaited, type StepSeries, StepWalk, stepSeriesOf } from "../../timeline/stepSeries.ts";
import { timeMsAt, xCssOf } from "../../timeline/viewport.ts";
import { type CurveBox, curveBoxes } from "./curveLayout.ts";

export interface CurveTexts {
  readonly held: HTMLElement | null;
  readonly heldGhost: HTMLElement | null;
  readonly heldChange: HTMLElement | null;
  readonly waited: HTMLElement | null;
  readonly waitedGhost: HTMLElement | null;
  readonly waitedChange: HTMLElement | null;
  /** Scale marks at the right edge. */
  readonly heldScale: HTMLElement | null;
  readonly waitedScale: HTMLElement | null;
}

const NO_SERIES: StepSeries = { tiers: 0, chunks: [] };

export class CurvePainter {
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #texts: () => CurveTexts;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  #now: StepSeries = NO_SERIES;
  #ghost: StepSeries | null = null;
  readonly #window = new ColumnWindow();
  readonly #ghostWindow = new ColumnWindow();
  #ghostColumns: StepColumns | null = null;
  #nowWalk = new StepWalk(NO_SERIES);
  #ghostWalk = new StepWalk(NO_SERIES);
  #scale: PixelScale | null = null;
  /** The scale of what the base shows; null where all must be painted anew. */
  #shown: PixelScale | null = null;
  #capacity = 0;
  #inService: readonly CapacityStep[] = [];
  #mostWaited = 1;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, texts: () => CurveTexts) {
    this.#texts = texts;
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "curves", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord((more) => this.#handle.mark(more ? Dirty.more : Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.ghostShown, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.overlay)),
      onPalette(mark(Dirty.theme)),
    ];
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#base.stop();
    this.#over.stop();
  }

  #paint(dirty: number): number {
    if (dirty & Dirty.data) this.#readData();
    if (dirty & (Dirty.data | Dirty.size | Dirty.theme)) this.#shown = null;
    if (dirty & ~Dirty.overlay) this.#paintBase();
    this.#paintOverlay();
    this.#writeGutter();
    return 0;
  }

  #readData(): void {
    const data = runData.get();
    const tiers = data.stage?.tiers.length ?? 0;
    this.#capacity = data.stage?.cluster.deviceCount ?? 0;
    this.#inService = data.stage
      ? capacitySteps(data.stage.cluster, data.current.chunks, data.current.open)
      : [];
    this.#now = stepSeriesOf(data.current.chunks, tiers);
    this.#ghost = data.ghost ? stepSeriesOf(data.ghost.chunks, tiers) : null;
    this.#mostWaited = Math.max(
      1,
      mostWaited(this.#now),
      this.#ghost ? mostWaited(this.#ghost) : 0,
    );
    this.#nowWalk = new StepWalk(this.#now);
    this.#ghostWalk = new StepWalk(this.#ghost ?? NO_SERIES);
  }

  /** Shifts what stays in sight and paints the columns that came into view; all of them, where anything else changed. */
  #paintBase(): void {
    const { widthDev, context } = this.#base;
    if (!context || this.#now.tiers === 0) {
      this.#base.begin();
      return;
    }
    const { window } = useApp.getState();
    const scale = pixelScaleOf(window, widthDev, this.#scale);
    this.#scale = scale;
    this.#window.show(this.#now, scale, widthDev);
    this.#showGhost(scale, widthDev);
    const last = this.#shown;
    this.#shown = scale;
    const dx = last?.pxPerMs === scale.pxPerMs ? last.originPx - scale.originPx : widthDev;
    if (dx === 0) return;
    if (Math.abs(dx) >= widthDev) {
      this.#base.begin();
      this.#paintColumns(context, 0, widthDev);
    } else {
      this.#base.shift(dx);
      if (dx > 0) this.#paintColumns(context, 0, dx);
      else this.#paintColumns(context, widthDev + dx, widthDev);
    }
  }

  /** Paints columns `from` ≤ x < `to`, which are clear. */
  #paintColumns(context: CanvasRenderingContext2D, from: number, to: number): void {
    const { heightCss, ratio } = this.#base;
    const { held, waited } = curveBoxes(heightCss);
    const colours = palette();
    this.#paintIdle(context, held, colours, from, to);
    this.#paintStack(context, held, colours, from, to);
    this.#paintWaitedArea(context, waited, colours, from, to);
    this.#paintCapacity(context, held, colours, from, to);
    const step = 1 / ratio;
    context.fillStyle = colours.line2;
    const foot = Math.round(waited.topCss + waited.heightCss);
    context.fillRect(from * step, foot, (to - from) * step, step);
    this.#writeScales(held, waited);
  }

  #showGhost(scale: PixelScale, widthDev: number): void {
    const { window } = useApp.getState();
    if (!this.#ghost || runData.get().ghostFromMs >= window.toMs) {
      this.#ghostColumns = null;
      return;
    }
    this.#ghostWindow.show(this.#ghost, scale, widthDev);
    this.#ghostColumns = this.#ghostWindow.columns;
  }

  /** What is in service, as a line: a step down where nodes are drained or down. */
  #paintCapacity(
    context: CanvasRenderingContext2D,
    box: CurveBox,
    colours: Palette,
    from: number,
    to: number,
  ): void {
    const scale = this.#scale;
    if (!scale) return;
    const { widthDev, ratio } = this.#base;
    const steps = this.#inService;
    const xOf = (i: number) => (i < steps.length ? xDevOf(steps[i]!.atMs, scale) : widthDev);
    context.fillStyle = colours.rule;
    let lastY = Math.round(box.topCss);
    for (let i = 0; i < steps.length; i++) {
      const y = Math.round(this.#yHeld(steps[i]!.devices, box));
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

  /** Ground of idle devices in service, in columns where work waits. */
  #paintIdle(
    context: CanvasRenderingContext2D,
    box: CurveBox,
    colours: Palette,
    from: number,
    to: number,
  ): void {
    const { columns, heldMean, waitedMean } = this.#window.columns;
    const scale = this.#scale;
    if (!scale) return;
    const { tiers } = this.#now;
    const step = 1 / this.#base.ratio;
    const steps = this.#inService;
    let at = 0;
    context.fillStyle = colours.idle;
    for (let x = from; x < to; x++) {
      const middleMs = timeMsOfPixel(x + 0.5, scale);
      while (at + 1 < steps.length && steps[at + 1]!.atMs <= middleMs) at += 1;
      const most = this.#yHeld(steps[at]?.devices ?? this.#capacity, box);
      const waits = total(waitedMean, x, columns, tiers);
      if (waits <= 0) continue;
      const top = this.#yHeld(total(heldMean, x, columns, tiers), box);
      if (top > most + 1) context.fillRect(x * step, most, step, top - most);
    }
  }

  #paintStack(
    context: CanvasRenderingContext2D,
    box: CurveBox,
    colours: Palette,
    first: number,
    end: number,
  ): void {
    const { columns, heldMean } = this.#window.columns;
    const { tiers } = this.#now;
    const step = 1 / this.#base.ratio;
    const base = new Float64Array(end - first);
    for (let tier = 0; tier < tiers; tier++) {
      const from = tier * columns;
      context.fillStyle = tierColours(colours, tier, tiers).full;
      context.beginPath();
      context.moveTo(first * step, this.#yHeld(base[0]!, box));
      for (let x = first; x < end; x++) {
        const y = this.#yHeld(base[x - first]! + heldMean[from + x]!, box);
        context.lineTo(x * step, y);
        context.lineTo((x + 1) * step, y);
      }
      for (let x = end - 1; x >= first; x--) {
        const y = this.#yHeld(base[x - first]!, box);
        context.lineTo((x + 1) * step, y);
        context.lineTo(x * step, y);
        base[x - first]! += heldMean[from + x]!;
      }
      context.fill();
    }
  }

  #paintWaitedArea(
    context: CanvasRenderingContext2D,
    box: CurveBox,
    colours: Palette,
    from: number,
    to: number,
  ): void {
    const { columns, waitedMean, waitedMost } = this.#window.columns;
    const { tiers } = this.#now;
    const step = 1 / this.#base.ratio;
    context.fillStyle = colours.press;
    for (let x = from; x < to; x++) {
      const y = this.#yWaited(total(waitedMean, x, columns, tiers), box);
      context.fillRect(x * step, y, step, box.topCss + box.heightCss - y);
    }
    context.fillStyle = colours.line2;
    for (let x = from; x < to; x++) {
      const mean = this.#yWaited(total(waitedMean, x, columns, tiers), box);
      const top = this.#yWaited(waitedMost[x]!, box);
      if (mean - top >= 1) context.fillRect(x * step, top, step, mean - top);
    }
  }

  #paintOverlay(): void {
    const context = this.#over.begin();
    if (!context || !this.#shown || this.#now.tiers === 0) return;
    const { window, cursorMs, scenario, ghostShown } = useApp.getState();
    const data = runData.get();
    const colours = palette();
    const { widthCss, heightCss } = this.#over;
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss,
      heightCss,
      knownMs: data.current.done ? Number.POSITIVE_INFINITY : data.current.knownMs,
      changesMs: scenario?.interventions.map((change) => change.atMs) ?? [],
    };
    drawFutureVeil(context, colours, marks, colours.dark ? 0.7 : 0.76);
    drawUnknown(context, colours, marks);
    const { held, waited } = curveBoxes(heightCss);
    const cursorX = xCssOf(cursorMs, window, widthCss);
    const tiers = this.#now.tiers;
    const ghost = ghostShown ? this.#ghostColumns : null;
    const scales = [
      { field: "heldMean", y: (value: number) => this.#yHeld(value, held) },
      { field: "waitedMean", y: (value: number) => this.#yWaited(value, waited) },
    ] as const;
    for (const { field, y } of scales) {
      if (ghost)
        this.#drawGhost(
          context,
          ghost,
          field,
          y,
          xCssOf(data.ghostFromMs, window, widthCss),
          colours,
        );
      const means = this.#window.columns[field];
      const knownX = Math.min(widthCss, xCssOf(marks.knownMs, window, widthCss));
      this.#drawLine(context, means, tiers, y, 0, Math.min(cursorX, knownX), colours.ink);
      this.#drawLine(context, means, tiers, y, cursorX, knownX, colours.ink3);
    }
    drawChangesAndCursor(context, colours, marks);
  }

  #drawLine(
    context: CanvasRenderingContext2D,
    means: Float64Array,
    tiers: number,
    yOf: (value: number) => number,
    fromCss: number,
    toCss: number,
    colour: string,
  ): void {
    const { columns } = this.#window.columns;
    const step = 1 / this.#over.ratio;
    const first = Math.max(0, Math.floor(fromCss / step));
    const end = Math.min(columns, Math.ceil(toCss / step));
    if (end <= first) return;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let x = first; x < end; x++) {
      const y = yOf(total(means, x, columns, tiers));
      if (x === first) context.moveTo(x * step, y);
      else context.lineTo(x * step, y);
      context.lineTo((x + 1) * step, y);
    }
    context.stroke();
  }

  #drawGhost(
    context: CanvasRenderingContext2D,
    ghost: StepColumns,
    field: "heldMean" | "waitedMean",
    yOf: (value: number) => number,
    fromCss: number,
    colours: Palette,
  ): void {
    const { columns } = ghost;
    const tiers = this.#ghost!.tiers;
    const step = 1 / this.#over.ratio;
    const first = Math.max(0, Math.floor(fromCss / step));
    if (first >= columns) return;
    context.beginPath();
    for (let x = first; x < columns; x++) {
      const y = yOf(total(ghost[field], x, columns, tiers));
      if (x === first) context.moveTo(x * step, y);
      else context.lineTo(x * step, y);
      context.lineTo((x + 1) * step, y);
    }
    context.strokeStyle = colours.bg;
    context.lineWidth = 3;
    context.stroke();
    context.setLineDash([4, 3]);
    context.strokeStyle = colours.ink2;
    context.lineWidth = 1;
    context.stroke();
    context.setLineDash([]);
  }

  #yHeld(value: number, box: CurveBox): number {
    return box.topCss + box.heightCss * (1 - value / Math.max(1, this.#capacity));
  }

  #yWaited(value: number, box: CurveBox): number {
    return box.topCss + box.heightCss * (1 - value / this.#mostWaited);
  }

  #writeScales(held: CurveBox, waited: CurveBox): void {
    const { heldScale, waitedScale } = this.#texts();
    place(heldScale, numberText(this.#capacity), held.topCss);
    place(waitedScale, numberText(this.#mostWaited), waited.topCss);
  }

  #writeGutter(): void {
    const { cursorMs, ghostShown } = useApp.getState();
    const data = runData.get();
    const texts = this.#texts();
    const known = data.stage !== null && (data.current.done || cursorMs <= data.current.knownMs);
    const now = valuesAt(this.#nowWalk, cursorMs);
    write(texts.held, known ? numberText(now.held) : "–");
    write(texts.waited, known ? numberText(now.waited) : "–");
    const shown = known && this.#ghost !== null && ghostShown && cursorMs >= data.ghostFromMs;
    const before = shown ? valuesAt(this.#ghostWalk, cursorMs) : null;
    write(texts.heldGhost, before ? numberText(before.held) : "");
    write(texts.heldChange, before ? signedText(now.held - before.held) : "");
    write(texts.waitedGhost, before ? numberText(before.waited) : "");
    write(texts.waitedChange, before ? signedText(now.waited - before.waited) : "");
  }

  /** The time under a point of the strip: for seeking by click. */
  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }
}

function total(means: Float64Array, column: number, columns: number, tiers: number): number {
  let sum = 0;
  for (let tier = 0; tier < tiers; tier++) sum += means[tier * columns + column]!;
  return sum;
}

function valuesAt(walk: StepWalk, atMs: number): { held: number; waited: number } {
  walk.moveTo(atMs);
  walk.resetRange();
  return { held: walk.heldMost, waited: walk.waitedMost };
}

function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function place(element: HTMLElement | null, text: string, topCss: number): void {
  if (!element) return;
  write(element, text);
  element.style.top = `${Math.round(topCss) + 1}px`;
}
