/**
 * Marks over the bars: a tooth at the upper edge for each round in which somebody gave way, a cut in the right end of the bars that did, a cross
 * where a device failed. As with all that happens at a moment, they are there once the cursor has come to it. Places are computed anew only when data, zoom or rows change.
 */
import { clockNear, clockText, countText, durationText } from "../../../base/format.ts";
import { type Box, strokeCross } from "../../../render/marks.ts";
import { useApp } from "../../../store/store.ts";
import type { Palette } from "../../../theme/palette.ts";
import { nextAlive } from "../../../timeline/lod.ts";
import type { NodeHistory } from "../../../timeline/nodeHistory.ts";
import { stretchesOf } from "../../../timeline/nodeHistory.ts";
import { deviceName, stretchWords } from "../../../timeline/nodeWords.ts";
import { timeMsOfPixel, xDevOf } from "../../../timeline/pixelScale.ts";
import { firstStartingFrom } from "../../../timeline/rowIndex.ts";
import { blockAt, drawsBars, padOf, rowTop, unitAt } from "../../../timeline/rows.ts";
import { rowsOfUnit } from "../../../timeline/rowUnits.ts";
import type { GanttView } from "../basePainter.ts";
import { toCss } from "../nodeBoxes.ts";
import type { OverlayExtra } from "../overlayPainter.ts";
import type { GanttScene } from "../scene.ts";
import type { ToldHistory } from "./sceneHistory.ts";

/** Rounds closer than this are a comb of teeth, and bars between them have no room for a cut. */
const APART_CSS = 6;
const TOOTH_CSS = 5;
/** Marks drawn in a frame; more would be a wall. */
const MARKS_MOST = 3_000;

type Tip = ReturnType<OverlayExtra["tipAt"]>;

interface Mark {
  readonly box: Box;
  readonly atMs: number;
}

interface Places {
  readonly key: string;
  readonly cuts: readonly Mark[];
  readonly crosses: readonly Mark[];
  /** Rounds in view: when, where. */
  readonly teeth: readonly { readonly x: number; readonly atMs: number }[];
}

export class HistoryPainter implements OverlayExtra {
  readonly #scene: GanttScene;
  #history: ToldHistory | null = null;
  #places: Places = { key: "", cuts: [], crosses: [], teeth: [] };

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  take(history: ToldHistory): void {
    this.#history = history;
  }

  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { cuts, crosses, teeth } = this.#placesIn(view);
    for (const { box, atMs } of cuts) {
      if (atMs > view.cursorMs) continue;
      cutEnd(context, box, palette);
    }
    for (const { box, atMs } of crosses) {
      const half = Math.min(5, (box.y1 - box.y0) / 2 - 1);
      if (atMs > view.cursorMs || half < 2) continue;
      strokeCross(context, box.x0, (box.y0 + box.y1) / 2, half, palette);
    }
    for (const { x, atMs } of teeth) if (atMs <= view.cursorMs) tooth(context, x, palette);
  }

  tipAt(view: GanttView, xDev: number, yDev: number): Tip {
    const history = this.#history;
    const { stage } = this.#scene;
    if (!history || !stage) return null;
    const { facts } = history;
    const atMs = timeMsOfPixel(xDev, view.scale);
    const calendar = useApp.getState().scenario?.calendarStart;
    if ((yDev - view.scrollDev) / view.ratio <= 2 * TOOTH_CSS) {
      const slackMs = (TOOTH_CSS * view.ratio) / view.scale.pxPerMs;
      const round = facts.rounds.find(
        (one) => Math.abs(one.atMs - atMs) <= slackMs && one.atMs <= view.cursorMs,
      );
      if (round)
        return {
          title: `Round at ${clockText(round.atMs, calendar)}`,
          lines: [
            `${countText(round.gaveWay, "job")} gave way to jobs that stand before them now.`,
          ],
        };
    }
    return this.#stretchTip(facts, view, atMs, yDev, calendar);
  }

  #stretchTip(
    facts: NodeHistory,
    view: GanttView,
    atMs: number,
    yDev: number,
    calendar: string | undefined,
  ): Tip {
    const { layout } = view;
    const stage = this.#scene.stage!;
    const unit = unitAt(layout, yDev);
    if (unit < 0) return null;
    const times = (fromMs: number, toMs: number): string =>
      Number.isFinite(toMs)
        ? `${clockText(fromMs, calendar)} to ${clockNear(toMs, fromMs, calendar)}, ${durationText(toMs - fromMs)}`
        : `since ${clockText(fromMs, calendar)}`;
    const rows = rowsOfUnit(layout.units, unit);
    const height = layout.unitH[unit]! - padOf(layout, unit);
    const row = Math.floor(((yDev - layout.unitY[unit]!) * rows) / height);
    const device = layout.units.unitFirst[unit]! + Math.min(rows - 1, row);
    const out = facts.devices.find(
      (one) => one.device === device && one.fromMs <= atMs && atMs < one.toMs,
    );
    if (out && out.fromMs <= view.cursorMs)
      return {
        title: `${deviceName(stage, device)} ${out.kind === "cut" ? "is cut anew for MIG slices" : "has failed; the node goes on"}`,
        lines: [times(out.fromMs, out.toMs)],
      };
    const node = layout.units.unitNode[unit]!;
    const now = stretchesOf(facts, node).find((one) => one.fromMs <= atMs && atMs < one.toMs);
    if (!now) return null;
    return {
      title: `${stage.cluster.nodeNames[node]}: ${stretchWords(now, stage)}`,
      lines: [times(now.fromMs, now.toMs)],
    };
  }

  #placesIn(view: GanttView): Places {
    const { scale, layout, scrollDev, width, height } = view;
    const { version } = this.#scene;
    const key = `${version} ${scale.pxPerMs} ${scale.originPx} ${scrollDev} ${width} ${height} ${layout.heightDev} ${layout.k} ${layout.level.join("")}${layout.load.join("")}`;
    if (this.#places.key !== key) this.#places = { key, ...this.#find(view) };
    return this.#places;
  }

  #find(view: GanttView): Omit<Places, "key"> {
    const { scale, width, ratio } = view;
    const facts = this.#history?.facts;
    if (!facts) return { cuts: [], crosses: [], teeth: [] };
    const teeth = facts.rounds.flatMap(({ atMs }) => {
      const x = xDevOf(atMs, scale);
      return x < 0 || x > width ? [] : [{ x: x / ratio, atMs }];
    });
    const roomy = teeth.length * APART_CSS * ratio < width;
    return {
      cuts: roomy && teeth.length > 0 ? this.#cuts(view, facts) : [],
      crosses: this.#crosses(view, facts),
      teeth,
    };
  }

  /** Ends of bars that gave way, in the open blocks in sight. O(bars in view). */
  #cuts(view: GanttView, { gaveWayMs }: NodeHistory): Mark[] {
    const { layout, scale, width, scrollDev, height } = view;
    const { units } = layout;
    const fromMs = timeMsOfPixel(0, scale);
    const toMs = timeMsOfPixel(width, scale);
    const cuts: Mark[] = [];
    const first = Math.max(0, blockAt(layout, scrollDev));
    for (let u = units.blockFirst[first]!; u < units.unitCount; u++) {
      if (layout.unitY[u]! > scrollDev + height || cuts.length >= MARKS_MOST) break;
      if (!drawsBars(layout, units.blockOfUnit[u]!)) continue;
      for (const part of this.#scene.index?.parts ?? []) {
        const end = firstStartingFrom(part, u, toMs);
        for (
          let e = nextAlive(part, part.first[u]!, end, fromMs);
          e < end;
          e = nextAlive(part, e + 1, end, fromMs)
        ) {
          const atMs = part.endMs[e]!;
          if (!gaveWayMs.get(part.jobIdx[e]!)?.has(atMs)) continue;
          const row = part.rows[e]! & 255;
          const box = toCss(
            {
              x0: xDevOf(part.startMs[e]!, scale),
              x1: xDevOf(atMs, scale),
              y0: rowTop(layout, u, row),
              y1: rowTop(layout, u, row + (part.rows[e]! >> 8)),
            },
            view,
          );
          if (box) cuts.push({ box, atMs });
        }
      }
    }
    return cuts;
  }

  #crosses(view: GanttView, { devices }: NodeHistory): Mark[] {
    const { layout, scale } = view;
    const { unitOfDevice, unitFirst, blockOfUnit } = layout.units;
    const crosses: Mark[] = [];
    for (const { kind, device, fromMs } of devices) {
      if (kind === "cut") continue;
      const unit = unitOfDevice[device]!;
      if (!drawsBars(layout, blockOfUnit[unit]!)) continue;
      const row = device - unitFirst[unit]!;
      const x = xDevOf(fromMs, scale);
      const box = toCss(
        { x0: x, x1: x, y0: rowTop(layout, unit, row), y1: rowTop(layout, unit, row + 1) },
        view,
      );
      if (box && crosses.length < MARKS_MOST) crosses.push({ box, atMs: fromMs });
    }
    return crosses;
  }
}

/** The right end of a bar is cut to a swallow's tail: it will go on elsewhere, or later. */
function cutEnd(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  const height = box.y1 - box.y0;
  const deep = Math.min(7, height / 2, (box.x1 - box.x0) / 2);
  if (deep < 2) return;
  context.fillStyle = palette.bg;
  context.beginPath();
  context.moveTo(box.x1, box.y0);
  context.lineTo(box.x1 - deep, (box.y0 + box.y1) / 2);
  context.lineTo(box.x1, box.y1);
  context.fill();
}

function tooth(context: CanvasRenderingContext2D, x: number, palette: Palette): void {
  context.fillStyle = palette.bg;
  context.fillRect(x - TOOTH_CSS + 0.5, 0, 2 * TOOTH_CSS - 1, 1);
  context.fillStyle = palette.ink2;
  context.beginPath();
  context.moveTo(x - TOOTH_CSS + 1, 0);
  context.lineTo(x + TOOTH_CSS - 1, 0);
  context.lineTo(x, TOOTH_CSS + 1);
  context.fill();
}
