/**
 * The painter of the curves: GPUs held as a stack of tiers under the capacity line, GPUs waited for below, both summed over all
 * rows of the Gantt above. Each pixel column shows the time-weighted mean and, where they differ, the least and the most within
 * the pixel. The ghost is dashed, from the change on. Areas are on the base layer; the line of now, the ghost and the cursor lie
 * over the paler future.
 */

import { amountText, numberText } from "../../base/format.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import {
  drawChangesAndCursor,
  drawFutureVeil,
  drawUnknown,
  type StripMarks,
} from "../../render/stripOverlay.ts";
import { acting } from "../../scenario/interventions.ts";
import { Covered } from "../../store/covered.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import type { Future } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette } from "../../theme/palette.ts";
import { type CapacityStep, capacitySteps } from "../../timeline/capacity.ts";
import { type PixelScale, pixelScaleOf } from "../../timeline/pixelScale.ts";
import { ColumnWindow, type StepColumns } from "../../timeline/stepColumns.ts";
import { mostWaited, type StepSeries, StepWalk, stepSeriesOf } from "../../timeline/stepSeries.ts";
import { timeMsAt, xCssOf } from "../../timeline/viewport.ts";
import { paintAreas, total } from "./curveAreas.ts";
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
  readonly #covered = new Covered();
  /** The future that the columns are of. */
  #read: Future | null = null;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, texts: () => CurveTexts) {
    this.#texts = texts;
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "curves", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      this.#covered.follow(this.#handle),
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
    if (dirty === Dirty.data && this.#covered.holds) return 0;
    if (dirty & Dirty.data) this.#readData();
    if (dirty & (Dirty.data | Dirty.size | Dirty.theme)) this.#shown = null;
    if (dirty & ~Dirty.overlay) this.#paintBase();
    this.#paintOverlay();
    this.#writeGutter();
    this.#covered.painted(this.#read);
    return 0;
  }

  #readData(): void {
    const data = drawnRun();
    this.#read = data.current;
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
    const { heightCss, widthDev, ratio } = this.#base;
    const boxes = curveBoxes(heightCss);
    paintAreas({
      context,
      columns: this.#window.columns,
      tiers: this.#now.tiers,
      scale: this.#scale!,
      widthDev,
      ratio,
      colours: palette(),
      inService: this.#inService,
      capacity: this.#capacity,
      ...boxes,
      yHeld: (value) => this.#yHeld(value, boxes.held),
      yWaited: (value) => this.#yWaited(value, boxes.waited),
      from,
      to,
    });
    this.#writeScales(boxes.held, boxes.waited);
  }

  #showGhost(scale: PixelScale, widthDev: number): void {
    const { window } = useApp.getState();
    if (!this.#ghost || drawnRun().ghostFromMs >= window.toMs) {
      this.#ghostColumns = null;
      return;
    }
    this.#ghostWindow.show(this.#ghost, scale, widthDev);
    this.#ghostColumns = this.#ghostWindow.columns;
  }

  #paintOverlay(): void {
    const context = this.#over.begin();
    if (!context || !this.#shown || this.#now.tiers === 0) return;
    const { window, cursorMs, scenario, ghostShown } = useApp.getState();
    const data = drawnRun();
    const colours = palette();
    const { widthCss, heightCss } = this.#over;
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss,
      heightCss,
      knownMs: data.current.done ? Number.POSITIVE_INFINITY : data.current.knownMs,
      changesMs: acting(scenario?.interventions ?? []).map((change) => change.atMs),
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
    place(waitedScale, amountText(this.#mostWaited), waited.topCss);
  }

  #writeGutter(): void {
    const { cursorMs, ghostShown } = useApp.getState();
    const data = drawnRun();
    const texts = this.#texts();
    const known = data.stage !== null && (data.current.done || cursorMs <= data.current.knownMs);
    const now = valuesAt(this.#nowWalk, cursorMs);
    write(texts.held, known ? amountText(now.held) : "–");
    write(texts.waited, known ? amountText(now.waited) : "–");
    const shown = known && this.#ghost !== null && ghostShown && cursorMs >= data.ghostFromMs;
    const before = shown ? valuesAt(this.#ghostWalk, cursorMs) : null;
    write(texts.heldGhost, before ? amountText(before.held) : "");
    write(texts.heldChange, before ? amountText(now.held - before.held, true) : "");
    write(texts.waitedGhost, before ? amountText(before.waited) : "");
    write(texts.waitedChange, before ? amountText(now.waited - before.waited, true) : "");
  }

  /** The time under a point of the strip: for seeking by click. */
  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }
}

function valuesAt(walk: StepWalk, atMs: number): { held: number; waited: number } {
  walk.moveTo(atMs);
  return { held: walk.heldByAll, waited: walk.waitedByAll };
}

function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function place(element: HTMLElement | null, text: string, topCss: number): void {
  if (!element) return;
  write(element, text);
  element.style.top = `${Math.round(topCss) + 1}px`;
}
