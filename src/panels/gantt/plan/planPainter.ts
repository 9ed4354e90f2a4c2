/**
 * Draws the plan: a dotted outline over the nodes of each promised start, from the planned time for as long as the job may run; where nodes are not
 * known (or the rows are no nodes) a dotted bar in a lane at the foot of the plot. The selected job has an outline of its own, which is drawn
 * elsewhere, and so is the shadow time of a queue's head (`heads/`). A name stands once for a job, and only where it covers no other words.
 */
import { clockNear, clockText, countText, durationText } from "../../../base/format.ts";
import { nameOf } from "../../../model/jobs.ts";
import type { PlannedStart } from "../../../protocol/messages.ts";
import { middleCut, textWidth } from "../../../render/labels.ts";
import { type Box, strokePlanned } from "../../../render/marks.ts";
import { firstFree } from "../../../render/wordBoxes.ts";
import { useApp } from "../../../store/store.ts";
import type { Palette } from "../../../theme/palette.ts";
import { xDevOf } from "../../../timeline/pixelScale.ts";
import { rowTop } from "../../../timeline/rows.ts";
import type { GanttView } from "../basePainter.ts";
import { nodeBoxes, toCss } from "../nodeBoxes.ts";
import type { OverlayExtra } from "../overlayPainter.ts";
import type { GanttScene } from "../scene.ts";
import { Promises } from "./planned.ts";

const LANE_CSS = 9;
const LANES_MOST = 4;
/** Room for a name in an outline. */
const NAME_CSS = 46;
/** A name of more letters is cut in its middle. */
const NAME_MOST = 20;

interface Drawn {
  readonly plan: PlannedStart;
  readonly box: Box;
}

function nameFont({ u, font }: Palette): string {
  return `${Math.round(10.5 * u)}px ${font}`;
}

export class PlanPainter implements OverlayExtra {
  readonly onLanes = true;
  readonly #scene: GanttScene;
  readonly #promises = new Promises();
  /** What the worker said, and for which time. */
  #told: { readonly atMs: number; readonly plans: ReadonlyMap<number, PlannedStart> } = {
    atMs: Number.NaN,
    plans: new Map(),
  };
  #drawn: Drawn[] = [];
  #names: { readonly name: string; readonly box: Box }[] = [];

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  tell(atMs: number, plans: readonly PlannedStart[]): void {
    this.#told = { atMs, plans: new Map(plans.map((plan) => [plan.jobIdx, plan])) };
  }

  /** The plan at the cursor, by time. While the cursor moves only times are known. */
  plansAt(atMs: number): readonly PlannedStart[] {
    const { stage, future } = this.#scene;
    if (!stage) return [];
    const { plans } = this.#told;
    return this.#promises
      .at(stage, future, atMs)
      .filter(({ jobIdx }) => jobIdx < stage.jobs.count)
      .map((one) => {
        const told = plans.get(one.jobIdx);
        // What was said for another time holds as long as the promise has not changed.
        return { ...one, nodes: told?.plannedMs === one.plannedMs ? told.nodes : [] };
      });
  }

  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { stage } = this.#scene;
    this.#drawn = [];
    this.#names = [];
    if (!stage) return;
    const plans = this.plansAt(view.cursorMs);
    const { selection } = useApp.getState();
    const selected = selection?.kind === "job" ? selection.jobIdx : -1;
    const laneEnds: number[] = [];
    for (const plan of plans) {
      if (plan.jobIdx === selected && !this.#scene.lanes) continue;
      const boxes = this.#boxes(view, plan);
      if (boxes.length > 0) {
        for (const box of boxes) {
          strokePlanned(context, box, palette, this.#scene.words.bars.crossedBy(box));
          this.#drawn.push({ plan, box });
        }
        this.#nameIn(context, view, plan, boxes, palette);
      } else this.#inLane(context, view, plan, laneEnds, palette);
    }
  }

  tipAt(
    view: GanttView,
    xDev: number,
    yDev: number,
  ): { readonly title: string; readonly lines: readonly string[] } | null {
    const { stage } = this.#scene;
    const x = xDev / view.ratio;
    const y = (yDev - view.scrollDev) / view.ratio;
    const hit = this.#drawn.findLast(
      ({ box }) => x >= box.x0 - 1 && x <= box.x1 + 1 && y >= box.y0 && y <= box.y1,
    );
    if (!hit || !stage) return null;
    const { plan } = hit;
    const calendar = useApp.getState().scenario?.calendarStart;
    const limitMs = stage.jobs.at.limitMs[plan.jobIdx]!;
    const until = Number.isFinite(limitMs)
      ? ` It may run until ${clockNear(plan.plannedMs + limitMs, plan.plannedMs, calendar)}.`
      : "";
    const where =
      plan.nodes.length > 0 && !stage.cluster.flat
        ? `, on ${countText(plan.nodes.length, "node")}`
        : "";
    return {
      title: `Planned: ${this.#name(plan.jobIdx)}`,
      lines: [
        `Start ${clockText(plan.plannedMs, calendar)}, in ${durationText(plan.plannedMs - view.cursorMs)}${where}.${until}`,
      ],
    };
  }

  #name(jobIdx: number): string {
    const { jobs, tiers } = this.#scene.stage!;
    const letter = tiers[jobs.at.tier[jobIdx]!]?.letter ?? "";
    return `${letter} ${nameOf(jobs.ids, jobIdx)}`.trim();
  }

  #endX(view: GanttView, { jobIdx, plannedMs }: PlannedStart): number {
    const limitMs = this.#scene.stage!.jobs.at.limitMs[jobIdx]!;
    const far = view.width + 8 * view.ratio;
    return Number.isFinite(limitMs)
      ? Math.min(
          far,
          Math.max(xDevOf(plannedMs, view.scale) + 3, xDevOf(plannedMs + limitMs, view.scale)),
        )
      : far;
  }

  /** On its nodes, or by job on its own row. */
  #boxes(view: GanttView, plan: PlannedStart): Box[] {
    const { layout, scale } = view;
    const { units } = layout;
    const x0 = xDevOf(plan.plannedMs, scale);
    const x1 = this.#endX(view, plan);
    if (x0 > view.width) return [];
    const { cluster } = this.#scene.stage!;
    if (units.groups?.by === "job") {
      const unit = units.unitOfDevice[plan.jobIdx];
      if (unit === undefined) return [];
      const row = plan.jobIdx - units.unitFirst[unit]!;
      const box = toCss(
        { x0, x1, y0: rowTop(layout, unit, row), y1: rowTop(layout, unit, row + 1) },
        view,
      );
      return box ? [box] : [];
    }
    if (units.groups || cluster.flat || plan.nodes.length === 0) return [];
    return nodeBoxes(layout, plan.nodes, x0, x1).flatMap((dev) => toCss(dev, view) ?? []);
  }

  /** In the first of its outlines that has room for it, at the top or in the middle. */
  #nameIn(
    context: CanvasRenderingContext2D,
    view: GanttView,
    plan: PlannedStart,
    boxes: readonly Box[],
    palette: Palette,
  ): void {
    const size = Math.round(10.5 * palette.u);
    context.font = nameFont(palette);
    const name = middleCut(this.#name(plan.jobIdx), NAME_MOST);
    const width = textWidth(context, name) + 6;
    const { bars, over } = this.#scene.words;
    const heightCss = view.height / view.ratio;
    const places = boxes.flatMap((box) => {
      const left = Math.max(0, box.x0) + 4;
      const tall = box.y1 - box.y0 >= size + 3;
      if (!tall || box.x1 - left < NAME_CSS || left + width + 2 > box.x1) return [];
      const middle = (box.y0 + box.y1) / 2;
      return [Math.min(middle, box.y0 + size + 2), middle].map((y) => ({
        x0: left,
        x1: left + width,
        y0: y - size * 0.62,
        y1: y + size * 0.62,
      }));
    });
    const place = firstFree(places, [bars, over], view.width / view.ratio, heightCss);
    if (!place) return;
    over.add(place);
    this.#names.push({ name, box: place });
  }

  write(context: CanvasRenderingContext2D, palette: Palette): void {
    context.font = nameFont(palette);
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const { name, box } of this.#names) {
      context.fillStyle = palette.bg;
      context.fillRect(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
      context.fillStyle = palette.ink2;
      context.fillText(name, box.x0 + 3, (box.y0 + box.y1) / 2 + 0.5);
    }
  }

  /** In the lowest free of a few lanes at the foot; what finds none is told by the table of what waits. */
  #inLane(
    context: CanvasRenderingContext2D,
    view: GanttView,
    plan: PlannedStart,
    ends: number[],
    palette: Palette,
  ): void {
    const x0 = xDevOf(plan.plannedMs, view.scale) / view.ratio;
    const x1 = this.#endX(view, plan) / view.ratio;
    const width = view.width / view.ratio;
    if (x0 > width || x1 < 0) return;
    let lane = ends.findIndex((end) => end + 2 <= x0);
    if (lane < 0) lane = ends.length;
    if (lane >= LANES_MOST) return;
    ends[lane] = x1;
    const height = Math.round(LANE_CSS * palette.u);
    const y1 = view.height / view.ratio - 3 - lane * (height + 2);
    const box = {
      x0: Math.max(-8, x0),
      x1: Math.min(width + 8, Math.max(x0 + 4, x1)),
      y0: y1 - height,
      y1,
    };
    context.globalAlpha = 0.85;
    context.fillStyle = palette.bg;
    context.fillRect(box.x0, box.y0, box.x1 - box.x0, height);
    context.globalAlpha = 1;
    strokePlanned(context, box, palette);
    this.#drawn.push({ plan, box });
  }
}
