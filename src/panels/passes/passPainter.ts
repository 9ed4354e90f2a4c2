/**
 * The painter of the lane of passes. A main pass is a bar, a backfill pass a wedge; both are taller and full where they started jobs.
 * Where they are closer than that, a column of pixels stands for all within it: paler or darker by their number, dark and
 * the taller the more jobs they started.
 */

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
import { PASS_KINDS, PassIndex } from "../../timeline/passIndex.ts";
import { timeMsAt, xCssOf } from "../../timeline/viewport.ts";
import { passWords, spanWords } from "./passWords.ts";

/** Rows of the log taken in a frame. */
const ROWS_A_FRAME = 200_000;
/** Passes at least so far apart have shapes of their own. */
const SHAPE_CSS = 7;
const MAIN = 0;

export interface PassHooks {
  /** There is a pass, or none any more. */
  readonly onAny: (any: boolean) => void;
  /** The element that tells of the last pass of a kind at the cursor. */
  readonly lastText: (kind: number) => HTMLElement | null;
}

export class PassPainter {
  readonly index = new PassIndex();
  readonly #canvas: PlotCanvas;
  readonly #hooks: PassHooks;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];

  constructor(canvas: HTMLCanvasElement, hooks: PassHooks) {
    this.#hooks = hooks;
    this.#canvas = new PlotCanvas(canvas, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "passes", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord((more) => this.#handle.mark(more ? Dirty.more : Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.overlay)),
      onPalette(mark(Dirty.theme)),
    ];
    this.#handle.mark(Dirty.all);
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#canvas.stop();
  }

  /** What is at a point of the lane, in words; empty where nothing is within a few pixels. */
  wordsAt(xCss: number, yCss: number): string {
    const { window, scenario } = useApp.getState();
    const { widthCss, heightCss } = this.#canvas;
    const kind = yCss < heightCss / 2 ? 0 : 1;
    const calendar = scenario?.calendarStart;
    for (const slack of [0.5, 4]) {
      const fromMs = timeMsAt(xCss - slack, window, widthCss);
      const toMs = timeMsAt(xCss + slack, window, widthCss);
      const span = this.index.span(kind, fromMs, toMs);
      if (span.to > span.from) return spanWords(this.index, kind, span, calendar);
    }
    return "";
  }

  /** The pass at a time, in words: where a step has led to. */
  wordsOf(atMs: number): string {
    const calendar = useApp.getState().scenario?.calendarStart;
    const { rows } = this.index;
    return Array.from({ length: PASS_KINDS }, (_, kind) => this.index.lastRow(kind, atMs))
      .filter((row) => row >= 0 && rows.atMs[row] === atMs)
      .map((row) => passWords(this.index, row, calendar))
      .join("; ");
  }

  #paint(dirty: number): number {
    let again = 0;
    if (dirty & Dirty.data) {
      if (this.index.update(drawnRun().current.chunks, ROWS_A_FRAME)) again = Dirty.data;
      this.#hooks.onAny(this.index.count > 0);
    }
    this.#writeLast();
    const context = this.#canvas.begin();
    if (!context) return again;
    const colours = palette();
    for (let kind = 0; kind < PASS_KINDS; kind++) this.#paintKind(context, colours, kind);
    this.#paintMarks(context, colours);
    return again;
  }

  #paintKind(context: CanvasRenderingContext2D, colours: Palette, kind: number): void {
    const { window } = useApp.getState();
    const { widthCss, heightCss } = this.#canvas;
    const rowCss = heightCss / PASS_KINDS;
    const foot = Math.round((kind + 1) * rowCss) - 1;
    const whole = this.index.span(kind, window.fromMs, window.toMs);
    context.fillStyle = colours.line;
    context.fillRect(0, foot, widthCss, 1);
    const tall = rowCss - 3;
    if ((whole.to - whole.from) * SHAPE_CSS <= widthCss)
      this.#paintShapes(context, colours, kind, foot, tall);
    else this.#paintColumns(context, colours, kind, foot, tall);
  }

  #paintShapes(
    context: CanvasRenderingContext2D,
    colours: Palette,
    kind: number,
    foot: number,
    tall: number,
  ): void {
    const { window } = useApp.getState();
    const { widthCss } = this.#canvas;
    const { index } = this;
    const edgeMs = timeMsAt(4, window, widthCss) - window.fromMs;
    const { from, to } = index.span(kind, window.fromMs - edgeMs, window.toMs + edgeMs);
    for (let place = from; place < to; place++) {
      const row = index.rowOf(kind, place);
      const started = index.rows.started[row]! > 0;
      const x = xCssOf(index.rows.atMs[row]!, window, widthCss);
      const height = started ? tall : Math.round(tall * 0.5);
      context.fillStyle = started ? colours.ink : colours.ink3;
      context.strokeStyle = colours.ink3;
      if (kind === MAIN) context.fillRect(Math.round(x) - 1, foot - height, 2, height);
      else wedge(context, x, foot, height, started);
    }
  }

  /** One look-up for each column: what is between two edges is counted, not visited. */
  #paintColumns(
    context: CanvasRenderingContext2D,
    colours: Palette,
    kind: number,
    foot: number,
    tall: number,
  ): void {
    const { window } = useApp.getState();
    const { widthCss } = this.#canvas;
    const columns = Math.ceil(widthCss);
    const low = Math.max(2, Math.round(tall * 0.35));
    let startAt = 0;
    let most = 1;
    let mostStarts = 1;
    const counts = new Uint32Array(columns);
    const starts = new Uint32Array(columns);
    for (let x = 0; x < columns; x++) {
      const span = this.index.span(
        kind,
        timeMsAt(x, window, widthCss),
        timeMsAt(x + 1, window, widthCss),
        startAt,
      );
      startAt = span.from;
      counts[x] = span.to - span.from;
      starts[x] = span.started;
      most = Math.max(most, counts[x]!);
      mostStarts = Math.max(mostStarts, starts[x]!);
    }
    for (let x = 0; x < columns; x++) {
      if (counts[x] === 0) continue;
      context.globalAlpha = 0.3 + (0.6 * counts[x]!) / most;
      context.fillStyle = colours.ink3;
      context.fillRect(x, foot - low, 1, low);
      if (starts[x] === 0) continue;
      const height = Math.round(low + (tall - low) * Math.sqrt(starts[x]! / mostStarts));
      context.globalAlpha = 1;
      context.fillStyle = colours.ink;
      context.fillRect(x, foot - height, 1, height);
    }
    context.globalAlpha = 1;
  }

  #paintMarks(context: CanvasRenderingContext2D, colours: Palette): void {
    const { window, cursorMs, scenario } = useApp.getState();
    const { current } = drawnRun();
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss: this.#canvas.widthCss,
      heightCss: this.#canvas.heightCss,
      knownMs: current.done ? Number.POSITIVE_INFINITY : current.knownMs,
      changesMs: acting(scenario?.interventions ?? []).map((change) => change.atMs),
    };
    drawFutureVeil(context, colours, marks, colours.dark ? 0.28 : 0.4);
    drawUnknown(context, colours, marks);
    drawChangesAndCursor(context, colours, marks);
  }

  #writeLast(): void {
    const { cursorMs } = useApp.getState();
    const { rows } = this.index;
    for (let kind = 0; kind < PASS_KINDS; kind++) {
      const element = this.#hooks.lastText(kind);
      if (!element) continue;
      const row = this.index.lastRow(kind, cursorMs);
      const text =
        row < 0 ? "none yet" : `${rows.looked[row]} looked, ${rows.started[row]} started`;
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

function wedge(
  context: CanvasRenderingContext2D,
  x: number,
  foot: number,
  height: number,
  full: boolean,
): void {
  context.beginPath();
  context.moveTo(x - 3, foot);
  context.lineTo(x, foot - height);
  context.lineTo(x + 3, foot);
  context.closePath();
  if (full) context.fill();
  else context.stroke();
}
