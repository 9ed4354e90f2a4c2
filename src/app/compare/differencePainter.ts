/**
 * What a future holds more or less than A, per column of pixels: filled upwards where it holds more, hollow downwards where it holds less. A line
 * joins the first starts of the selected job in the two. O(columns × tiers + rows that came into view).
 */
import { clockNear } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { textWidth } from "../../render/labels.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette } from "../../theme/palette.ts";
import { rectsOfJob } from "../../timeline/jobRects.ts";
import { type PixelScale, pixelScaleOf, xDevOf } from "../../timeline/pixelScale.ts";
import { ColumnWindow, type StepColumns } from "../../timeline/stepColumns.ts";
import { stepSeriesOf } from "../../timeline/stepSeries.ts";
import { type ComparedFuture, sameJob } from "./futures.ts";

export class DifferencePainter {
  readonly #canvas: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  readonly #windows = [new ColumnWindow(), new ColumnWindow()] as const;
  #pair: readonly [ComparedFuture, ComparedFuture] | null = null;
  #scale: PixelScale | null = null;
  #starts = { jobIdx: -2, pair: null as object | null, ms: [Number.NaN, Number.NaN] };
  readonly #scaleText: () => HTMLElement | null;

  constructor(canvas: HTMLCanvasElement, scaleText: () => HTMLElement | null) {
    this.#scaleText = scaleText;
    this.#canvas = new PlotCanvas(canvas, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "difference", paint: () => this.#paint() });
    const mark = () => this.#handle.mark(Dirty.camera);
    this.#offs = [
      useApp.subscribe((state) => state.window, mark),
      useApp.subscribe((state) => state.cursorMs, mark),
      useApp.subscribe((state) => state.selection, mark),
      onPalette(mark),
    ];
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#canvas.stop();
  }

  show(a: ComparedFuture, b: ComparedFuture): void {
    this.#pair = [a, b];
    this.#handle.mark(Dirty.all);
  }

  #paint(): number {
    const context = this.#canvas.begin();
    if (!context || !this.#pair) return 0;
    const colours = palette();
    const { widthDev, widthCss, heightCss, ratio } = this.#canvas;
    const scale = pixelScaleOf(useApp.getState().window, widthDev, this.#scale);
    this.#scale = scale;
    const more = this.#moreHeld(scale, widthDev);
    const most = more.reduce((top, value) => Math.max(top, Math.abs(value)), 1);
    const middle = Math.round(heightCss / 2);
    const perDevice = (heightCss / 2 - 3) / most;
    const step = 1 / ratio;
    for (let x = 0; x < widthDev; x++) {
      const height = Math.abs(more[x]!) * perDevice;
      if (height < 0.25) continue;
      context.fillStyle = more[x]! > 0 ? colours.ink2 : colours.signal;
      if (more[x]! > 0) context.fillRect(x * step, middle - height, step, height);
      else if (isEdge(more, x)) context.fillRect(x * step, middle, step, height);
      else context.fillRect(x * step, middle + height - 1, step, 1);
    }
    context.fillStyle = colours.rule;
    context.fillRect(0, middle, widthCss, 1);
    this.#join(context, colours, scale, more, perDevice);
    const cursorX = Math.round(xDevOf(useApp.getState().cursorMs, scale) / ratio);
    context.fillStyle = colours.ink;
    context.fillRect(cursorX - 1, 0, 2, heightCss);
    const text = this.#scaleText();
    const words = `± ${Math.round(most)}`;
    if (text && text.textContent !== words) text.textContent = words;
    return 0;
  }

  /** B − A by column. */
  #moreHeld(scale: PixelScale, width: number): Float64Array {
    const [a, b] = this.#pair!.map(({ stage, future }, which) => {
      const series = stepSeriesOf(future.chunks, stage.tiers.length);
      this.#windows[which]!.show(series, scale, width);
      return { columns: this.#windows[which]!.columns, tiers: stage.tiers.length };
    });
    const held = ({ columns, tiers }: { columns: StepColumns; tiers: number }, x: number) => {
      let sum = 0;
      for (let tier = 0; tier < tiers; tier++) sum += columns.heldMean[tier * width + x]!;
      return sum;
    };
    return Float64Array.from({ length: width }, (_, x) => held(b!, x) - held(a!, x));
  }

  #join(
    context: CanvasRenderingContext2D,
    colours: Palette,
    scale: PixelScale,
    more: Float64Array,
    perDevice: number,
  ): void {
    const [fromMs, toMs] = this.#startsOfSelected();
    const { heightCss, widthCss, ratio } = this.#canvas;
    if (Number.isNaN(fromMs! + toMs!) || fromMs === toMs) return;
    const x0 = xDevOf(fromMs!, scale) / ratio;
    const x1 = xDevOf(toMs!, scale) / ratio;
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x0, 0);
    context.lineTo(x1, heightCss);
    context.stroke();
    const [a, b] = this.#pair!;
    const { cursorMs } = useApp.getState();
    const calendar = a.scenario.calendarStart;
    const at = (ms: number) => clockNear(ms, cursorMs, calendar);
    const words = `${this.#nameOfSelected()} starts ${at(fromMs!)} in ${a.letter}, ${at(toMs!)} in ${b.letter}`;
    context.font = `600 ${11 * colours.u}px ${colours.font}`;
    context.textBaseline = "middle";
    const width = textWidth(context, words);
    const high = Math.round(16 * colours.u);
    const { x, y } = quietPlace({
      width: width + 8,
      high,
      widthCss,
      heightCss,
      nearX: Math.max(x0, x1) + 4,
      reach: (at, side) => Math.max(0, side * (more[Math.round(at * ratio)] ?? 0)) * perDevice,
      lineX: (at) => x0 + ((x1 - x0) * at) / heightCss,
      cursorX: xDevOf(cursorMs, scale) / ratio,
    });
    context.fillStyle = colours.bg;
    context.fillRect(x, y, width + 8, high);
    context.fillStyle = colours.ink;
    context.fillText(words, x + 4, y + high / 2 + 0.5);
  }

  #nameOfSelected(): string {
    const { selection } = useApp.getState();
    const { stage } = runData.get();
    return selection?.kind === "job" && stage ? nameOf(stage.jobs.ids, selection.jobIdx) : "";
  }

  #startsOfSelected(): readonly number[] {
    const { selection } = useApp.getState();
    const { stage } = runData.get();
    const jobIdx = selection?.kind === "job" ? selection.jobIdx : -1;
    if (this.#starts.jobIdx === jobIdx && this.#starts.pair === this.#pair) return this.#starts.ms;
    const ms = this.#pair!.map(({ stage: of, future }) => {
      const job = stage ? sameJob(stage, of, jobIdx) : -1;
      if (job < 0) return Number.NaN;
      return rectsOfJob(future.chunks, future.open, job)[0]?.startMs ?? Number.NaN;
    });
    this.#starts = { jobIdx, pair: this.#pair, ms };
    return ms;
  }
}

interface Room {
  readonly width: number;
  readonly high: number;
  readonly widthCss: number;
  readonly heightCss: number;
  /** Where the words would stand best. */
  readonly nearX: number;
  /** How far the curve reaches from the middle at a pixel: up (1) or down (−1). */
  readonly reach: (x: number, side: 1 | -1) => number;
  /** Where the line that joins the starts is at a height. */
  readonly lineX: (y: number) => number;
  readonly cursorX: number;
}

const STEP_CSS = 8;

/** Top left corner of the words: above or below the middle, where they cover least of curve, line and cursor; ties by nearness, then above. O(width²/64). */
function quietPlace(room: Room): { readonly x: number; readonly y: number } {
  const { width, high, widthCss, heightCss, nearX } = room;
  // The right edge at the top has the number of the scale.
  const last = Math.max(0, widthCss - width - 64);
  let best = { x: 0, y: 1, cost: Number.POSITIVE_INFINITY };
  for (const side of [1, -1] as const) {
    const y = side === 1 ? 1 : heightCss - high - 1;
    for (let x = 0; x <= last; x += STEP_CSS) {
      const cost = coveredBy(room, x, y, side) * widthCss + Math.abs(x - nearX);
      if (cost < best.cost) best = { x, y, cost };
    }
  }
  return best;
}

/** How many steps of the words lie on something drawn. */
function coveredBy(room: Room, x: number, y: number, side: 1 | -1): number {
  const free = room.heightCss / 2 - room.high - 2;
  const ends = [room.lineX(y), room.lineX(y + room.high)];
  let count = 0;
  for (let at = x; at <= x + room.width; at += STEP_CSS)
    if (room.reach(at, side) > free) count += 1;
  if (Math.max(...ends) >= x - 2 && Math.min(...ends) <= x + room.width + 2) count += 4;
  if (room.cursorX >= x - 2 && room.cursorX <= x + room.width + 2) count += 4;
  return count;
}

/** Less is drawn hollow: only the sides of a stretch are filled. */
function isEdge(more: Float64Array, x: number): boolean {
  return !((more[x - 1] ?? 0) < 0 && (more[x + 1] ?? 0) < 0);
}
