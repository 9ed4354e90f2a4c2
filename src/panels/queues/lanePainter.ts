/**
 * The painter of the queue strip: lines of waiting on the base layer, everything that moves (paler future, selection, hover,
 * cursor) on the overlay, the gutter's numbers as text nodes. It reads store and run data itself; React never renders for it.
 */
import { durationText, numberText } from "../../base/format.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { packColour } from "../../render/packColour.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import {
  drawChangesAndCursor,
  drawFutureVeil,
  drawUnknown,
  type StripMarks,
} from "../../render/stripOverlay.ts";
import { type Future, runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette, tierColours } from "../../theme/palette.ts";
import {
  allocateColumns,
  fillColumns,
  mostWaiting,
  type StepColumns,
  type StepSeries,
  StepWalk,
  stepSeriesOf,
} from "../../timeline/stepSeries.ts";
import { type TimeWindow, timeMsAt, xCssOf } from "../../timeline/viewport.ts";
import { oldestWaits, packWaits, type WaitLanes } from "../../timeline/waits.ts";
import { laneAt, laneTopCss, layBands, type TierBand, withLanes } from "./laneLayout.ts";
import { paintDensity, paintLanes } from "./laneRaster.ts";

/** Lines of a whole run that are packed once; a run with more is packed for the part in view, then shown as density. */
const WHOLE_RUN_WAITS = 50_000;
const IN_VIEW_WAITS = 12_000;
/** The oldest wait needs a search; ten times a second is as fast as numbers can be read. */
const OLDEST_EVERY_MS = 100;
const PACK_EVERY_MS = 500;

export interface GutterTexts {
  readonly held: HTMLElement | null;
  readonly waiting: HTMLElement | null;
  readonly oldest: HTMLElement | null;
}

export interface LanePainterHooks {
  /** Called when the bands have moved, so that the gutter's rows can follow. */
  readonly onBands: (bands: readonly TierBand[]) => void;
  /** Called when lines became too many somewhere, or all have room again. */
  readonly onDense: (dense: boolean) => void;
  readonly gutter: (tier: number) => GutterTexts;
  readonly tierOf: (jobIdx: number) => number;
}

const NO_LANES: WaitLanes = {
  packed: false,
  jobIdx: new Uint32Array(0),
  fromMs: new Float64Array(0),
  toMs: new Float64Array(0),
  tier: new Uint8Array(0),
  lane: new Uint32Array(0),
  lanesOfTier: new Int32Array(0),
};

export class LanePainter {
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #hooks: LanePainterHooks;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  #series: StepSeries = { tiers: 0, chunks: [] };
  #walk = new StepWalk({ tiers: 0, chunks: [] });
  #whole: WaitLanes = NO_LANES;
  #view: { readonly range: TimeWindow; readonly lanes: WaitLanes } | null = null;
  #lanes: WaitLanes = NO_LANES;
  #heights: readonly TierBand[] = [];
  #bands: readonly TierBand[] = [];
  #dense: boolean | null = null;
  #most: Int32Array = new Int32Array(0);
  #columns: StepColumns | null = null;
  #oldestMs = new Float64Array(0);
  #oldestAtMs = Number.NEGATIVE_INFINITY;
  #chunksSeen: unknown = null;
  #packedAtMs = Number.NEGATIVE_INFINITY;
  #later: ReturnType<typeof setTimeout> | null = null;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, hooks: LanePainterHooks) {
    this.#hooks = hooks;
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({
      name: "queues",
      paint: (dirty, nowMs) => this.#paint(dirty, nowMs),
    });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      runData.subscribe(mark(Dirty.data)),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.selection, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.hover, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.overlay)),
      onPalette(mark(Dirty.theme)),
    ];
  }

  stop(): void {
    for (const off of this.#offs) off();
    if (this.#later !== null) clearTimeout(this.#later);
    this.#handle.remove();
    this.#base.stop();
    this.#over.stop();
  }

  /** Writes the gutter again. */
  refresh(): void {
    this.#handle.mark(Dirty.overlay);
  }

  /** Lines now shown, in order of start: for the keyboard. */
  get lanes(): WaitLanes {
    return this.#lanes;
  }

  /** The job whose line is at a point of the strip, or −1. The nearest line within 4 px counts. */
  jobAt(xCss: number, yCss: number): number {
    const { window } = useApp.getState();
    const tier = this.#bands.findIndex(
      (band) => yCss >= band.topCss && yCss < band.topCss + band.heightCss,
    );
    const band = this.#bands[tier];
    if (band?.mode !== "lanes") return -1;
    const lane = laneAt(band, yCss);
    const slackMs = timeMsAt(4, window, this.#over.widthCss) - window.fromMs;
    const atMs = timeMsAt(xCss, window, this.#over.widthCss);
    let best = -1;
    let bestMs = Number.POSITIVE_INFINITY;
    const { lanes } = this;
    for (let row = 0; row < lanes.jobIdx.length; row++) {
      if (
        lanes.tier[row] !== tier ||
        Math.abs(lanes.lane[row]! - lane) > (band.pitchCss < 3 ? 1 : 0)
      )
        continue;
      const far =
        Math.max(lanes.fromMs[row]! - atMs, atMs - lanes.toMs[row]!, 0) +
        Math.abs(lanes.lane[row]! - lane);
      if (far < bestMs && far <= slackMs) {
        best = lanes.jobIdx[row]!;
        bestMs = far;
      }
    }
    return best;
  }

  #paint(dirty: number, nowMs: number): number {
    if (dirty & Dirty.data) this.#readData(nowMs);
    if (dirty & (Dirty.data | Dirty.size)) this.#layOut();
    if (dirty & (Dirty.data | Dirty.size | Dirty.camera | Dirty.theme)) this.#paintBase();
    this.#paintOverlay();
    return this.#writeGutter(nowMs) ? Dirty.overlay : 0;
  }

  #readData(nowMs: number): void {
    const data = runData.get();
    const tiers = data.stage?.tiers.length ?? 0;
    this.#series = stepSeriesOf(data.current.chunks, tiers);
    this.#walk = new StepWalk(this.#series);
    this.#oldestAtMs = Number.NEGATIVE_INFINITY;
    if (this.#oldestMs.length !== tiers) this.#oldestMs = new Float64Array(tiers);
    if (this.#chunksSeen !== data.current.chunks) this.#packWhole(data.current, tiers, nowMs);
  }

  /** While results stream in, a large run is packed twice a second; what is between is drawn with the lanes that are there. */
  #packWhole(future: Future, tiers: number, nowMs: number): void {
    const large = this.#whole.jobIdx.length > 5_000;
    if (large && !future.done && nowMs - this.#packedAtMs < PACK_EVERY_MS) {
      this.#later ??= setTimeout(() => this.#handle.mark(Dirty.data), PACK_EVERY_MS);
      return;
    }
    this.#packedAtMs = nowMs;
    this.#later = null;
    this.#chunksSeen = future.chunks;
    this.#most = mostWaiting(this.#series);
    this.#view = null;
    const all = { fromMs: 0, toMs: Number.MAX_VALUE };
    this.#whole = packWaits(future, all, tiers, this.#hooks.tierOf, WHOLE_RUN_WAITS);
  }

  /** Heights follow the whole run, so they do not change while panning and zooming. */
  #layOut(): void {
    const lanes = this.#whole.packed ? this.#whole.lanesOfTier : this.#most;
    this.#heights = layBands(this.#over.heightCss, lanes, this.#whole.packed);
    this.#hooks.onBands(this.#heights);
  }

  /**
   * The lines to draw: those of the whole run where all tiers have room for them, else those of three screens around the window,
   * whose tiers are drawn as density where even these are too many.
   */
  #chooseLanes(window: TimeWindow): void {
    if (this.#whole.packed && this.#heights.every((band) => band.mode === "lanes")) {
      this.#lanes = this.#whole;
      this.#bands = this.#heights;
      return;
    }
    this.#lanes = this.#lanesInView(window);
    this.#bands = withLanes(this.#heights, this.#lanes.lanesOfTier, this.#lanes.packed);
  }

  #lanesInView(window: TimeWindow): WaitLanes {
    const span = window.toMs - window.fromMs;
    const { range } = this.#view ?? { range: { fromMs: 1, toMs: 0 } };
    const covers = range.fromMs <= window.fromMs && range.toMs >= window.toMs;
    if (!this.#view || !covers || range.toMs - range.fromMs > 6 * span) {
      const wide = { fromMs: window.fromMs - span, toMs: window.toMs + span };
      const { tiers } = this.#series;
      const { current } = runData.get();
      const lanes = packWaits(current, wide, tiers, this.#hooks.tierOf, IN_VIEW_WAITS);
      this.#view = { range: wide, lanes };
    }
    return this.#view.lanes;
  }

  #paintBase(): void {
    const context = this.#base.begin();
    if (!context || this.#series.tiers === 0) return;
    const { window } = useApp.getState();
    const { widthDev, heightDev, ratio } = this.#base;
    this.#chooseLanes(window);
    const image = context.createImageData(widthDev, heightDev);
    const pixels = new Uint32Array(image.data.buffer);
    const picture = { pixels, widthDev, heightDev, ratio };
    const colours = palette();
    const { tiers } = this.#series;
    const edges = Uint32Array.from({ length: tiers }, (_, tier) =>
      packColour(tierColours(colours, tier, tiers).full),
    );
    if (this.#columns?.columns !== widthDev || this.#columns.heldMean.length !== widthDev * tiers) {
      this.#columns = allocateColumns(widthDev, tiers);
    }
    const dense = this.#bands.map((band) => band.mode === "density");
    this.#tellDense(dense.includes(true));
    if (dense.includes(true)) fillColumns(this.#series, window.fromMs, window.toMs, this.#columns);
    for (let tier = 0; tier < tiers; tier++) {
      if (!dense[tier]) continue;
      const body = packColour(tierColours(colours, tier, tiers).heat);
      paintDensity(
        picture,
        this.#bands[tier]!,
        this.#columns.waitingMean,
        tier * widthDev,
        this.#most[tier]!,
        edges[tier]!,
        body,
      );
    }
    if (this.#lanes.packed) paintLanes(picture, this.#lanes, this.#bands, window, edges);
    context.putImageData(image, 0, 0);
    context.fillStyle = colours.line;
    for (const band of this.#bands)
      context.fillRect(0, Math.round(band.topCss), this.#base.widthCss, 1 / ratio);
  }

  #tellDense(dense: boolean): void {
    if (dense === this.#dense) return;
    this.#dense = dense;
    this.#hooks.onDense(dense);
  }

  #paintOverlay(): void {
    const context = this.#over.begin();
    if (!context) return;
    const { window, cursorMs, selection, hover, scenario } = useApp.getState();
    const colours = palette();
    const marks: StripMarks = {
      window,
      cursorMs,
      widthCss: this.#over.widthCss,
      heightCss: this.#over.heightCss,
      knownMs: runData.get().current.done
        ? Number.POSITIVE_INFINITY
        : runData.get().current.knownMs,
      changesMs: scenario?.interventions.map((change) => change.atMs) ?? [],
    };
    // Thin lines fade sooner than bars: on dark ground they keep more of their tint.
    drawFutureVeil(context, colours, marks, colours.dark ? 0.28 : 0.4);
    drawUnknown(context, colours, marks);
    if (hover?.kind === "job") this.#drawJob(context, hover.jobIdx, colours.ink, 1);
    if (selection?.kind === "job") this.#drawJob(context, selection.jobIdx, colours.ink, 2);
    drawChangesAndCursor(context, colours, marks);
  }

  #drawJob(context: CanvasRenderingContext2D, jobIdx: number, ink: string, least: number): void {
    const { window } = useApp.getState();
    const { lanes } = this;
    const width = this.#over.widthCss;
    context.fillStyle = ink;
    for (
      let row = lanes.jobIdx.indexOf(jobIdx);
      row >= 0;
      row = lanes.jobIdx.indexOf(jobIdx, row + 1)
    ) {
      const band = this.#bands[lanes.tier[row]!];
      if (band?.mode !== "lanes") continue;
      const left = Math.max(-2, xCssOf(lanes.fromMs[row]!, window, width));
      const right = Math.min(width + 2, xCssOf(lanes.toMs[row]!, window, width));
      if (right < left) continue;
      context.fillRect(
        left,
        Math.round(laneTopCss(band, lanes.lane[row]!)),
        Math.max(1, right - left),
        Math.max(least, band.pitchCss - 1),
      );
    }
  }

  /** Returns true while a number is older than the cursor. */
  #writeGutter(nowMs: number): boolean {
    const { cursorMs } = useApp.getState();
    const data = runData.get();
    this.#walk.moveTo(cursorMs);
    let pending = false;
    if (nowMs - this.#oldestAtMs >= OLDEST_EVERY_MS) {
      oldestWaits(data.current, cursorMs, this.#hooks.tierOf, this.#oldestMs);
      this.#oldestAtMs = nowMs;
      this.#oldestCursorMs = cursorMs;
    } else pending = this.#oldestCursorMs !== cursorMs;
    const known = data.current.done || cursorMs <= data.current.knownMs;
    for (let tier = 0; tier < this.#series.tiers; tier++) {
      const { held, waiting, oldest } = this.#hooks.gutter(tier);
      const waits = this.#walk.waiting[tier]!;
      const since = this.#oldestMs[tier]!;
      write(held, known ? numberText(this.#walk.held[tier]!) : "–");
      write(waiting, known && waits > 0 ? numberText(waits) : "–");
      write(
        oldest,
        !known || waits === 0 || since > cursorMs ? "–" : durationText(cursorMs - since),
      );
    }
    return pending;
  }

  #oldestCursorMs = 0;
}

function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
