/**
 * Paints the whole run: devices held from below, devices waited for on top of them, the capacity as a dashed line, days, ticks of
 * changes and the cursor. The box of the window is an element, moved here, not by React.
 */
import { calendarZeroMs } from "../../base/civilDate.ts";
import { clockParts, dateText } from "../../base/format.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { textWidth } from "../../render/labels.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { timeBounds } from "../../store/camera.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { onRecord } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette } from "../../theme/palette.ts";
import { gridTicks } from "../../timeline/gridTicks.ts";
import { pixelScaleOf } from "../../timeline/pixelScale.ts";
import { GrowingColumns, type StepColumns } from "../../timeline/stepColumns.ts";
import { stepSeriesOf } from "../../timeline/stepSeries.ts";
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";

const DAY_MS = 86_400_000;

export interface MinimapParts {
  readonly base: HTMLCanvasElement;
  readonly over: HTMLCanvasElement;
  readonly box: HTMLElement;
}

export class MinimapPainter {
  readonly #parts: MinimapParts;
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  readonly #columns = new GrowingColumns();
  /** Names of days, above the veil over what is out of the window. */
  #days: readonly { readonly text: string; readonly x: number; readonly width: number }[] = [];

  constructor(parts: MinimapParts) {
    this.#parts = parts;
    this.#base = new PlotCanvas(parts.base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(parts.over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "minimap", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord((more) => this.#handle.mark(more ? Dirty.more : Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.data)),
      onPalette(mark(Dirty.theme)),
    ];
  }

  get widthCss(): number {
    return this.#base.widthCss;
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#base.stop();
    this.#over.stop();
  }

  #paint(dirty: number): number {
    const bounds = timeBounds();
    if (dirty & ~Dirty.overlay) this.#paintBase(bounds);
    this.#paintOver(bounds);
    return 0;
  }

  #paintBase(bounds: TimeWindow): void {
    const context = this.#base.begin();
    const { stage, current } = drawnRun();
    if (!context || !stage) return;
    const { widthCss, heightCss } = this.#base;
    const count = Math.max(1, Math.floor(widthCss));
    const tiers = stage.tiers.length;
    this.#columns.show(stepSeriesOf(current.chunks, tiers), bounds.fromMs, bounds.toMs, count);
    const { columns } = this.#columns;
    this.#paintDemand(context, columns, tiers, stage.cluster.deviceCount, heightCss);
    this.#paintDays(context, bounds, widthCss, heightCss);
  }

  #paintDemand(
    context: CanvasRenderingContext2D,
    columns: StepColumns,
    tiers: number,
    capacity: number,
    heightCss: number,
  ): void {
    const colours = palette();
    const { columns: count, heldMean, waitedMean } = columns;
    const held = new Float64Array(count);
    const all = new Float64Array(count);
    let most = capacity;
    for (let x = 0; x < count; x++) {
      for (let tier = 0; tier < tiers; tier++) held[x]! += heldMean[tier * count + x]!;
      all[x] = held[x]!;
      for (let tier = 0; tier < tiers; tier++) all[x]! += waitedMean[tier * count + x]!;
      most = Math.max(most, all[x]!);
    }
    // Demand of many times the machine would flatten what is held: the scale stops at five times.
    const top = 5;
    const base = heightCss - 5;
    const scale = (base - top) / Math.min(most, 5 * capacity);
    const yOf = (value: number) => Math.max(top, base - value * scale);
    for (let x = 0; x < count; x++) {
      const yHeld = yOf(held[x]!);
      context.fillStyle = colours.heldArea;
      context.fillRect(x, yHeld, 1, base - yHeld);
      const yAll = yOf(all[x]!);
      context.fillStyle = colours.waitArea;
      context.fillRect(x, yAll, 1, yHeld - yAll);
    }
    context.fillStyle = colours.rule;
    for (let x = 0; x < count; x += 5) context.fillRect(x, Math.round(yOf(capacity)), 2, 1);
  }

  #paintDays(
    context: CanvasRenderingContext2D,
    bounds: TimeWindow,
    widthCss: number,
    heightCss: number,
  ): void {
    const colours = palette();
    const calendar = useApp.getState().scenario?.calendarStart;
    context.font = `${11 * colours.u}px ${colours.font}`;
    const room = textWidth(context, clockParts(bounds.toMs, calendar).day) + 18;
    const scale = pixelScaleOf(bounds, widthCss);
    const leastMs = Math.max(DAY_MS, room / scale.pxPerMs);
    const ticks = gridTicks(scale, 0, widthCss, leastMs, calendarZeroMs(calendar));
    const isLong = ticks.stepMs > 7 * DAY_MS;
    const days: { text: string; x: number; width: number }[] = [];
    let freeFrom = 0;
    for (const t of [bounds.fromMs, ...ticks.atMs.filter((atMs) => atMs > bounds.fromMs)]) {
      const x = Math.round(xCssOf(t, bounds, widthCss));
      context.fillStyle = colours.rule;
      if (t > bounds.fromMs) context.fillRect(x, 2, 1, heightCss - 5);
      const { day } = clockParts(t, calendar);
      const date = isLong ? dateText(day) : day;
      // The clock leaves the first year out; a run that long needs it somewhere.
      const text = isLong && t === 0 && calendar ? `${date} ${calendar.slice(0, 4)}` : date;
      const width = textWidth(context, text);
      // The first day may be cut short, and names differ in width.
      if (x + 5 + width > widthCss || x < freeFrom) continue;
      freeFrom = x + width + 12;
      days.push({ text, x, width });
    }
    this.#days = days;
  }

  #writeDays(context: CanvasRenderingContext2D, colours: Palette): void {
    context.font = `${11 * colours.u}px ${colours.font}`;
    context.textBaseline = "alphabetic";
    for (const { text, x, width } of this.#days) {
      context.globalAlpha = 0.7;
      context.fillStyle = colours.bg;
      context.fillRect(x + 3, 2, width + 4, 12 * colours.u);
      context.globalAlpha = 1;
      context.fillStyle = colours.ink2;
      context.fillText(text, x + 5, 11.5 * colours.u);
    }
  }

  #paintOver(bounds: TimeWindow): void {
    const context = this.#over.begin();
    const { window, cursorMs, scenario } = useApp.getState();
    const { widthCss, heightCss } = this.#over;
    const from = Math.max(0, xCssOf(window.fromMs, bounds, widthCss));
    const to = Math.min(widthCss, xCssOf(window.toMs, bounds, widthCss));
    const { box } = this.#parts;
    box.style.transform = `translateX(${from.toFixed(1)}px)`;
    box.style.width = `${Math.max(6, to - from).toFixed(1)}px`;
    if (!context) return;
    const colours: Palette = palette();
    context.globalAlpha = 0.62;
    context.fillStyle = colours.bg;
    context.fillRect(0, 0, from, heightCss - 1);
    context.fillRect(to, 0, widthCss - to, heightCss - 1);
    context.globalAlpha = 1;
    this.#writeDays(context, colours);
    context.fillStyle = colours.ink;
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    for (const change of scenario?.interventions ?? []) {
      const x = xCssOf(change.atMs, bounds, widthCss);
      context.beginPath();
      context.moveTo(x - 3, heightCss);
      context.lineTo(x, heightCss - 5);
      context.lineTo(x + 3, heightCss);
      // One that is switched off is hollow, as its flag is.
      if (change.off) context.stroke();
      else context.fill();
    }
    const cursorX = Math.round(xCssOf(cursorMs, bounds, widthCss));
    context.fillRect(cursorX - 1, 0, 2, heightCss);
  }
}
