/**
 * The Gantt's painter: four canvases, one registration in the frame loop, subscriptions outside React. Data, camera and theme
 * repaint bars and text; cursor, hover, selection and keyboard repaint the overlay (and the strip of bars that the cursor
 * passed); nothing changed means nothing painted.
 */
import { calendarZeroMs } from "../../base/civilDate.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { type RasterPalette, rasterPaletteOf } from "../../render/rasterPalette.ts";
import { Covered } from "../../store/covered.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { onPlan } from "../../store/planOverlay.ts";
import { onSearchHits, searchHits } from "../../store/searchHits.ts";
import type { Grouping } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette } from "../../theme/palette.ts";
import { crowded } from "../../timeline/crowded.ts";
import { mainBlock } from "../../timeline/jobRects.ts";
import { type PixelScale, pixelScaleOf } from "../../timeline/pixelScale.ts";
import {
  drawsBars,
  type LayoutWish,
  Level,
  layoutRows,
  type RowLayout,
  rowTop,
} from "../../timeline/rows.ts";
import type { RowUnits } from "../../timeline/rowUnits.ts";
import { BasePainter, type GanttView } from "./basePainter.ts";
import { gapWords, wholeBar } from "./gapMeasure.ts";
import { GutterPainter } from "./gutterPainter.ts";
import type { GutterWords } from "./gutterWords.ts";
import { setShownLevels } from "./leafLevels.ts";
import { OverlayPainter } from "./overlayPainter.ts";
import { GanttScene, type SceneLanes } from "./scene.ts";
import { type KeptLabels, paintText } from "./textPainter.ts";
import { ZoomStretch } from "./zoomStretch.ts";

export interface GanttCanvases {
  readonly gutter: HTMLCanvasElement;
  readonly base: HTMLCanvasElement;
  readonly text: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
}

/** Time for indexing in a frame. */
const INDEX_MS = 3;

/** What is different where rows are lanes of jobs (`groups/`). */
export interface GroupView extends SceneLanes {
  layout(units: RowUnits, wish: LayoutWish): RowLayout;
  paintGutter(context: CanvasRenderingContext2D, view: GanttView, widthCss: number): void;
  words(view: GanttView, block: number): GutterWords | null;
  rowName(unit: number): string;
}

export class GanttPainter {
  readonly scene = new GanttScene();
  readonly overlay = new OverlayPainter(this.scene);
  /** What the last frame showed; null before the first. */
  view: GanttView | null = null;
  scrollTopCss = 0;
  readonly #base: PlotCanvas;
  readonly #text: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #gutter: PlotCanvas;
  readonly #bars = new BasePainter(this.scene);
  readonly #gutterPainter = new GutterPainter(this.scene);
  readonly #handle: PainterHandle;
  readonly #indexer: PainterHandle;
  readonly #offs: (() => void)[];
  readonly #onHeight: (heightCss: number) => void;
  readonly #onScroll: (topCss: number) => void;
  readonly #onLoad: (open: number, asLoad: number) => void;
  readonly #stretch = new ZoomStretch();
  readonly #labels: KeptLabels = { scan: null, words: new Map() };
  #image: ImageData | null = null;
  #groups: GroupView | null = null;
  #layout: RowLayout | null = null;
  /** The layout of the last view, as it was told to those outside. */
  #shownLayout: RowLayout | null = null;
  #layoutKey = "";
  #openBlock = -1;
  #rasterPalette: RasterPalette | null = null;
  #scale: PixelScale | null = null;
  readonly #covered = new Covered();
  /** The index lacks bars of the future that the scene has. */
  #indexing = false;

  /** `onLoad` is told of how many open blocks how many have too many bars and are drawn as load. */
  constructor(
    canvases: GanttCanvases,
    onHeight: (heightCss: number) => void,
    onLoad: (open: number, asLoad: number) => void,
    onScroll: (topCss: number) => void = () => undefined,
  ) {
    this.#onScroll = onScroll;
    const resized = () => this.#handle.mark(Dirty.size);
    this.#base = new PlotCanvas(canvases.base, resized);
    this.#text = new PlotCanvas(canvases.text, resized);
    this.#over = new PlotCanvas(canvases.overlay, resized);
    this.#gutter = new PlotCanvas(canvases.gutter, resized);
    this.#onHeight = onHeight;
    this.#onLoad = onLoad;
    this.#indexer = frameLoop.register({ name: "index", paint: () => this.#index() });
    this.#handle = frameLoop.register({
      name: "gantt",
      paint: (dirty, nowMs) => this.#paint(dirty, nowMs),
    });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      this.#covered.follow(this.#handle),
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.leafLevels, mark(Dirty.camera)),
      useApp.subscribe(
        (state) => state.grouping,
        (grouping) => this.#groupBy(grouping),
      ),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.hover, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.ghostShown, mark(Dirty.overlay)),
      useApp.subscribe(
        (state) => state.selection,
        () => this.#selected(),
      ),
      useApp.subscribe((state) => state.scenario, mark(Dirty.camera)),
      onPlan(mark(Dirty.camera)),
      onSearchHits(() => {
        this.scene.find(searchHits());
        this.#handle.mark(Dirty.camera);
      }),
      onPalette(mark(Dirty.theme)),
    ];
    this.#groupBy(useApp.getState().grouping);
  }

  /** By hardware the scene itself knows; by jobs `groups/` comes with `showGroups`. */
  #groupBy(by: Grouping): void {
    if (by === "team" || by === "tier" || by === "job") return;
    this.scene.groupBy(by);
    this.#openBlock = -1;
    this.overlay.bar = null;
    this.#handle.mark(Dirty.all);
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#indexer.remove();
    for (const canvas of [this.#base, this.#text, this.#over, this.#gutter]) canvas.stop();
  }

  /** Lanes in the place of devices, with all that is drawn of them alone; null = devices again. */
  showGroups(groups: GroupView | null): void {
    this.#groups = groups;
    this.pick(null);
    this.scene.showLanes(groups);
    this.#openBlock = -1;
    this.overlay.bar = null;
    this.#handle.mark(Dirty.all);
  }

  /** A bar is picked; with `against` it is measured against the one picked before, and the words of that are returned. */
  pick(
    bar: { readonly jobIdx: number; readonly device: number; readonly startMs: number } | null,
    against = false,
  ): string {
    const { overlay, scene } = this;
    const { future, stage } = scene;
    const whole = bar && wholeBar(scene.rectsOfJob(future, bar.jobIdx), bar, future.knownMs);
    const measures = against && whole !== null && overlay.picked !== null;
    overlay.measured = measures ? whole : null;
    if (!measures) overlay.picked = whole;
    this.#handle.mark(Dirty.overlay);
    return measures && stage ? gapWords(stage, overlay.picked!, whole) : "";
  }

  /** Scrolls to a row (a job, by job); one that is in sight stays where it is, unless `always`. */
  scrollToRow(row: number, always = false): void {
    if (!this.view || this.#keepRows) return;
    const { layout, ratio, height, scrollDev } = this.view;
    const unit = layout.units.unitOfDevice[row];
    if (unit === undefined) return;
    const y = rowTop(layout, unit, row - layout.units.unitFirst[unit]!);
    const seen = y >= scrollDev && y < scrollDev + height - 16 * ratio;
    if (seen && !always) return;
    this.#onScroll(Math.max(0, y / ratio - (always ? 8 : height / ratio / 3)));
  }

  /** What a row is, for the ear: its node with what there is to say of it, or its group. */
  rowName(unit: number): string {
    const { units, stage, history } = this.scene;
    if (!units || !stage) return "";
    if (units.groups) return this.#groups?.rowName(unit) ?? "";
    const node = units.unitNode[unit]!;
    const more = history?.nodeWords(node, useApp.getState().cursorMs) ?? [];
    return [stage.cluster.nodeNames[node], ...more].join(", ");
  }

  /** What the gutter shows at a unit and block; null before the first frame. */
  gutterWords(unit: number, block: number): GutterWords | null {
    if (!this.view) return null;
    if (this.scene.lanes) return this.#groups?.words(this.view, block) ?? null;
    return this.#gutterPainter.words(this.view.cursorMs, unit, block);
  }

  mark(bits: number): void {
    this.#handle.mark(bits);
  }

  scrolled(scrollTopCss: number): void {
    this.scrollTopCss = scrollTopCss;
    this.#handle.mark(Dirty.camera);
  }

  #keepRows = false;

  /** Selects by pointer or keyboard in this panel: what is on screen stays where it is. */
  keepingRows(act: () => void): void {
    this.#keepRows = true;
    act();
    this.#keepRows = false;
  }

  /** A selection from elsewhere opens the block that holds most of it, where that block is folded. */
  #selected(): void {
    const { selection } = useApp.getState();
    if (!this.#keepRows && selection?.kind === "job" && this.scene.units && this.#layout) {
      const { future } = this.scene;
      const rects = this.scene.rectsOfJob(future, selection.jobIdx);
      const block = mainBlock(rects, this.scene.units, future.knownMs);
      if (block >= 0 && this.#layout.level[block] === Level.far) this.#openBlock = block;
    }
    this.#handle.mark(Dirty.overlay | Dirty.camera);
  }

  #paint(dirty: number, nowMs: number): number {
    if (dirty & Dirty.data) {
      this.scene.update(drawnRun());
      if (this.#indexFor(INDEX_MS)) this.#indexer.mark(Dirty.data);
      if (dirty === Dirty.data && this.#covered.holds) return 0;
    }
    const { widthDev, heightDev } = this.#base;
    if (!this.scene.stage || !this.scene.units || widthDev === 0 || heightDev === 0) {
      for (const canvas of [this.#base, this.#text, this.#over, this.#gutter]) canvas.begin();
      this.view = null;
      return 0;
    }
    if (dirty & Dirty.theme || !this.#rasterPalette)
      this.#rasterPalette = rasterPaletteOf(palette());
    const view = this.#nextView();
    this.view = view;
    const asked = (dirty & ~(Dirty.overlay | Dirty.camera)) === 0;
    const moves = asked && this.#stretch.goesOn(view, this.scene.version, nowMs);
    // Nothing to do but to wait for the rest.
    if (moves && dirty === Dirty.camera && this.#stretch.shows(view)) return Dirty.camera;
    const stretched = moves && this.#stretchBars(view, this.#rasterPalette);
    const changed =
      stretched || this.#paintBars(view, this.#rasterPalette, (dirty & Dirty.size) !== 0);
    if (changed || dirty & ~Dirty.overlay) this.#paintText(view, stretched);
    this.#paintOverlay(view);
    this.#gutterPainter.paint(
      this.#gutter,
      view,
      this.#layoutKey,
      this.#groups,
      (dirty & (Dirty.theme | Dirty.size)) !== 0,
    );
    this.#covered.painted(this.#indexing || stretched ? null : this.scene.future);
    return stretched ? Dirty.camera : 0;
  }

  /** The last picture at another scale, while a zoom over many bars goes on. */
  #stretchBars(view: GanttView, colours: RasterPalette): boolean {
    const { context } = this.#base;
    if (!context) return false;
    // What comes into view at the sides is painted as it is.
    for (const [x0, x1] of this.#stretch.show(context, view)) {
      this.#bars.paintColumns(view, colours, x0, x1);
      this.#putBars(x0, x1);
    }
    return true;
  }

  /** `emptied`: the canvas has lost its picture, as after a time in which nothing was shown; the bars in memory may still be right. */
  #paintBars(view: GanttView, colours: RasterPalette, emptied: boolean): boolean {
    const changed = this.#bars.paint(view, colours) || this.#stretch.stretched;
    if (changed || emptied) this.#putBars();
    const { full, bars } = this.#bars.counts;
    this.#stretch.painted(view, this.scene.version, full ? bars : null);
    return changed;
  }

  /** Goes on with what a data frame left; bars that came into the index are drawn when a frame has time, and at once when all are there. */
  #index(): number {
    const { version } = this.scene;
    const more = this.#indexFor(INDEX_MS);
    if (!more) this.#handle.mark(Dirty.data);
    else if (this.scene.version !== version) this.#handle.mark(Dirty.more);
    return more ? Dirty.data : 0;
  }

  /** Works on the index for so long; true while something is left. */
  #indexFor(ms: number): boolean {
    const untilMs = performance.now() + ms;
    do this.#indexing = this.scene.step(1);
    while (this.#indexing && performance.now() < untilMs);
    return this.#indexing;
  }

  #nextView(): GanttView {
    const { window, cursorMs, scenario } = useApp.getState();
    const { widthDev, heightDev, ratio } = this.#base;
    this.#scale = pixelScaleOf(window, widthDev, this.#scale);
    const layout = this.#withLoad(this.#nextLayout(), this.#scale);
    const most = Math.max(0, layout.heightDev - heightDev);
    return {
      scale: this.#scale,
      width: widthDev,
      height: heightDev,
      layout,
      scrollDev: Math.min(most, Math.round(this.scrollTopCss * ratio)),
      cursorMs,
      ratio,
      zeroMs: calendarZeroMs(scenario?.calendarStart),
    };
  }

  #nextLayout(): RowLayout {
    const units = this.scene.units!;
    const { leafLevels } = useApp.getState();
    const { heightCss, ratio } = this.#base;
    const { u } = palette();
    const { hasParts } = this.scene;
    const key = `${heightCss} ${ratio} ${u} ${this.#openBlock} ${hasParts} ${JSON.stringify(leafLevels)}`;
    if (this.#layout && this.#layout.units === units && key === this.#layoutKey)
      return this.#layout;
    this.#layoutKey = key;
    const wish = { heightCss, ratio, u, chosen: leafLevels, selected: this.#openBlock, hasParts };
    this.#layout =
      units.groups && this.#groups ? this.#groups.layout(units, wish) : layoutRows(units, wish);
    this.#shownLayout = null;
    this.#onHeight(this.#layout.heightDev / ratio);
    return this.#layout;
  }

  /** Open blocks whose bars are too many for their pixels become load; levels chosen by hand are left alone. */
  #withLoad(layout: RowLayout, scale: PixelScale): RowLayout {
    // By job a row holds one job, and is never crowded.
    if (!this.scene.index || layout.units.groups?.by === "job") {
      if (layout !== this.#shownLayout) this.#tell(layout);
      return layout;
    }
    const next = crowded(layout, this.scene.index.parts, {
      scale,
      width: this.#base.widthDev,
      ratio: this.#base.ratio,
      chosen: useApp.getState().leafLevels,
      knownMs: this.scene.future.knownMs,
    });
    if (next === this.#shownLayout) return next;
    this.#tell(next);
    return next;
  }

  #tell(next: RowLayout): void {
    this.#layout = next;
    this.#shownLayout = next;
    const open = next.level.reduce((count, level) => count + (level === Level.far ? 0 : 1), 0);
    const asLoad = next.load.reduce((count, load) => count + load, 0);
    this.#onLoad(open, asLoad);
    // The level after what looks far is the one that shows the block's bars where they stand.
    setShownLevels(
      next.level.map((level, b) => (level === Level.far || drawsBars(next, b) ? level : level - 1)),
    );
  }

  /** Puts the picture on the canvas, or only these columns. */
  #putBars(x0 = 0, x1 = this.#base.widthDev): void {
    const { raster } = this.#bars;
    const { context } = this.#base;
    if (!raster || !context) return;
    if (!this.#image || this.#image.data.buffer !== raster.pixels.buffer) {
      const bytes = new Uint8ClampedArray(raster.pixels.buffer as ArrayBuffer);
      this.#image = new ImageData(bytes, raster.width, raster.height);
    }
    context.putImageData(this.#image, 0, 0, x0, 0, x1 - x0, raster.height);
  }

  #paintText(view: GanttView, moving: boolean): void {
    const context = this.#text.begin();
    if (context) paintText(context, this.scene, view, palette(), this.#labels, moving);
  }

  #paintOverlay(view: GanttView): void {
    const context = this.#over.begin();
    if (context) this.overlay.paint(context, view, palette());
  }
}
