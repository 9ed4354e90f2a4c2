/**
 * The painter of the lane of gauges: up to four lines on one scale, told apart by dashes. A column of pixels shows the least and the most of what it covers. Lines
 * are on the base layer; what the cursor moves is over them. What lies above a target is filled with the signal. O(pixels + steps in the window).
 */

import { GaugeCode } from "../../model/lab/gauges.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import {
  drawChangesAndCursor,
  drawFutureVeil,
  drawUnknown,
  type StripMarks,
} from "../../render/stripOverlay.ts";
import { acting } from "../../scenario/interventions.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { onRecord } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette } from "../../theme/palette.ts";
import { GaugeSeries, type GaugeSteps, stepAt, valueAt } from "../../timeline/gaugeSeries.ts";
import { gaugeText } from "../../timeline/gaugeWords.ts";
import { timeMsAt } from "../../timeline/viewport.ts";
import { type GaugeView, gaugeViews } from "./gaugeViews.ts";

export interface GaugeHooks {
  /** Which views there are. */
  readonly onViews: (views: readonly GaugeView[]) => void;
  /** The element that tells the value of a line at the cursor. */
  readonly valueText: (line: number) => HTMLElement | null;
  readonly scaleText: () => HTMLElement | null;
}

/** Dashes of the lines, in CSS pixels; also in the samples of the gutter. */
export const LINE_DASHES: readonly (readonly number[])[] = [[], [5, 3], [1.5, 2.5], [8, 3, 2, 3]];
const PAD_CSS = 5;
/** A latency without bound would press the rest flat: the scale ends at so many times the target. */
const TARGETS_MOST = 3;

export class GaugePainter {
  readonly series = new GaugeSeries();
  #view: GaugeView | null = null;
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #hooks: GaugeHooks;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  #seen = -1;
  #seenStage: object | null = null;
  #seenScenario: object | null = null;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, hooks: GaugeHooks) {
    this.#hooks = hooks;
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "gauges", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord((more) => this.#handle.mark(more ? Dirty.more : Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.data)),
      onPalette(mark(Dirty.theme)),
    ];
    this.#handle.mark(Dirty.all);
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#base.stop();
    this.#over.stop();
  }

  /** The view that is drawn from now on. */
  show(view: GaugeView | null): void {
    this.#view = view;
    this.#handle.mark(Dirty.all);
  }

  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }

  #paint(dirty: number): number {
    if (dirty & (Dirty.data | Dirty.more)) this.#readData();
    if (dirty & ~Dirty.overlay) this.#paintBase();
    this.#paintOverlay();
    this.#writeValues();
    return 0;
  }

  #readData(): void {
    const { current, stage } = drawnRun();
    const { scenario } = useApp.getState();
    this.series.update(current.chunks);
    if (!stage) return;
    if (
      this.series.version === this.#seen &&
      stage === this.#seenStage &&
      scenario === this.#seenScenario
    )
      return;
    this.#seen = this.series.version;
    this.#seenStage = stage;
    this.#seenScenario = scenario;
    this.#hooks.onViews(gaugeViews(this.series, stage, scenario));
  }

  /** The most that the scale shows, and whether values go beyond it. */
  #scale(view: GaugeView): { readonly most: number; readonly cut: boolean } {
    const { target } = view;
    let most = target?.value ?? 0;
    for (const steps of this.#steps(view)) most = Math.max(most, steps?.most ?? 0);
    const limit = target ? target.value * TARGETS_MOST : Number.POSITIVE_INFINITY;
    return { most: Math.max(Math.min(most, limit), Number.MIN_VALUE), cut: most > limit };
  }

  #steps(view: GaugeView): (GaugeSteps | undefined)[] {
    return view.lines.map((line) => this.series.get(GaugeCode[line.gauge], line.subject));
  }

  #paintBase(): void {
    const context = this.#base.begin();
    const view = this.#view;
    if (!context || !view) return;
    const colours = palette();
    const { widthCss, heightCss } = this.#base;
    const { most, cut } = this.#scale(view);
    const foot = heightCss - PAD_CSS;
    const yOf = (value: number) =>
      foot - (Math.min(most, Math.max(0, value)) / most) * (foot - PAD_CSS);
    context.fillStyle = colours.line2;
    context.fillRect(0, Math.round(foot), widthCss, 1);
    if (view.target) {
      const y = Math.round(yOf(view.target.value));
      this.#fillAbove(context, view, yOf, y, colours);
      context.fillStyle = colours.rule;
      for (let x = 0; x < widthCss; x += 6) context.fillRect(x, y, 3, 1);
    }
    this.#steps(view).forEach((steps, line) => {
      if (steps) this.#drawLine(context, steps, line, yOf, colours);
    });
    context.setLineDash([]);
    const element = this.#hooks.scaleText();
    const text = `${cut ? "over " : ""}${gaugeText(view.lines[0]!.gauge, most)}`;
    if (element && element.textContent !== text) element.textContent = text;
  }

  /** Calls back for each column with what it covers: value at its begin, least, most, value at its end. */
  #eachColumn(
    steps: GaugeSteps,
    visit: (xCss: number, first: number, least: number, most: number, last: number) => void,
  ): void {
    const { window } = useApp.getState();
    const { widthDev, widthCss, ratio } = this.#base;
    const { atMs, values } = steps;
    let i = stepAt(steps, window.fromMs);
    for (let x = 0; x < widthDev; x++) {
      const toMs = timeMsAt((x + 1) / ratio, window, widthCss);
      const first = values[i] ?? Number.NaN;
      let least = first;
      let most = first;
      while (i + 1 < atMs.length && atMs[i + 1]! < toMs) {
        i += 1;
        least = Number.isNaN(least) ? values[i]! : Math.min(least, values[i]!);
        most = Number.isNaN(most) ? values[i]! : Math.max(most, values[i]!);
      }
      visit(x / ratio, first, least, most, values[i] ?? Number.NaN);
    }
  }

  #drawLine(
    context: CanvasRenderingContext2D,
    steps: GaugeSteps,
    line: number,
    yOf: (value: number) => number,
    colours: Palette,
  ): void {
    context.strokeStyle = line === 0 ? colours.ink : colours.ink2;
    context.lineWidth = 1.5;
    context.setLineDash([...(LINE_DASHES[line] ?? [])]);
    context.beginPath();
    let pen = false;
    this.#eachColumn(steps, (x, first, least, most, last) => {
      if (Number.isNaN(last)) {
        pen = false;
        return;
      }
      if (pen) context.lineTo(x, yOf(Number.isNaN(first) ? last : first));
      else context.moveTo(x, yOf(last));
      pen = true;
      if (least !== most) {
        context.lineTo(x, yOf(least));
        context.lineTo(x, yOf(most));
      }
      context.lineTo(x, yOf(last));
    });
    context.stroke();
  }

  #fillAbove(
    context: CanvasRenderingContext2D,
    view: GaugeView,
    yOf: (value: number) => number,
    targetY: number,
    colours: Palette,
  ): void {
    const [steps] = this.#steps(view);
    if (!steps) return;
    const step = 1 / this.#base.ratio;
    context.fillStyle = colours.signal;
    context.globalAlpha = 0.45;
    this.#eachColumn(steps, (x, _first, _least, most) => {
      if (most > view.target!.value) context.fillRect(x, yOf(most), step, targetY - yOf(most));
    });
    context.globalAlpha = 1;
  }

  #paintOverlay(): void {
    const context = this.#over.begin();
    if (!context) return;
    const { window, cursorMs, scenario } = useApp.getState();
    const { current } = drawnRun();
    const colours = palette();
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss: this.#over.widthCss,
      heightCss: this.#over.heightCss,
      knownMs: current.done ? Number.POSITIVE_INFINITY : current.knownMs,
      changesMs: acting(scenario?.interventions ?? []).map((change) => change.atMs),
    };
    drawFutureVeil(context, colours, marks, colours.dark ? 0.5 : 0.55);
    drawUnknown(context, colours, marks);
    drawChangesAndCursor(context, colours, marks);
  }

  #writeValues(): void {
    const view = this.#view;
    if (!view) return;
    const { cursorMs } = useApp.getState();
    const { current } = drawnRun();
    const known = current.done || cursorMs <= current.knownMs;
    this.#steps(view).forEach((steps, line) => {
      const element = this.#hooks.valueText(line);
      if (!element) return;
      const value = known && steps ? valueAt(steps, cursorMs) : Number.NaN;
      const text = gaugeText(view.lines[line]!.gauge, value);
      if (element.textContent !== text) element.textContent = text;
    });
  }
}
