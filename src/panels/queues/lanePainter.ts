/**
 * The painter of the queue strip: lines of waiting on the base layer, everything that moves (paler future, selection, hover,
 * cursor) on the overlay, the gutter's numbers as text nodes. It reads store and run data itself; React never renders for it.
 */
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { packColour } from "../../render/packColour.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { createRaster, type Raster, shiftRaster } from "../../render/spanRaster.ts";
import {
  drawChangesAndCursor,
  drawFutureVeil,
  drawUnknown,
  type StripMarks,
} from "../../render/stripOverlay.ts";
import { acting } from "../../scenario/interventions.ts";
import { admitsWorkloads, policyChanges } from "../../scenario/policyAt.ts";
import { Covered } from "../../store/covered.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import type { Future } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette, tierColours } from "../../theme/palette.ts";
import { AdmittedWaits } from "../../timeline/admittedWaits.ts";
import { type PixelScale, pixelScaleOf } from "../../timeline/pixelScale.ts";
import { ColumnWindow } from "../../timeline/stepColumns.ts";
import { mostWaiting, type StepSeries, stepSeriesOf } from "../../timeline/stepSeries.ts";
import type { TimeWindow } from "../../timeline/viewport.ts";
import { packSteps, packWaits, type WaitLanes } from "../../timeline/waitLanes.ts";
import { AreaLine } from "./areaLine.ts";
import { type GutterTexts, LaneGutter } from "./laneGutter.ts";
import { drawHeads, type LaneHead } from "./laneHeads.ts";
import { jobAtPoint } from "./laneHit.ts";
import { layBands, type TierBand, withLanes } from "./laneLayout.ts";
import { drawLines } from "./laneLines.ts";
import { drawLaneNames } from "./laneNames.ts";
import { paintDensity, paintLanes } from "./laneRaster.ts";
import { LaneRoom } from "./laneRoom.ts";
import { usedTiers } from "./usedTiers.ts";

/** Lines of a whole run that are packed once; a run with more is packed for the part in view, then shown as density. */
const WHOLE_RUN_WAITS = 50_000;
const IN_VIEW_WAITS = 12_000;
const PACK_EVERY_MS = 500;
/** Packing that takes longer goes on in the next frame. */
const PACK_SLICE_MS = 3;

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
  tier: new Uint16Array(0),
  lane: new Uint32Array(0),
  lanesOfTier: new Int32Array(0),
};

/** What the base shows. */
interface Shown {
  readonly scale: PixelScale;
  readonly lanes: WaitLanes;
  readonly bands: readonly TierBand[];
}

export class LanePainter {
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #hooks: LanePainterHooks;
  readonly #handle: PainterHandle;
  readonly #packer: PainterHandle;
  readonly #offs: (() => void)[];
  #series: StepSeries = { tiers: 0, chunks: [] };
  readonly #gutter: LaneGutter;
  #whole: WaitLanes = NO_LANES;
  #view: { readonly range: TimeWindow; readonly lanes: WaitLanes } | null = null;
  #lanes: WaitLanes = NO_LANES;
  #heights: readonly TierBand[] = [];
  #bands: readonly TierBand[] = [];
  #dense: boolean | null = null;
  readonly #areaLine = new AreaLine();
  readonly #room = new LaneRoom();
  #heads: readonly LaneHead[] = [];
  #most: Int32Array = new Int32Array(0);
  readonly #columns = new ColumnWindow();
  readonly #admitted = new AdmittedWaits();
  #packing: Generator<void, WaitLanes> | null = null;
  #scale: PixelScale | null = null;
  #shown: Shown | null = null;
  #raster: Raster | null = null;
  #image: ImageData | null = null;
  /** The future whose lines are packed, or being packed. */
  #packed: Future | null = null;
  readonly #covered = new Covered();
  #packedAtMs = Number.NEGATIVE_INFINITY;
  #later: ReturnType<typeof setTimeout> | null = null;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement, hooks: LanePainterHooks) {
    this.#hooks = hooks;
    this.#gutter = new LaneGutter(hooks.gutter, hooks.tierOf);
    this.#base = new PlotCanvas(base, () => this.#handle.mark(Dirty.size));
    this.#over = new PlotCanvas(over, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({
      name: "queues",
      paint: (dirty, nowMs) => this.#paint(dirty, nowMs),
    });
    this.#packer = frameLoop.register({
      name: "lanes",
      paint: () => (this.#pack() ? Dirty.data : 0),
    });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      this.#covered.follow(this.#handle),
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
    this.#packer.remove();
    this.#base.stop();
    this.#over.stop();
  }

  /** Writes the gutter again. */
  refresh(): void {
    this.#handle.mark(Dirty.overlay);
  }

  /** Marks the heads of queues until others are told. */
  showHeads(heads: readonly LaneHead[]): void {
    this.#heads = heads;
    this.#handle.mark(Dirty.overlay);
  }

  /** Lines now shown, in order of start: for the keyboard. */
  get lanes(): WaitLanes {
    return this.#lanes;
  }

  /** Since when a job had been admitted that waited at a time, −1 = it had not. */
  admittedMs(jobIdx: number, fromMs: number, atMs: number): number {
    return this.#admitted.since(jobIdx, fromMs, atMs);
  }

  /** The job whose line is at a point of the strip, or −1. */
  jobAt(xCss: number, yCss: number): number {
    const view = { window: useApp.getState().window, widthCss: this.#over.widthCss };
    return jobAtPoint(this.lanes, this.#bands, view, xCss, yCss);
  }

  #paint(dirty: number, nowMs: number): number {
    if (dirty === Dirty.data && this.#covered.holds) return 0;
    if (dirty & Dirty.data) this.#readData(nowMs);
    if (dirty & (Dirty.data | Dirty.size)) this.#layOut();
    if (dirty & (Dirty.data | Dirty.size | Dirty.theme)) this.#shown = null;
    if (dirty & ~Dirty.overlay) this.#paintBase();
    this.#paintOverlay();
    this.#covered.painted(this.#packing ? null : this.#packed);
    return this.#gutter.write(nowMs) ? Dirty.overlay : 0;
  }

  #readData(nowMs: number): void {
    const data = drawnRun();
    const tiers = data.stage?.tiers.length ?? 0;
    this.#series = stepSeriesOf(data.current.chunks, tiers);
    if (this.#gutter.read(this.#series)) {
      this.#whole = NO_LANES;
      this.#view = null;
    }
    this.#most = mostWaiting(this.#series);
    if (data.stage)
      this.#admitted.read(
        data.current.chunks,
        data.stage.poolOfJob,
        policyChanges(useApp.getState().scenario),
        (useApp.getState().scenario?.pools ?? []).map(({ policy }) =>
          admitsWorkloads(policy.preset),
        ),
      );
    if (this.#packed?.chunks !== data.current.chunks) this.#packWhole(data.current, tiers, nowMs);
  }

  /** While results stream in, a large run is packed twice a second; what is between is drawn with the lanes that are there. */
  #packWhole(future: Future, tiers: number, nowMs: number): void {
    const large = this.#whole.jobIdx.length > 5_000 || this.#packing !== null;
    if (large && !future.done && nowMs - this.#packedAtMs < PACK_EVERY_MS) {
      this.#later ??= setTimeout(() => this.#handle.mark(Dirty.more), PACK_EVERY_MS);
      return;
    }
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = null;
    this.#packedAtMs = nowMs;
    this.#packed = future;
    const all = { fromMs: 0, toMs: Number.MAX_VALUE };
    this.#packing = packSteps(future, all, tiers, this.#hooks.tierOf, WHOLE_RUN_WAITS);
    if (this.#pack()) this.#packer.mark(Dirty.data);
  }

  /** Works on the packing of the whole run; true while it is not complete. */
  #pack(): boolean {
    if (!this.#packing) return false;
    const untilMs = performance.now() + PACK_SLICE_MS;
    do {
      const step = this.#packing.next();
      if (!step.done) continue;
      this.#packing = null;
      this.#whole = step.value;
      this.#view = null;
      this.#handle.mark(Dirty.size);
      return false;
    } while (performance.now() < untilMs);
    return true;
  }

  /** Heights follow the whole run, so they do not change while panning and zooming. */
  #layOut(): void {
    const lanes = this.#whole.packed ? this.#whole.lanesOfTier : this.#most;
    this.#heights = layBands(this.#over.heightCss, lanes, this.#whole.packed, usedTiers());
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
    const lanes = this.#lanesInView(window);
    if (lanes === this.#lanes && this.#heights === this.#heightsOfBands) return;
    this.#lanes = lanes;
    this.#heightsOfBands = this.#heights;
    this.#bands = withLanes(this.#heights, lanes.lanesOfTier, lanes.packed);
  }
  #heightsOfBands: readonly TierBand[] = [];

  #lanesInView(window: TimeWindow): WaitLanes {
    const span = window.toMs - window.fromMs;
    const { range } = this.#view ?? { range: { fromMs: 1, toMs: 0 } };
    const covers = range.fromMs <= window.fromMs && range.toMs >= window.toMs;
    if (!this.#view || !covers || range.toMs - range.fromMs > 6 * span) {
      const wide = { fromMs: window.fromMs - span, toMs: window.toMs + span };
      const { tiers } = this.#series;
      const { current } = drawnRun();
      const lanes = packWaits(current, wide, tiers, this.#hooks.tierOf, IN_VIEW_WAITS);
      this.#view = { range: wide, lanes };
    }
    return this.#view.lanes;
  }

  /** Shifts what stays in sight and paints the strip that came into view; all, where anything else changed. */
  #paintBase(): void {
    const { widthDev, heightDev, context } = this.#base;
    if (!context || widthDev === 0 || heightDev === 0) return;
    if (this.#series.tiers === 0) {
      this.#base.begin();
      return;
    }
    const { raster, image } = this.#fitRaster(widthDev, heightDev);
    const { window } = useApp.getState();
    this.#chooseLanes(window);
    const scale = pixelScaleOf(window, widthDev, this.#scale);
    this.#scale = scale;
    const last = this.#shown;
    const [lanes, bands] = [this.lanes, this.#bands];
    this.#shown = { scale, lanes, bands };
    const kept =
      last !== null &&
      last.lanes === lanes &&
      last.bands === bands &&
      last.scale.pxPerMs === scale.pxPerMs;
    const dx = kept ? last.scale.originPx - scale.originPx : widthDev;
    if (dx === 0) return;
    if (Math.abs(dx) >= widthDev) this.#paintColumns(raster, scale, 0, widthDev);
    else {
      shiftRaster(raster, dx, 0);
      if (dx > 0) this.#paintColumns(raster, scale, 0, dx);
      else this.#paintColumns(raster, scale, widthDev + dx, widthDev);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.putImageData(image, 0, 0);
    context.fillStyle = palette().line;
    for (const band of bands)
      context.fillRect(0, Math.round(band.topCss) * this.#base.ratio, widthDev, 1);
  }

  #fitRaster(width: number, height: number): { raster: Raster; image: ImageData } {
    let raster = this.#raster;
    let image = this.#image;
    if (!raster || !image || raster.width !== width || raster.height !== height) {
      raster = createRaster(width, height, 1);
      const bytes = new Uint8ClampedArray(raster.pixels.buffer as ArrayBuffer);
      image = new ImageData(bytes, width, height);
      this.#raster = raster;
      this.#image = image;
      this.#shown = null;
    }
    return { raster, image };
  }

  #paintColumns(raster: Raster, scale: PixelScale, fromX: number, toX: number): void {
    const { pixels, width, height } = raster;
    for (let y = 0; y < height; y++) pixels.fill(0, y * width + fromX, y * width + toX);
    const { ratio } = this.#base;
    const picture = { pixels, widthDev: width, heightDev: height, ratio, fromX, toX };
    const colours = palette();
    const { tiers } = this.#series;
    const edges = Uint32Array.from({ length: tiers }, (_, tier) =>
      packColour(tierColours(colours, tier, tiers).full),
    );
    const dense = this.#bands.map((band) => band.mode === "density");
    this.#tellDense(dense.includes(true));
    if (dense.includes(true)) this.#columns.show(this.#series, scale, width);
    for (let tier = 0; tier < tiers; tier++) {
      if (!dense[tier]) continue;
      const body = packColour(tierColours(colours, tier, tiers).heat);
      paintDensity(
        picture,
        this.#bands[tier]!,
        this.#columns.columns.waitingMean,
        tier * width,
        this.#most[tier]!,
        edges[tier]!,
        body,
      );
    }
    if (this.#lanes.packed)
      paintLanes(picture, this.#lanes, this.#bands, scale, edges, this.#admitted);
  }

  #tellDense(dense: boolean): void {
    if (dense !== this.#dense) this.#hooks.onDense(dense);
    this.#dense = dense;
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
      knownMs: drawnRun().current.done ? Number.POSITIVE_INFINITY : drawnRun().current.knownMs,
      changesMs: acting(scenario?.interventions ?? []).map((change) => change.atMs),
    };
    // Thin lines fade sooner than bars: on dark ground they keep more of their tint.
    drawFutureVeil(context, colours, marks, colours.dark ? 0.28 : 0.4);
    drawUnknown(context, colours, marks);
    if (hover?.kind === "job") this.#drawJob(context, hover.jobIdx, colours.ink, 1);
    if (selection?.kind === "job") this.#drawJob(context, selection.jobIdx, colours.ink, 2);
    const calendar = scenario?.calendarStart;
    const view = { ...marks, calendar, selected: this.#selectedIdx() };
    const lines = { lanes: this.#lanes, bands: this.#bands, tierOf: this.#hooks.tierOf };
    drawLaneNames(context, colours, this.#lanes, this.#bands, view, drawnRun().stage);
    // Only with the lines of the whole run it is known who waits next.
    if (this.#lanes === this.#whole) this.#room.draw(context, colours, view, lines, drawnRun());
    drawHeads(context, colours, this.#heads, { ...view, ...lines });
    drawChangesAndCursor(context, colours, marks);
  }

  #drawJob(context: CanvasRenderingContext2D, jobIdx: number, ink: string, least: number): void {
    context.fillStyle = ink;
    const view = { window: useApp.getState().window, widthCss: this.#over.widthCss };
    const drawn = drawLines(context, this.#lanes, this.#bands, view, jobIdx, least);
    const band = this.#bands[this.#hooks.tierOf(jobIdx)];
    if (!drawn && band && jobIdx === this.#selectedIdx())
      this.#areaLine.draw(context, drawnRun().current, jobIdx, band, view);
  }

  #selectedIdx(): number {
    const { selection } = useApp.getState();
    return selection?.kind === "job" ? selection.jobIdx : -1;
  }
}
