/**
 * The painter of causes over time: a band a row, what is waited for above its line, what is idle below it, all rows on the same two scales. The
 * account is of a stretch of time; while the camera moves it is drawn where it belongs. Idle time that no job answers for is neutral: nothing went
 * wrong there. O(rows × bins).
 */

import type { CauseRow } from "../../metrics/causeRows.ts";
import type { AccountRange } from "../../metrics/waitAccount.ts";
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
import { onPalette, palette } from "../../theme/palette.ts";
import { timeMsAt, xCssOf } from "../../timeline/viewport.ts";

export interface CausePicture {
  readonly range: AccountRange;
  readonly rows: readonly CauseRow[];
}

/** Part of a band above its line: waiting is most often more than what is idle. */
const ABOVE = 0.62;
const GAP_CSS = 3;

export class CausePainter {
  #picture: CausePicture | null = null;
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement) {
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "waiting", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord(mark(Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
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

  show(picture: CausePicture | null): void {
    this.#picture = picture;
    this.#handle.mark(Dirty.all);
  }

  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }

  #paint(dirty: number): number {
    if (dirty & ~Dirty.overlay) this.#paintBase();
    this.#paintOverlay();
    return 0;
  }

  #paintBase(): void {
    const context = this.#base.begin();
    const picture = this.#picture;
    if (!context || !picture || picture.rows.length === 0) return;
    const { rows } = picture;
    const colours = palette();
    const { widthCss, heightCss } = this.#base;
    const bandCss = heightCss / rows.length;
    const mostWaited = mostOf(rows.map(({ waited }) => waited));
    const mostIdle = mostOf(rows.map(({ idle }) => idle));
    rows.forEach((row, index) => {
      const topCss = index * bandCss + GAP_CSS;
      const roomCss = bandCss - 2 * GAP_CSS;
      const lineCss = Math.round(topCss + roomCss * ABOVE);
      this.#area(
        context,
        picture,
        row.waited,
        lineCss,
        -(lineCss - topCss) / mostWaited,
        colours.rule,
      );
      const belowCss = topCss + roomCss - lineCss;
      const idle = row.cause < 0 ? colours.line2 : colours.idleDot;
      this.#area(context, picture, row.idle, lineCss, belowCss / mostIdle, idle);
      context.fillStyle = colours.rule;
      context.fillRect(0, lineCss, widthCss, 1);
      if (index > 0) {
        context.fillStyle = colours.line;
        context.fillRect(0, Math.round(index * bandCss), widthCss, 1);
      }
    });
  }

  /** Bars of the bins from a line on; `perMs`: CSS pixels a device-ms, downwards. */
  #area(
    context: CanvasRenderingContext2D,
    { range }: CausePicture,
    values: Float64Array,
    lineCss: number,
    perMs: number,
    colour: string,
  ): void {
    const { window } = useApp.getState();
    const { widthCss, ratio } = this.#base;
    const binMs = (range.toMs - range.fromMs) / range.bins;
    // Edges on device pixels: bins that touch leave no seam.
    const edgeCss = (bin: number) =>
      Math.round(xCssOf(range.fromMs + bin * binMs, window, widthCss) * ratio) / ratio;
    context.fillStyle = colour;
    for (let bin = 0; bin < range.bins; bin++) {
      const value = values[bin]!;
      if (value <= 0) continue;
      const x0 = edgeCss(bin);
      const x1 = edgeCss(bin + 1);
      // What is there is seen, however little.
      const height = Math.sign(perMs) * Math.max(1, Math.abs(value * perMs));
      context.fillRect(x0, lineCss, x1 - x0, height);
    }
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
    drawFutureVeil(context, colours, marks, 0.35);
    drawUnknown(context, colours, marks);
    drawChangesAndCursor(context, colours, marks);
  }
}

/** The most in any bin of any row; at least what keeps a division sound. */
export function mostOf(rows: readonly Float64Array[]): number {
  return rows.reduce(
    (most, values) => values.reduce((now, value) => Math.max(now, value), most),
    Number.MIN_VALUE,
  );
}
