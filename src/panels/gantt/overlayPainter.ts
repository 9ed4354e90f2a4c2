/**
 * The overlay: what follows hand and cursor. Outlines of the selected and the hovered job, the ghost of the selected job, the
 * promise to it, the keyboard's corners, the brush, and on top the time cursor.
 */
import { clockNear, countText, durationText } from "../../base/format.ts";
import { nodeOfDevice } from "../../model/cluster.ts";
import { nameOf } from "../../model/jobs.ts";
import { middleCut, textWidth } from "../../render/labels.ts";
import {
  type Box,
  strokeCorners,
  strokeGhost,
  strokeHover,
  strokePlanned,
  strokeSelected,
} from "../../render/marks.ts";
import { drawFlag } from "../../render/shadowMark.ts";
import { firstFree } from "../../render/wordBoxes.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { planOverlay } from "../../store/planOverlay.ts";
import type { Future } from "../../store/runData.ts";
import { searchHits } from "../../store/searchHits.ts";
import { useApp } from "../../store/store.ts";
import type { Palette } from "../../theme/palette.ts";
import type { BarCursor } from "../../timeline/barCursor.ts";
import { boxesOf, type JobRect } from "../../timeline/jobRects.ts";
import { xDevOf } from "../../timeline/pixelScale.ts";
import { blockAt, drawsBars } from "../../timeline/rows.ts";
import type { RowUnits } from "../../timeline/rowUnits.ts";
import type { TimeWindow } from "../../timeline/viewport.ts";
import type { GanttView } from "./basePainter.ts";
import type { PickedBar } from "./gapMeasure.ts";
import { nodeBoxes, toCss } from "./nodeBoxes.ts";
import type { GanttScene } from "./scene.ts";

interface Found {
  readonly future: Future | null;
  /** The rows that they stand on. */
  readonly units: RowUnits | null;
  readonly jobIdx: number;
  readonly rects: readonly JobRect[];
}
/** With more hits than these, outlines would only be another wall. */
const HITS_MOST = 200;
/** A name of more letters is cut in its middle. */
const PLAN_NAME_MOST = 26;
const NOTHING: Found = { future: null, units: null, jobIdx: -1, rects: [] };

function find(last: Found, scene: GanttScene, future: Future | null, jobIdx: number): Found {
  const { units } = scene;
  if (last.future === future && last.jobIdx === jobIdx && last.units === units) return last;
  const rects = future && jobIdx >= 0 ? scene.rectsOfJob(future, jobIdx) : [];
  return { future, units, jobIdx, rects };
}

/** What only some runs have, and is loaded with them: painted below everything that follows the hand. */
export interface OverlayExtra {
  /** It has something to say where rows are lanes of jobs, too. */
  readonly onLanes?: boolean;
  /** Words that no outline may cross: painted after all else. */
  readonly onTop?: boolean;
  /** The context is in CSS pixels. */
  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void;
  /** Its own words, where outlines of other things would run through them: written after those. */
  write?(context: CanvasRenderingContext2D, palette: Palette): void;
  /** What lies at a point of the plot (device pixels of its content), in words. */
  tipAt(
    view: GanttView,
    xDev: number,
    yDev: number,
  ): { readonly title: string; readonly lines: readonly string[] } | null;
}

export class OverlayPainter {
  readonly extras = new Set<OverlayExtra>();
  /** Where the keyboard stands. */
  bar: BarCursor | null = null;
  /** The bar that was picked last, and one that it is measured against. */
  picked: PickedBar | null = null;
  measured: PickedBar | null = null;
  /** The stretch of time being brushed. */
  brush: TimeWindow | null = null;
  readonly #scene: GanttScene;
  #selected = NOTHING;
  #hovered = NOTHING;
  #ghost = NOTHING;
  #hits: {
    readonly future: Future | null;
    readonly units: RowUnits | null;
    readonly jobs: Uint32Array | null;
    readonly rects: readonly JobRect[];
  } = { future: null, units: null, jobs: null, rects: [] };

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  /** Paints the layer. The context is in CSS pixels and clear. */
  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { selection, hover, ghostShown } = useApp.getState();
    const cursorX = Math.round(xDevOf(view.cursorMs, view.scale) / view.ratio);
    const heightCss = view.height / view.ratio;
    const { over } = this.#scene.words;
    over.clear();
    over.add({ x0: cursorX - 1, x1: cursorX + 1, y0: 0, y1: heightCss });
    const selected = selection?.kind === "job" ? selection.jobIdx : -1;
    const hovered = hover?.kind === "job" && hover.jobIdx !== selected ? hover.jobIdx : -1;
    const data = drawnRun();
    this.#selected = find(this.#selected, this.#scene, this.#scene.future, selected);
    this.#hovered = find(this.#hovered, this.#scene, this.#scene.future, hovered);
    this.#ghost = find(this.#ghost, this.#scene, ghostShown ? data.ghost : null, selected);
    // What is promised to the selected job has the first choice of where its words stand.
    const plan = this.#planOf(context, view, palette, selected);
    this.#paintExtras(context, view, palette, false);
    this.#strokeHits(context, view, palette);
    this.#strokeAll(context, view, this.#hovered.rects, hovered, (box) =>
      strokeHover(context, box, palette),
    );
    this.#strokeAll(context, view, this.#selected.rects, selected, (box) =>
      strokeSelected(context, box, palette),
    );
    const moved = this.#ghost.rects.filter(
      (rect) => rect.endMs > data.ghostFromMs && !sameRect(this.#selected.rects, rect),
    );
    this.#strokeAll(context, view, moved, -1, (box) => strokeGhost(context, box, palette));
    if (selection?.kind === "node") this.#strokeNode(context, view, selection.node, palette);
    if (selection?.kind === "gpu" && this.#scene.stage) {
      const node = nodeOfDevice(this.#scene.stage.cluster, selection.device);
      this.#strokeNode(context, view, node, palette);
    }
    if (plan) drawPlan(context, palette, plan);
    if (this.bar) {
      const rect = { ...this.bar, deviceCount: 1 };
      this.#strokeAll(context, view, [rect], this.bar.jobIdx, (box) =>
        strokeCorners(context, box, palette),
      );
    }
    this.#paintGap(context, view, palette);
    this.#paintBrush(context, view, palette);
    this.#paintExtras(context, view, palette, true);
    context.fillStyle = palette.ink;
    context.fillRect(cursorX - 1, 0, 2, heightCss);
  }

  #paintExtras(
    context: CanvasRenderingContext2D,
    view: GanttView,
    palette: Palette,
    onTop: boolean,
  ): void {
    for (const extra of this.extras) {
      if (this.#scene.lanes && !extra.onLanes) continue;
      if ((extra.onTop ?? false) === onTop) extra.paint(context, view, palette);
      if (onTop) extra.write?.(context, palette);
    }
  }

  #strokeAll(
    context: CanvasRenderingContext2D,
    view: GanttView,
    rects: readonly JobRect[],
    jobIdx: number,
    stroke: (box: Box) => void,
  ): void {
    if (rects.length === 0) return;
    const { partPlaces, future, lanes } = this.#scene;
    const placeOf = (rect: JobRect) =>
      jobIdx < 0 || lanes ? null : partPlaces.placeOf(rect.device, rect.bits, jobIdx, rect.startMs);
    for (const dev of boxesOf(rects, view.layout, view.scale, future.knownMs, placeOf)) {
      const box = toCss(dev, view);
      if (box) stroke(box);
    }
    context.setLineDash([]);
  }

  /** What the search finds, where load is drawn and no bar could be pale or not. While a run is computed, hits wait for its end. */
  #strokeHits(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const jobs = searchHits();
    const { future } = this.#scene;
    if (!jobs || jobs.length > HITS_MOST || !future.done) return;
    const { units } = this.#scene;
    if (this.#hits.future !== future || this.#hits.jobs !== jobs || this.#hits.units !== units)
      this.#hits = { future, units, jobs, rects: this.#scene.rectsOfJobs(jobs) };
    const { layout, scale } = view;
    for (const dev of boxesOf(this.#hits.rects, layout, scale, future.knownMs)) {
      const box = drawsBars(layout, blockAt(layout, dev.y0)) ? null : toCss(dev, view);
      if (box) strokeHover(context, box, palette);
    }
  }

  #strokeNode(
    context: CanvasRenderingContext2D,
    view: GanttView,
    node: number,
    palette: Palette,
  ): void {
    const { layout } = view;
    for (let u = 0; u < layout.units.unitCount; u++) {
      if (layout.units.unitNode[u] !== node) continue;
      const box = toCss(
        { x0: 0, x1: view.width, y0: layout.unitY[u]!, y1: layout.unitY[u]! + layout.unitH[u]! },
        view,
      );
      if (box) strokeHover(context, box, palette);
    }
  }

  /** The promise to the selected job: its outlines, and where its words stand. */
  #planOf(
    context: CanvasRenderingContext2D,
    view: GanttView,
    palette: Palette,
    selected: number,
  ): SelectedPlan | null {
    const plan = planOverlay();
    const { stage } = this.#scene;
    if (!plan || !stage || plan.jobIdx !== selected || plan.jobIdx >= stage.jobs.count) return null;
    const limitMs = stage.jobs.at.limitMs[plan.jobIdx]!;
    const endX = Number.isFinite(limitMs)
      ? xDevOf(plan.plannedMs + limitMs, view.scale)
      : view.width + 8;
    const startX = xDevOf(plan.plannedMs, view.scale);
    const boxes = nodeBoxes(
      view.layout,
      plan.nodes,
      startX,
      Math.min(view.width + 8, endX),
    ).flatMap((dev) => toCss(dev, view) ?? []);
    const calendar = useApp.getState().scenario?.calendarStart;
    const letter = stage.tiers[stage.jobs.at.tier[plan.jobIdx]!]?.letter ?? "";
    const name = middleCut(nameOf(stage.jobs.ids, plan.jobIdx), PLAN_NAME_MOST);
    const when = `planned ${clockNear(plan.plannedMs, view.cursorMs, calendar)}`;
    const { bars, over } = this.#scene.words;
    const size = { width: view.width / view.ratio, height: view.height / view.ratio };
    for (const text of [
      `${when} · ${letter} ${name} · ${countText(plan.nodes.length, "node")}`,
      when,
    ]) {
      const places = planPlaces(context, palette, text, boxes, size.width);
      const place = firstFree(places, [bars, over], size.width, size.height);
      if (!place) continue;
      over.add(place);
      return { boxes, text, place };
    }
    return { boxes, text: "", place: null };
  }

  /** A rule from the end of one bar to the start of the other, with how long that is. */
  #paintGap(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { picked: a, measured: b } = this;
    if (!a || !b) return;
    for (const bar of [a, b])
      this.#strokeAll(context, view, [bar], -1, (box) => strokeCorners(context, box, palette));
    const early = Math.min(a.endMs, b.endMs);
    const late = Math.max(a.startMs, b.startMs);
    const x0 = Math.round(xDevOf(Math.min(early, late), view.scale) / view.ratio);
    const x1 = Math.round(xDevOf(Math.max(early, late), view.scale) / view.ratio);
    const [box] = boxesOf([b], view.layout, view.scale, this.#scene.future.knownMs);
    if (!box) return;
    const y = Math.round((box.y0 + box.y1) / 2 / view.ratio - view.scrollDev / view.ratio);
    const size = Math.round(11 * palette.u);
    const text = durationText(Math.abs(late - early));
    context.fillStyle = palette.ink;
    context.fillRect(x0, y, Math.max(1, x1 - x0), 1);
    context.fillRect(x0, y - 4, 1, 9);
    context.fillRect(x1, y - 4, 1, 9);
    context.font = `600 ${size}px ${palette.font}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const width = textWidth(context, text) + 8;
    const left = Math.max(2, (x0 + x1 - width) / 2);
    context.fillStyle = palette.bg;
    context.fillRect(left, y - size * 0.7, width, size * 1.4);
    context.fillStyle = palette.ink;
    context.fillText(text, left + 4, y + 0.5);
  }

  #paintBrush(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    if (!this.brush) return;
    const x0 = xDevOf(this.brush.fromMs, view.scale) / view.ratio;
    const x1 = xDevOf(this.brush.toMs, view.scale) / view.ratio;
    const height = view.height / view.ratio;
    context.globalAlpha = 0.12;
    context.fillStyle = palette.ink;
    context.fillRect(x0, 0, x1 - x0, height);
    context.globalAlpha = 1;
    context.fillRect(Math.round(x0), 0, 1, height);
    context.fillRect(Math.round(x1) - 1, 0, 1, height);
  }
}

function sameRect(rects: readonly JobRect[], ghost: JobRect): boolean {
  return rects.some(
    (rect) =>
      rect.startMs === ghost.startMs && rect.device === ghost.device && rect.endMs === ghost.endMs,
  );
}

interface SelectedPlan {
  readonly boxes: readonly Box[];
  readonly text: string;
  /** Null where no words have room. */
  readonly place: Box | null;
}

/** In the tallest outlines first: at the top, in the middle, at the foot; words that would leave the plot at the right begin before the outline. */
function planPlaces(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  boxes: readonly Box[],
  widthCss: number,
): Box[] {
  const size = 11 * palette.u;
  context.font = `600 ${size}px ${palette.font}`;
  const width = textWidth(context, text) + 8;
  return boxes
    .filter((box) => box.x0 >= 0 && box.x0 <= widthCss)
    .toSorted((a, b) => b.y1 - b.y0 - (a.y1 - a.y0) || a.y0 - b.y0)
    .flatMap((box) => {
      const x0 = Math.min(box.x0 + 6, widthCss - width - 2);
      const middle = (box.y0 + box.y1) / 2;
      return [Math.min(box.y0 + size + 2, middle), middle, Math.max(box.y1 - size - 2, middle)].map(
        (y) => ({ x0, x1: x0 + width, y0: y - size * 0.75, y1: y + size * 0.75 }),
      );
    });
}

function drawPlan(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { boxes, text, place }: SelectedPlan,
): void {
  for (const box of boxes) strokePlanned(context, box, palette);
  if (place) drawFlag(context, palette, text, place);
}
