/**
 * The map's painter: two canvases, one registration in the frame loop, subscriptions outside React. While playing it paints only where somebody came or went;
 * selection, keyboard and pointer repaint the outlines alone. Zoom and pan change the place of the view, never that of anything in it.
 */
import type { Cluster } from "../../model/cluster.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { strokeCorners, strokeHover, strokeSelected } from "../../render/marks.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { onRecord } from "../../store/runData.ts";
import { onSearchHits, searchHits } from "../../store/searchHits.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette } from "../../theme/palette.ts";
import { crossingsOf } from "../../timeline/topologyMap/linkStory.ts";
import { type Contention, contentionAt } from "../../timeline/topologyMap/mapContention.ts";
import { layoutMap, type MapLayout } from "../../timeline/topologyMap/mapLayout.ts";
import { boxOfPlace, type MapPlace } from "../../timeline/topologyMap/mapPlaces.ts";
import { type Arrangement, arrange } from "../../timeline/topologyMap/mapSizes.ts";
import { type MapState, mapStateOf } from "../../timeline/topologyMap/mapState.ts";
import { type ColourMode, stylesOf, stylesOfJobs } from "./mapColours.ts";
import { drawMap } from "./mapDraw.ts";
import { domainNamesOf, unitNamesOf } from "./mapNames.ts";
import type { MapPicture } from "./mapPicture.ts";

/** Time for indexing in a frame. */
const INDEX_MS = 3;
/** So large may a device become. */
const DEVICE_MOST = 72;
/** So far at least one can zoom in, however large devices are. */
const ZOOM_LEAST = 2;
const NOBODY = new Uint8Array(0);

export class MapPainter {
  state: MapState | null = null;
  layout: MapLayout | null = null;
  contention: Contention | null = null;
  mode: ColourMode = "tier";
  /** Where the keyboard stands, what lies under the pointer. */
  focus: MapPlace | null = null;
  hover: MapPlace | null = null;
  zoom = 1;
  /** Upper left of the view in the content. */
  leftCss = 0;
  topCss = 0;
  readonly #base: PlotCanvas;
  readonly #over: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  #arrangement: Arrangement | null = null;
  #layoutKey = "";
  #styleOfJob: Uint8Array = NOBODY;
  #styleKey: unknown = null;
  #jobUnits: ReadonlySet<number> = new Set();
  #jobBlocks: ReadonlySet<number> = new Set();
  #contentionFor: Int32Array | null = null;

  constructor(base: HTMLCanvasElement, over: HTMLCanvasElement) {
    const resized = () => this.#handle.mark(Dirty.size);
    this.#base = new PlotCanvas(base, resized);
    this.#over = new PlotCanvas(over, resized);
    this.#handle = frameLoop.register({ name: "map", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      onRecord((more) => this.#handle.mark(more ? Dirty.more : Dirty.data)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.selection, mark(Dirty.camera)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.camera)),
      onSearchHits(mark(Dirty.camera)),
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

  mark(bits: number): void {
    this.#handle.mark(bits);
  }

  get widthCss(): number {
    return this.#base.widthCss;
  }

  get heightCss(): number {
    return this.#base.heightCss;
  }

  colourBy(mode: ColourMode): void {
    this.mode = mode;
    this.#handle.mark(Dirty.camera);
  }

  /** Zooms around a place of the view, in CSS pixels of it; around its middle where none is given. */
  zoomBy(factor: number, xCss = this.widthCss / 2, yCss = this.heightCss / 2): void {
    const before = this.layout;
    if (!before) return;
    const shareX = (this.leftCss + xCss) / before.widthCss;
    const shareY = (this.topCss + yCss) / before.heightCss;
    this.zoom = Math.min(this.#zoomMost(before), Math.max(1, this.zoom * factor));
    const after = this.#nextLayout();
    if (!after) return;
    this.panTo(shareX * after.widthCss - xCss, shareY * after.heightCss - yCss);
  }

  /** Devices grow about as fast as the zoom. */
  #zoomMost(layout: MapLayout): number {
    const least = layout.cells.reduce((size, { w, h }) => Math.min(size, w, h), DEVICE_MOST);
    return Math.max(ZOOM_LEAST, (this.zoom * DEVICE_MOST * palette().u) / least);
  }

  panTo(leftCss: number, topCss: number): void {
    this.leftCss = leftCss;
    this.topCss = topCss;
    this.#handle.mark(Dirty.camera);
  }

  fit(): void {
    this.zoom = 1;
    this.panTo(0, 0);
  }

  /** Brings a place into view; on a leaf also closer, so that its nodes are to be read. */
  show(place: MapPlace): void {
    const { layout } = this;
    if (!layout) return;
    const { x, y, w, h } = boxOfPlace(layout, place);
    const margin = 12;
    const within = (at: number, size: number, from: number, room: number) =>
      at - margin < from
        ? at - margin
        : at + size + margin > from + room
          ? at + size + margin - room
          : from;
    this.panTo(
      within(x, w, this.leftCss, this.widthCss),
      within(y, h, this.topCss, this.heightCss),
    );
  }

  /** So close that a leaf fills the view. */
  zoomTo(block: number): void {
    const { layout } = this;
    if (!layout) return;
    const factor = Math.min(
      this.widthCss / (layout.blockW + 40),
      this.heightCss / (layout.blockH + 40),
    );
    this.zoom = Math.min(this.#zoomMost(layout), Math.max(1, this.zoom * factor));
    const after = this.#nextLayout();
    if (!after) return;
    this.panTo(
      after.blockX[block]! - (this.widthCss - after.blockW) / 2,
      after.blockY[block]! - (this.heightCss - after.blockH) / 2,
    );
  }

  #paint(dirty: number): number {
    const { stage, current } = drawnRun();
    if (!stage) {
      this.state = null;
      this.#base.begin();
      this.#over.begin();
      return 0;
    }
    if (this.state?.stage !== stage) this.#take(stage);
    const state = this.state!;
    if (dirty & Dirty.data) state.update(current);
    const indexing = this.#index(state);
    if (this.widthCss === 0 || this.heightCss === 0) return indexing ? Dirty.data : 0;
    const before = this.layout;
    const layout = this.#nextLayout()!;
    const moved = state.read(useApp.getState().cursorMs);
    if (moved || dirty & ~Dirty.overlay || layout !== before) {
      this.#readJob(state);
      this.#readContention(state);
      this.#paintBase(state, layout);
    }
    this.#paintOver(layout);
    return indexing ? Dirty.overlay : 0;
  }

  #index(state: MapState): boolean {
    const untilMs = performance.now() + INDEX_MS;
    while (state.step(1)) if (performance.now() >= untilMs) return true;
    return false;
  }

  #take(stage: MapState["stage"]): void {
    // An edit brings the same cluster anew: where the view stands is kept.
    const other = !this.state || !isAlike(this.state.stage.cluster, stage.cluster);
    this.state = mapStateOf(stage);
    this.state.update(drawnRun().current);
    this.#contentionFor = null;
    this.contention = null;
    if (!other) return;
    this.#arrangement = null;
    this.#layoutKey = "";
    this.focus = null;
    this.hover = null;
    this.zoom = 1;
    this.leftCss = 0;
    this.topCss = 0;
  }

  #nextLayout(): MapLayout | null {
    const { state } = this;
    if (!state) return null;
    const room = { widthCss: this.widthCss, heightCss: this.heightCss, u: palette().u };
    const key = `${room.widthCss} ${room.heightCss} ${room.u}`;
    if (key !== this.#layoutKey || !this.#arrangement) {
      this.#layoutKey = key;
      this.#arrangement = arrange(state.tree, room);
      this.layout = null;
    }
    const full = `${key} ${this.zoom}`;
    if (this.layout && this.#fullKey === full && this.layout.tree === state.tree)
      return this.#clamped(this.layout);
    this.#fullKey = full;
    this.layout = layoutMap(state.tree, room, this.#arrangement, this.zoom);
    return this.#clamped(this.layout);
  }
  #fullKey = "";

  /** No view beyond the content; what is smaller than the view stands in its middle, across. */
  #clamped(layout: MapLayout): MapLayout {
    const overX = layout.widthCss - this.widthCss;
    const overY = layout.heightCss - this.heightCss;
    this.leftCss = overX <= 0 ? Math.round(overX / 2) : Math.min(overX, Math.max(0, this.leftCss));
    this.topCss = overY <= 0 ? 0 : Math.min(overY, Math.max(0, this.topCss));
    return layout;
  }

  #readJob(state: MapState): void {
    const jobIdx = this.#selectedJob();
    const jobUnits = new Set<number>();
    const jobBlocks = new Set<number>();
    if (jobIdx >= 0) {
      const { unitOfDevice, blockOfUnit } = state.tree.units;
      state.holders.jobOfDevice.forEach((job, device) => {
        if (job === jobIdx) jobUnits.add(unitOfDevice[device]!);
      });
      for (const [device, slices] of state.slices)
        if (slices.some((slice) => slice.jobIdx === jobIdx)) jobUnits.add(unitOfDevice[device]!);
      for (const unit of jobUnits) jobBlocks.add(blockOfUnit[unit]!);
    }
    this.#jobUnits = jobUnits;
    this.#jobBlocks = jobBlocks;
  }

  #selectedJob(): number {
    const { selection } = useApp.getState();
    return selection?.kind === "job" ? selection.jobIdx : -1;
  }

  #readContention(state: MapState): void {
    const network = useApp.getState().scenario?.cluster.network;
    if (this.mode !== "contention" || !network) {
      this.contention = null;
      return;
    }
    const { jobOfDevice } = state.holders;
    const same = this.contention && this.#contentionFor?.every((job, d) => job === jobOfDevice[d]);
    if (same) return;
    this.#contentionFor = jobOfDevice.slice();
    this.contention = contentionAt(state.stage, network, jobOfDevice);
  }

  /** 1 for jobs that stay in full: the selected one while it holds something, else those that the search finds. */
  #lit(state: MapState): Uint8Array {
    const jobIdx = this.#selectedJob();
    const { count } = state.stage.jobs;
    if (jobIdx >= 0 && this.#jobUnits.size > 0) {
      const lit = new Uint8Array(count);
      lit[jobIdx] = 1;
      return lit;
    }
    const { selection } = useApp.getState();
    if (selection?.kind === "team")
      return Uint8Array.from(state.stage.jobs.at.team.subarray(0, count), (team) =>
        team === selection.team ? 1 : 0,
      );
    if (selection?.kind === "leaf") {
      const lit = new Uint8Array(count);
      for (const { jobIdx } of crossingsOf(state.stage, state.holders.jobOfDevice, selection.leaf))
        lit[jobIdx] = 1;
      return lit;
    }
    const hits = searchHits();
    if (!hits) return NOBODY;
    const lit = new Uint8Array(count);
    for (const job of hits) if (job < count) lit[job] = 1;
    return lit;
  }

  #paintBase(state: MapState, layout: MapLayout): void {
    const context = this.#base.begin();
    if (!context) return;
    const colours = palette();
    if (this.#styleKey !== state.stage || this.#styleMode !== this.mode) {
      this.#styleOfJob = stylesOfJobs(this.mode, state.stage);
      this.#styleKey = state.stage;
      this.#styleMode = this.mode;
    }
    const { units, spines } = state.tree;
    const picture: MapPicture = {
      layout,
      state,
      mode: this.mode,
      styles: stylesOf(this.mode, colours),
      styleOfJob: this.#styleOfJob,
      loadOfJob: this.contention?.ofJob ?? new Map(),
      loadOfLeaf: this.contention?.ofLeaf ?? null,
      lit: this.#lit(state),
      jobIdx: this.#selectedJob(),
      jobUnits: this.#jobUnits,
      jobBlocks: this.#jobBlocks,
      unitNames: unitNamesOf(state),
      spineNames: spines.map(({ spine }) => (spines.length > 1 ? `Spine ${spine + 1}` : "Spine")),
      domainNames: domainNamesOf(state),
      leftCss: this.leftCss,
      topCss: this.topCss,
      widthCss: this.widthCss,
      heightCss: this.heightCss,
    };
    context.save();
    context.translate(-this.leftCss, -this.topCss);
    if (units.unitCount > 0) drawMap(context, picture, colours);
    context.restore();
  }
  #styleMode: ColourMode | null = null;

  #paintOver(layout: MapLayout): void {
    const context = this.#over.begin();
    if (!context) return;
    const colours = palette();
    const { selection } = useApp.getState();
    const { units } = layout.tree;
    const boxOf = (place: MapPlace) => {
      const { x, y, w, h } = boxOfPlace(layout, place);
      return { x0: x, y0: y, x1: x + w, y1: y + h };
    };
    context.save();
    context.translate(-this.leftCss, -this.topCss);
    for (const unit of this.#jobUnits)
      if (layout.unitW >= 3) strokeSelected(context, boxOf({ kind: "unit", unit }), colours);
    if (selection?.kind === "node")
      units.unitNode.forEach((node, unit) => {
        if (node === selection.node)
          strokeSelected(context, boxOf({ kind: "unit", unit }), colours);
      });
    if (selection?.kind === "gpu") {
      const unit = units.unitOfDevice[selection.device];
      if (unit !== undefined)
        strokeSelected(context, deviceBox(layout, unit, selection.device), colours);
    }
    if (selection?.kind === "leaf" && units.leaves && selection.leaf < units.blockCount)
      strokeSelected(context, boxOf({ kind: "block", block: selection.leaf }), colours);
    if (this.hover) strokeHover(context, boxOf(this.hover), colours);
    if (this.focus) strokeCorners(context, boxOf(this.focus), colours);
    context.restore();
  }
}

function deviceBox(layout: MapLayout, unit: number, device: number) {
  const { tree } = layout;
  const cells = layout.cells[tree.kindOfUnit[unit]!]!;
  const i = device - tree.units.unitFirst[unit]!;
  const x0 = layout.unitX[unit]! + cells.x[i]!;
  const y0 = layout.unitY[unit]! + cells.y[i]!;
  return { x0, y0, x1: x0 + cells.w, y1: y0 + cells.h };
}

function isAlike(a: Cluster, b: Cluster): boolean {
  return (
    a === b ||
    (a.nodeCount === b.nodeCount &&
      a.deviceCount === b.deviceCount &&
      a.leafCount === b.leafCount &&
      a.nvswitchCount === b.nvswitchCount)
  );
}
