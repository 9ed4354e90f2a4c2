/**
 * The painter of a chosen curve: a stack of areas or a few lines on one scale. A column of pixels shows the mean over its time and, for lines, the least and the
 * most. The ground is painted too: the strip's own picture lies below. Columns are asked for when the window or the curve changes; what the cursor moves is
 * on the overlay. O(pixels · lines · log steps) a change of the window.
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
import { useApp } from "../../store/store.ts";
import { onPalette, type Palette, palette } from "../../theme/palette.ts";
import { type Curve, fillLine, lineAt } from "../../timeline/curves/curve.ts";
import { type Columns, makeColumns } from "../../timeline/curves/steps.ts";
import { timeMsAt, xCssOf } from "../../timeline/viewport.ts";
import { type CurvePlot, paintLevel, paintLines, paintStack } from "./chosenShapes.ts";
import { changeText, curveText } from "./curveWords.ts";

export interface ChosenHooks {
  /** The element that tells a line's value at the cursor; −1 = that of the curve. */
  readonly valueText: (line: number) => HTMLElement | null;
  readonly ghostText: () => HTMLElement | null;
  readonly changeText: () => HTMLElement | null;
}

const PAD_CSS = 5;

export class ChosenPainter {
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #hooks: ChosenHooks;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  #curve: Curve | null = null;
  #ghost: Curve | null = null;
  #tiers = 0;
  #columns: Columns[] = [];
  #ghostColumns: Columns[] = [];

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, hooks: ChosenHooks) {
    this.#hooks = hooks;
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "curve", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
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

  /** The curve that is drawn from now on, and that of the future before the last change. */
  show(curve: Curve | null, ghost: Curve | null, tiers: number): void {
    this.#curve = curve;
    this.#ghost = ghost;
    this.#tiers = tiers;
    this.#handle.mark(Dirty.all);
  }

  #paint(dirty: number): number {
    if (dirty & ~Dirty.overlay) {
      this.#fill();
      this.#paintBase();
    }
    this.#paintOverlay();
    this.#writeValues();
    return 0;
  }

  #fill(): void {
    const { window } = useApp.getState();
    const width = this.#base.widthDev;
    const filled = (curve: Curve | null, columns: Columns[]): Columns[] => {
      const lines = curve?.lines ?? [];
      const list = lines.map((_, line) =>
        columns[line]?.mean.length === width ? columns[line] : makeColumns(width),
      );
      for (const [index, line] of lines.entries())
        fillLine(line, window.fromMs, window.toMs, list[index]!);
      return list;
    };
    this.#columns = filled(this.#curve, this.#columns);
    this.#ghostColumns = filled(this.#ghost, this.#ghostColumns);
  }

  #paintBase(): void {
    const context = this.#base.begin();
    if (!context) return;
    const { widthCss, heightCss } = this.#base;
    const colours = palette();
    context.fillStyle = colours.bg;
    context.fillRect(0, 0, widthCss, heightCss);
    const curve = this.#curve;
    if (!curve) return;
    const plot = this.#plot(context, curve, colours);
    context.fillStyle = colours.line2;
    context.fillRect(0, Math.round(heightCss - PAD_CSS), widthCss, 1);
    if (curve.stacked) paintStack(plot, curve, this.#columns);
    paintLevel(plot, curve);
    if (!curve.stacked) paintLines(plot, curve, this.#columns);
  }

  #plot(context: CanvasRenderingContext2D, curve: Curve, colours: Palette): CurvePlot {
    const { heightCss, widthCss, widthDev, ratio } = this.#base;
    const foot = heightCss - PAD_CSS;
    const most = Math.max(curve.most, Number.MIN_VALUE);
    return {
      context,
      colours,
      tiers: this.#tiers,
      window: useApp.getState().window,
      widthCss,
      widthDev,
      ratio,
      footCss: foot,
      yOf: (value) => foot - (Math.min(most, Math.max(0, value)) / most) * (foot - PAD_CSS),
    };
  }

  #paintOverlay(): void {
    const context = this.#over.begin();
    const curve = this.#curve;
    if (!context) return;
    const { window, cursorMs, scenario, ghostShown } = useApp.getState();
    const { current, ghostFromMs } = drawnRun();
    const colours = palette();
    const { widthCss, heightCss } = this.#over;
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss,
      heightCss,
      knownMs: current.done ? Number.POSITIVE_INFINITY : current.knownMs,
      changesMs: acting(scenario?.interventions ?? []).map((change) => change.atMs),
    };
    drawFutureVeil(context, colours, marks, colours.dark ? 0.5 : 0.55);
    drawUnknown(context, colours, marks);
    if (curve && this.#ghost && ghostShown)
      this.#drawGhost(this.#plot(context, curve, colours), xCssOf(ghostFromMs, window, widthCss));
    drawChangesAndCursor(context, colours, marks);
  }

  /** The outline of the former future, from the change on: dashes over a halo. */
  #drawGhost(plot: CurvePlot, fromCss: number): void {
    const { context, colours, yOf, ratio, widthDev } = plot;
    const ghost = this.#ghost!;
    const first = Math.max(0, Math.floor(fromCss * ratio));
    const outlines = ghost.stacked
      ? [this.#ghostColumns.slice(0, ghost.outline)]
      : this.#ghostColumns.slice(0, ghost.outline).map((one) => [one]);
    for (const parts of outlines) {
      context.beginPath();
      let pen = false;
      for (let x = first; x < widthDev; x++) {
        const value = parts.reduce((sum, { mean }) => sum + mean[x]!, 0);
        if (Number.isNaN(value)) {
          pen = false;
          continue;
        }
        if (pen) context.lineTo(x / ratio, yOf(value));
        else context.moveTo(x / ratio, yOf(value));
        context.lineTo((x + 1) / ratio, yOf(value));
        pen = true;
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
  }

  #writeValues(): void {
    const curve = this.#curve;
    const { cursorMs, ghostShown } = useApp.getState();
    const { current, ghostFromMs } = drawnRun();
    const known = current.done || cursorMs <= current.knownMs;
    const now = curve && known ? mainAt(curve, cursorMs) : Number.NaN;
    write(this.#hooks.valueText(-1), curve ? curveText(curve.unit, now) : "…");
    curve?.lines.forEach((line, index) => {
      const value = known ? lineAt(line, cursorMs) : Number.NaN;
      write(this.#hooks.valueText(index), curveText(curve.unit, value));
    });
    const ghost = ghostShown && known && cursorMs >= ghostFromMs ? this.#ghost : null;
    const before = ghost ? mainAt(ghost, cursorMs) : Number.NaN;
    write(this.#hooks.ghostText(), ghost ? curveText(ghost.unit, before) : "");
    write(this.#hooks.changeText(), ghost ? changeText(ghost.unit, now - before) : "");
  }

  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }
}

/** What the curve as a whole says at a time. */
function mainAt(curve: Curve, atMs: number): number {
  if (curve.main !== null) return lineAt(curve.lines[curve.main]!, atMs);
  return curve.lines.reduce((sum, line) => sum + (lineAt(line, atMs) || 0), 0);
}

function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
