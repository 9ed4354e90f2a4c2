/**
 * The painter of one of several futures: bars and labels by the Gantt's own scene and painters, over them the outline of the selected job, the
 * changes of this future and the shared cursor. It follows camera, cursor and selection by itself.
 */

import { calendarZeroMs } from "../../base/civilDate.ts";
import { BasePainter, type GanttView } from "../../panels/gantt/basePainter.ts";
import { toCss } from "../../panels/gantt/nodeBoxes.ts";
import { GanttScene } from "../../panels/gantt/scene.ts";
import { paintText } from "../../panels/gantt/textPainter.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { dotLine, strokeHover, strokeSelected } from "../../render/marks.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { type RasterPalette, rasterPaletteOf } from "../../render/rasterPalette.ts";
import { acting } from "../../scenario/interventions.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette } from "../../theme/palette.ts";
import { crowded } from "../../timeline/crowded.ts";
import { hitTest } from "../../timeline/hitTest.ts";
import { boxesOf, type JobRect, rectsOfJob } from "../../timeline/jobRects.ts";
import { type PixelScale, pixelScaleOf, xDevOf } from "../../timeline/pixelScale.ts";
import { layoutRows, type RowLayout } from "../../timeline/rows.ts";
import { timeMsAt } from "../../timeline/viewport.ts";
import { type ComparedFuture, sameJob } from "./futures.ts";

export interface FutureCanvases {
  readonly base: HTMLCanvasElement;
  readonly text: HTMLCanvasElement;
  readonly over: HTMLCanvasElement;
}

const INDEX_MS = 3;
const NO_RECTS: readonly JobRect[] = [];

export class FuturePainter {
  readonly #scene = new GanttScene();
  readonly #bars = new BasePainter(this.#scene);
  readonly #base: PlotCanvas;
  readonly #text: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #indexer: PainterHandle;
  readonly #offs: (() => void)[];
  #compared: ComparedFuture | null = null;
  #image: ImageData | null = null;
  #view: GanttView | null = null;
  #layout: RowLayout | null = null;
  #layoutKey = "";
  #scale: PixelScale | null = null;
  #colours: RasterPalette | null = null;
  #found = { job: -1, of: null as ComparedFuture | null, rects: NO_RECTS };

  constructor(canvases: FutureCanvases) {
    const resized = () => this.#handle.mark(Dirty.size);
    this.#base = new PlotCanvas(canvases.base, resized);
    this.#text = new PlotCanvas(canvases.text, resized);
    this.#over = new PlotCanvas(canvases.over, resized);
    this.#indexer = frameLoop.register({ name: "futureIndex", paint: () => this.#index() });
    this.#handle = frameLoop.register({ name: "future", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.hover, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.selection, mark(Dirty.overlay)),
      onPalette(mark(Dirty.theme)),
    ];
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#indexer.remove();
    for (const canvas of [this.#base, this.#text, this.#over]) canvas.stop();
  }

  show(compared: ComparedFuture): void {
    this.#compared = compared;
    this.#handle.mark(Dirty.all);
  }

  timeAt(xCss: number): number {
    return timeMsAt(xCss, useApp.getState().window, this.#over.widthCss);
  }

  /** The job at a point of the plot, by its number in the shown run; −1 = none. */
  jobAt(xCss: number, yCss: number): number {
    const view = this.#view;
    const stage = runData.get().stage;
    if (!view || !stage || !this.#compared || !this.#scene.index) return -1;
    const hit = hitTest(
      this.#scene.index.parts,
      view.layout,
      view.scale,
      xCss * view.ratio,
      yCss * view.ratio,
      this.#compared.future.knownMs,
    );
    return hit ? sameJob(this.#compared.stage, stage, hit.jobIdx) : -1;
  }

  #paint(dirty: number): number {
    const compared = this.#compared;
    if (!compared) return 0;
    if (dirty & Dirty.data) {
      this.#scene.update({
        ...runData.get(),
        stage: compared.stage,
        current: compared.future,
        ghost: null,
      });
      if (this.#indexFor(INDEX_MS)) this.#indexer.mark(Dirty.data);
    }
    if (!this.#scene.units || this.#base.widthDev === 0 || this.#base.heightDev === 0) return 0;
    if (dirty & Dirty.theme || !this.#colours) this.#colours = rasterPaletteOf(palette());
    const view = this.#nextView();
    this.#view = view;
    if (this.#bars.paint(view, this.#colours)) this.#putBars();
    const text = this.#text.begin();
    if (text) paintText(text, this.#scene, view, palette());
    this.#paintOver(view, compared);
    return 0;
  }

  #index(): number {
    const more = this.#indexFor(INDEX_MS);
    this.#handle.mark(Dirty.camera);
    return more ? Dirty.data : 0;
  }

  #indexFor(ms: number): boolean {
    const untilMs = performance.now() + ms;
    while (this.#scene.step(1)) if (performance.now() >= untilMs) return true;
    return false;
  }

  #nextView(): GanttView {
    const { window, cursorMs } = useApp.getState();
    const { widthDev, heightDev, heightCss, ratio } = this.#base;
    const { u } = palette();
    this.#scale = pixelScaleOf(window, widthDev, this.#scale);
    const units = this.#scene.units!;
    const key = `${heightCss} ${ratio} ${u}`;
    if (!this.#layout || this.#layout.units !== units || key !== this.#layoutKey) {
      this.#layoutKey = key;
      this.#layout = layoutRows(units, { heightCss, ratio, u, chosen: {}, selected: -1 });
    }
    if (this.#scene.index)
      this.#layout = crowded(this.#layout, this.#scene.index.parts, {
        scale: this.#scale,
        width: widthDev,
        ratio,
        chosen: {},
        knownMs: this.#scene.future.knownMs,
      });
    return {
      scale: this.#scale,
      width: widthDev,
      height: heightDev,
      layout: this.#layout,
      scrollDev: 0,
      cursorMs,
      ratio,
      zeroMs: calendarZeroMs(this.#compared?.scenario.calendarStart),
    };
  }

  #putBars(): void {
    const { raster } = this.#bars;
    const { context } = this.#base;
    if (!raster || !context) return;
    if (this.#image?.data.buffer !== raster.pixels.buffer) {
      const bytes = new Uint8ClampedArray(raster.pixels.buffer as ArrayBuffer);
      this.#image = new ImageData(bytes, raster.width, raster.height);
    }
    context.putImageData(this.#image, 0, 0);
  }

  #paintOver(view: GanttView, compared: ComparedFuture): void {
    const context = this.#over.begin();
    if (!context) return;
    const colours = palette();
    const { selection, hover } = useApp.getState();
    const { stage } = runData.get();
    const heightCss = view.height / view.ratio;
    for (const change of acting(compared.scenario.interventions)) {
      const x = Math.round(xDevOf(change.atMs, view.scale) / view.ratio);
      if (x >= 0 && x <= view.width / view.ratio) dotLine(context, x, 0, heightCss, colours);
    }
    const jobOf = (it: typeof selection) =>
      it?.kind === "job" && stage ? sameJob(stage, compared.stage, it.jobIdx) : -1;
    const hovered = jobOf(hover);
    const selected = jobOf(selection);
    if (hovered >= 0 && hovered !== selected) {
      const rects = rectsOfJob(compared.future.chunks, compared.future.open, hovered);
      this.#stroke(rects, view, (box) => strokeHover(context, box, colours));
    }
    if (selected >= 0)
      this.#stroke(this.#rectsOf(selected, compared), view, (box) =>
        strokeSelected(context, box, colours),
      );
    const x = Math.round(xDevOf(view.cursorMs, view.scale) / view.ratio);
    context.fillStyle = colours.ink;
    context.fillRect(x - 1, 0, 2, heightCss);
  }

  #rectsOf(job: number, compared: ComparedFuture): readonly JobRect[] {
    if (this.#found.job !== job || this.#found.of?.future !== compared.future) {
      const { chunks, open } = compared.future;
      this.#found = { job, of: compared, rects: rectsOfJob(chunks, open, job) };
    }
    return this.#found.rects;
  }

  #stroke(
    rects: readonly JobRect[],
    view: GanttView,
    stroke: (box: NonNullable<ReturnType<typeof toCss>>) => void,
  ): void {
    for (const dev of boxesOf(rects, view.layout, view.scale, this.#scene.future.knownMs)) {
      const box = toCss(dev, view);
      if (box) stroke(box);
    }
  }
}
