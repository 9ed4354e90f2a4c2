/**
 * The bars of the Gantt as pixels. A frame repaints what changed and nothing else: a pan or a scroll shifts the picture and
 * paints the strip that came into view; a move of the cursor paints the strip between its old and new place; other data,
 * another zoom or other rows paint all. No canvas is touched here, so the painter runs in Node for tests and bench.
 */
import { partOf } from "../../record/shapes.ts";
import { paintHeatBin } from "../../render/heatRaster.ts";
import type { RasterPalette } from "../../render/rasterPalette.ts";
import {
  type BarShape,
  createRaster,
  fillRect,
  GROUND_ROWS,
  type Ground,
  Look,
  layGround,
  paintBar,
  prepareGround,
  type Raster,
  shiftRaster,
} from "../../render/spanRaster.ts";
import { gridTicks, leastTickMs } from "../../timeline/gridTicks.ts";
import { meanOver, scaleTo } from "../../timeline/groupLoad.ts";
import { drawnBinMs, HEAT_TIERS, heatOf } from "../../timeline/heat.ts";
import { BarEdge, createBars, emitUnit } from "../../timeline/lod.ts";
import { type PixelScale, xDevOf } from "../../timeline/pixelScale.ts";
import { blockAt, drawsBars, padOf, type RowLayout, rowTop } from "../../timeline/rows.ts";
import { rowsOfBlock, rowsOfUnit, UNIT_ROWS_MAX } from "../../timeline/rowUnits.ts";
import { paintOutOfService } from "./closedPainter.ts";
import { findSame, isSame, remember } from "./gangJoin.ts";
import { emptyShape, shrinkToPart } from "./partShape.ts";
import { type GanttScene, lookOf } from "./scene.ts";

export interface GanttView {
  readonly scale: PixelScale;
  readonly width: number;
  readonly height: number;
  readonly layout: RowLayout;
  /** Device pixels of content above the top edge. */
  readonly scrollDev: number;
  readonly cursorMs: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** The calendar's time at time 0, for lines at days and months; null where days are only counted. */
  readonly zeroMs: number | null;
}

/** What a frame cost, in exact counts. */
export interface PaintCounts {
  /** Pixels repainted. */
  pixels: number;
  /** Pieces of bars painted. */
  bars: number;
  full: boolean;
}

/** Least width of a bin of load. */
export const LOAD_BIN_CSS = 4;

export class BasePainter {
  raster: Raster | null = null;
  readonly counts: PaintCounts = { pixels: 0, bars: 0, full: false };
  readonly #scene: GanttScene;
  readonly #bars = createBars(1_024);
  readonly #shape = emptyShape();
  #above = createBars(1_024);
  #aboveNext = createBars(1_024);
  #aboveUnit = -2;
  readonly #rowY = new Int32Array(UNIT_ROWS_MAX + 1);
  #ground: Ground = { rows: [], plain: new Uint32Array(0) };
  #waiting = new Uint8Array(0);
  #heatSums = new Float64Array(0);
  /** When work in view was lost: as the cursor passes such a time, whole bars change. */
  #lostAtMs: number[] = [];
  #last: GanttView | null = null;
  #lastVersion = -1;
  #lastPalette: RasterPalette | null = null;

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  /** Paints what changed since the last call; false when nothing did. */
  paint(view: GanttView, palette: RasterPalette): boolean {
    const { counts } = this;
    counts.pixels = 0;
    counts.bars = 0;
    counts.full = false;
    const last = this.#last;
    const r = this.#fitRaster(view);
    const kept =
      last !== null &&
      this.#lastVersion === this.#scene.version &&
      this.#lastPalette === palette &&
      last.layout === view.layout &&
      last.width === view.width &&
      last.height === view.height &&
      last.scale.pxPerMs === view.scale.pxPerMs &&
      last.zeroMs === view.zeroMs &&
      !this.#passesLost(last.cursorMs, view.cursorMs);
    this.#last = view;
    this.#lastVersion = this.#scene.version;
    this.#lastPalette = palette;
    const dx = kept ? last.scale.originPx - view.scale.originPx : 0;
    const dy = kept ? last.scrollDev - view.scrollDev : 0;
    if (
      !kept ||
      Math.abs(dx) >= view.width * 0.7 ||
      Math.abs(dy) >= view.height * 0.7 ||
      (dx !== 0 && dy !== 0)
    ) {
      counts.full = true;
      this.#lostAtMs = [];
      this.#paintRect(r, view, palette, 0, view.width, 0, view.height);
      return true;
    }
    const fromX = xDevOf(last.cursorMs, view.scale);
    const toX = xDevOf(view.cursorMs, view.scale);
    if (dx === 0 && dy === 0 && fromX === toX) return false;
    if (dx !== 0 || dy !== 0) shiftRaster(r, dx, dy);
    if (dx > 0) this.#paintRect(r, view, palette, 0, dx, 0, view.height);
    if (dx < 0) this.#paintRect(r, view, palette, view.width + dx, view.width, 0, view.height);
    if (dy > 0) this.#paintRect(r, view, palette, 0, view.width, 0, dy);
    if (dy < 0) this.#paintRect(r, view, palette, 0, view.width, view.height + dy, view.height);
    if (fromX !== toX) {
      const x0 = Math.max(0, Math.min(fromX, toX));
      const x1 = Math.min(view.width, Math.max(fromX, toX));
      if (x1 > x0) this.#paintRect(r, view, palette, x0, x1, 0, view.height);
    }
    return true;
  }

  /** Paints columns of a view whose scale is not that of the picture, which is lost with it: the next `paint` paints all. */
  paintColumns(view: GanttView, palette: RasterPalette, x0: number, x1: number): void {
    const r = this.#fitRaster(view);
    this.#last = null;
    this.#paintRect(r, view, palette, x0, x1, 0, view.height);
  }

  #passesLost(fromMs: number, toMs: number): boolean {
    if (fromMs === toMs) return false;
    const low = Math.min(fromMs, toMs);
    const high = Math.max(fromMs, toMs);
    for (const atMs of this.#lostAtMs) if (atMs > low && atMs <= high) return true;
    return false;
  }

  #fitRaster(view: GanttView): Raster {
    const hair = Math.max(1, Math.round(view.ratio));
    if (
      !this.raster ||
      this.raster.width !== view.width ||
      this.raster.height !== view.height ||
      this.raster.hair !== hair
    ) {
      this.raster = createRaster(view.width, view.height, hair);
      this.#ground = {
        rows: Array.from({ length: GROUND_ROWS * hair }, () => new Uint32Array(view.width)),
        plain: new Uint32Array(view.width),
      };
      this.#waiting = new Uint8Array(view.width);
      this.#last = null;
    }
    return this.raster;
  }

  #paintRect(
    r: Raster,
    view: GanttView,
    palette: RasterPalette,
    x0: number,
    x1: number,
    y0: number,
    y1: number,
  ): void {
    r.clipX0 = x0;
    r.clipX1 = x1;
    r.clipY0 = y0;
    r.clipY1 = y1;
    const period = 840 * r.hair;
    r.phaseX = ((view.scale.originPx % period) + period) % period;
    r.phaseY = view.scrollDev;
    this.counts.pixels += (x1 - x0) * (y1 - y0);
    this.#layGroundUnder(r, view, palette);
    const { layout } = view;
    const { units } = layout;
    const cursorX = xDevOf(view.cursorMs, view.scale);
    let b = Math.max(0, blockAt(layout, y0 + view.scrollDev));
    for (; b < units.blockCount && layout.blockY[b]! - layout.gap - view.scrollDev < y1; b++) {
      if (b > 0) {
        const y = layout.blockY[b]! - (layout.gap >> 1) - view.scrollDev;
        fillRect(r, x0, x1, y, y + r.hair, palette.line);
      }
      if (drawsBars(layout, b)) this.#paintBlock(r, view, palette, b, cursorX);
      else this.#paintLoad(r, view, palette, b, cursorX);
    }
  }

  #layGroundUnder(r: Raster, view: GanttView, palette: RasterPalette): void {
    const scene = this.#scene;
    const { scale } = view;
    const knownMs = scene.future.knownMs;
    scene.demand.mark(scale.pxPerMs, scale.originPx, r.clipX0, r.clipX1, knownMs, this.#waiting);
    const ticks = gridTicks(scale, r.clipX0, r.clipX1, leastTickMs(scale, view.ratio), view.zeroMs);
    prepareGround(
      r,
      {
        waiting: this.#waiting,
        gridX: ticks.x,
        gridDay: ticks.day,
        cursorX: xDevOf(view.cursorMs, scale),
        knownX: scene.future.done ? Number.POSITIVE_INFINITY : xDevOf(knownMs, scale),
      },
      palette,
      this.#ground,
    );
    layGround(r, this.#ground, r.clipY0, r.clipY1, false);
  }

  #paintLoad(r: Raster, view: GanttView, palette: RasterPalette, b: number, cursorX: number): void {
    const scene = this.#scene;
    const { layout, scale } = view;
    const y0 = layout.blockY[b]! - view.scrollDev;
    const y1 = y0 + layout.blockH[b]!;
    const devices = rowsOfBlock(layout.units, b);
    layGround(r, this.#ground, y0, y1, devices > 0 && !layout.units.groups);
    if (devices === 0 || !scene.heat || !scene.index) return;
    const binMs = drawnBinMs(scale.pxPerMs, LOAD_BIN_CSS * r.hair);
    const firstBin = Math.floor((r.clipX0 + scale.originPx) / scale.pxPerMs / binMs);
    const bins = Math.ceil((r.clipX1 + scale.originPx) / scale.pxPerMs / binMs) - firstBin + 1;
    if (this.#heatSums.length < bins * HEAT_TIERS)
      this.#heatSums = new Float64Array(bins * HEAT_TIERS * 2);
    const openEndMs = scene.future.knownMs;
    heatOf(
      scene.heat,
      scene.index.parts,
      b,
      binMs,
      firstBin,
      bins,
      openEndMs,
      scene.positionOfJob,
      this.#heatSums,
    );
    const load = scene.lanes?.load?.[b];
    for (let i = 0; i < bins; i++) {
      const fromMs = (firstBin + i) * binMs;
      // A bin that is known in part shows the share of that part, and the rest stays unknown.
      const toMs = scene.future.done ? fromMs + binMs : Math.min(fromMs + binMs, openEndMs);
      if (toMs <= fromMs) break;
      const capacityMs = Math.max(1, load?.most ?? devices) * (toMs - fromMs);
      if (load) {
        const heldMs = meanOver(load.held, fromMs, toMs) * (toMs - fromMs);
        scaleTo(this.#heatSums, i * HEAT_TIERS, HEAT_TIERS, heldMs);
      }
      const x0 = xDevOf(fromMs, scale);
      const x1 = xDevOf(toMs, scale);
      paintHeatBin(r, x0, x1, y0, y1, this.#heatSums, i * HEAT_TIERS, capacityMs, cursorX, palette);
      if (load?.due) {
        const due = meanOver(load.due, fromMs, toMs) / load.most;
        const y = Math.max(y0, y1 - Math.round(due * (y1 - y0)));
        if (due > 0) fillRect(r, x0, x1, y, y + r.hair, palette.rule);
      }
    }
    this.counts.bars += bins;
  }

  #paintBlock(
    r: Raster,
    view: GanttView,
    palette: RasterPalette,
    b: number,
    cursorX: number,
  ): void {
    const { layout } = view;
    const { units } = layout;
    const top = r.clipY0 + view.scrollDev;
    const bottom = r.clipY1 + view.scrollDev;
    this.#aboveUnit = -2;
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const y = layout.unitY[u]!;
      const h = layout.unitH[u]!;
      // One unit more at either side: a gang's block reaches over the line between two nodes.
      if (y + 2 * h < top || y - h > bottom) continue;
      this.#paintUnit(r, view, palette, u, cursorX);
    }
  }

  #paintUnit(r: Raster, view: GanttView, palette: RasterPalette, u: number, cursorX: number): void {
    const scene = this.#scene;
    const { layout, scale } = view;
    const rows = rowsOfUnit(layout.units, u);
    const y0 = layout.unitY[u]! - view.scrollDev;
    const y1 = y0 + layout.unitH[u]!;
    const pad = padOf(layout, u);
    for (let row = 0; row <= rows; row++) this.#rowY[row] = rowTop(layout, u, row) - view.scrollDev;
    // A node without devices has none that could be idle while work waits; a lane is no device.
    const lanes = layout.units.groups !== undefined;
    layGround(r, this.#ground, y0, y1 - pad, rows > 0 && !lanes);
    if (pad > 0) fillRect(r, r.clipX0, r.clipX1, y1 - Math.max(1, pad >> 1), y1, palette.line);
    if (!lanes) paintOutOfService(r, view, palette, scene, u, y0, y1 - pad, this.#rowY);
    if (rows === 0 || !scene.index) return;
    emitUnit(scene.barParts, u, scale, r.clipX0, r.clipX1, scene.future.knownMs, this.#bars);
    this.counts.bars += this.#bars.count;
    this.#paintBars(r, view, palette, u, rows, pad, cursorX);
  }

  #paintBars(
    r: Raster,
    view: GanttView,
    palette: RasterPalette,
    u: number,
    rows: number,
    pad: number,
    cursorX: number,
  ): void {
    const bars = this.#bars;
    const shape = this.#shape;
    const above = this.#above;
    const aboveNext = this.#aboveNext;
    const joins = this.#aboveUnit === u - 1;
    const { cursorMs } = view;
    const position = this.#scene.paintOfJob;
    let a = 0;
    aboveNext.count = 0;
    for (let i = 0; i < bars.count; i++) {
      const bits = bars.bits[i]!;
      const from = bars.row[i]!;
      const count = bars.rows[i]!;
      shape.x0 = bars.x0[i]!;
      shape.x1 = bars.x1[i]!;
      shape.barX0 = bars.barX0[i]!;
      shape.y0 = this.#rowY[from]!;
      const gap = this.#rowY[from + count]! - shape.y0 >= 5 * r.hair ? r.hair : 0;
      shape.y1 = this.#rowY[from + count]! - gap;
      const isPart = partOf(bits) !== 0;
      if (isPart) shrinkToPart(shape, this.#scene, u, bars, i, r.hair);
      shape.start = (bars.flags[i]! & BarEdge.start) !== 0;
      shape.end = (bars.flags[i]! & BarEdge.end) !== 0;
      shape.joinedAbove = false;
      shape.look = this.#lookAt(bits, bars.jobIdx[i]!, bars.startMs[i]!, cursorMs);
      const tier = palette.tiers[position[bars.jobIdx[i]!]!]!;
      if (count === rows && !isPart) {
        if (joins) {
          a = findSame(above, a, bars, i);
          if (a < above.count && isSame(above, a, bars, i))
            this.#join(r, shape, pad, gap, cursorX, tier.full);
        }
        remember(aboveNext, bars, i);
      }
      paintBar(r, shape, cursorX, tier, palette);
    }
    this.#above = aboveNext;
    this.#aboveNext = above;
    this.#aboveUnit = u;
  }

  /** Closes the line to the same bar in the node above: one block in the middle level, a tie at the start in the near one. */
  #join(
    r: Raster,
    shape: BarShape,
    pad: number,
    gap: number,
    cursorX: number,
    colour: number,
  ): void {
    if (pad === 0) {
      shape.joinedAbove = true;
      // Over the gap, and over the edge that the bar above has there.
      shape.y0 -= shape.x1 - shape.barX0 >= 3 ? gap + r.hair : gap;
      return;
    }
    const inked = Math.min(shape.barX0 + 3 * r.hair, cursorX);
    const tieEnd = Math.min(shape.x1, Math.max(shape.barX0 + r.hair, inked));
    fillRect(r, shape.x0, tieEnd, shape.y0 - pad - gap, shape.y0, colour);
  }

  /** Only work can be lost: what else a run did looks the same whatever came of it. */
  #lookAt(bits: number, jobIdx: number, startMs: number, cursorMs: number): number {
    const look = lookOf(bits);
    const { lost } = this.#scene;
    if (look !== Look.running || !lost.any) return look;
    const lostMs = lost.lostAtMs(jobIdx, startMs);
    if (lostMs === Number.POSITIVE_INFINITY) return look;
    if (this.counts.full || this.#lostAtMs.length < 4_096) this.#lostAtMs.push(lostMs);
    return lostMs <= cursorMs ? Look.lost : look;
  }
}
