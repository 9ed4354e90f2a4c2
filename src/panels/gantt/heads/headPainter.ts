/**
 * Shadow times over the Gantt: a dashed line where the head of a queue is to start, with the clock and its name. Heads with one time share a line. The
 * line spares labels of bars, and the flag stands where it covers none: from the top down, first with the name, then the clock alone. It stays
 * where it stood as long as it is about the same job and that is free, so that it does not hop while the view moves.
 */
import { clockNear } from "../../../base/format.ts";
import { middleCut } from "../../../render/labels.ts";
import type { Box } from "../../../render/marks.ts";
import { drawFlag, drawShadowLine, flagBox } from "../../../render/shadowMark.ts";
import { firstFree } from "../../../render/wordBoxes.ts";
import type { QueueHead } from "../../../store/queueHeads.ts";
import { runData } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import type { Palette } from "../../../theme/palette.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { xDevOf } from "../../../timeline/pixelScale.ts";
import type { GanttView } from "../basePainter.ts";
import type { OverlayExtra } from "../overlayPainter.ts";
import type { GanttScene } from "../scene.ts";

const FLAG_CSS = 9;
const STEP_CSS = 9;
/** A name of more letters is cut in its middle. */
const NAME_MOST = 22;

interface Flag {
  readonly jobIdx: number;
  /** From the longest on. */
  readonly texts: readonly string[];
  readonly x: number;
}

export class HeadPainter implements OverlayExtra {
  readonly onLanes = true;
  readonly onTop = true;
  readonly #scene: GanttScene;
  #heads: readonly QueueHead[] = [];
  /** Where the flag of a job stood last. */
  readonly #stood = new Map<number, { readonly yCss: number; readonly atLeft: boolean }>();

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  /** True where something else is to be drawn than before. */
  take(heads: readonly QueueHead[]): boolean {
    const other = heads.length > 0 || this.#heads.length > 0;
    this.#heads = heads;
    for (const jobIdx of [...this.#stood.keys()])
      if (!heads.some((head) => head.jobIdx === jobIdx)) this.#stood.delete(jobIdx);
    return other;
  }

  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { stage } = runData.get();
    const { selection, scenario } = useApp.getState();
    const selected = selection?.kind === "job" ? selection.jobIdx : -1;
    const drawn = new Set<number>();
    const { bars, over } = this.#scene.words;
    const widthCss = view.width / view.ratio;
    const heightCss = view.height / view.ratio;
    for (const { jobIdx, atMs, why } of this.#heads) {
      if (!stage || atMs !== view.cursorMs || !Number.isFinite(why.plannedMs)) continue;
      if (drawn.has(why.plannedMs)) continue;
      drawn.add(why.plannedMs);
      const x = xDevOf(why.plannedMs, view.scale) / view.ratio;
      if (x < 0 || x > widthCss) continue;
      const gaps = [...bars.acrossX(x), ...over.acrossX(x)].sort((a, b) => a.y0 - b.y0);
      drawShadowLine(context, palette, { x, widthCss, heightCss, gaps });
      // The promise to the selected job says the same beside its nodes.
      if (jobIdx === selected) continue;
      const when = clockNear(why.plannedMs, atMs, scenario?.calendarStart);
      const name = middleCut(jobLabel(stage.jobs, jobIdx), NAME_MOST);
      const texts = [`${when} kept for ${name}`, when];
      this.#flag(context, palette, { jobIdx, texts, x }, widthCss, heightCss);
    }
  }

  tipAt(): null {
    return null;
  }

  #flag(
    context: CanvasRenderingContext2D,
    palette: Palette,
    flag: Flag,
    widthCss: number,
    heightCss: number,
  ): void {
    const { bars, over } = this.#scene.words;
    for (const text of flag.texts) {
      const box = firstFree(
        this.#places(context, palette, text, flag, heightCss),
        [bars, over],
        widthCss,
        heightCss,
      );
      if (!box) continue;
      this.#stood.set(flag.jobIdx, { yCss: (box.y0 + box.y1) / 2, atLeft: box.x1 < flag.x });
      over.add(box);
      drawFlag(context, palette, text, box);
      return;
    }
  }

  *#places(
    context: CanvasRenderingContext2D,
    palette: Palette,
    text: string,
    { jobIdx, x }: Flag,
    heightCss: number,
  ): Iterable<Box> {
    const at = (yCss: number, atLeft: boolean) => flagBox(context, palette, text, x, yCss, atLeft);
    const stood = this.#stood.get(jobIdx);
    if (stood) yield at(stood.yCss, stood.atLeft);
    for (let yCss = FLAG_CSS; yCss < heightCss; yCss += STEP_CSS) {
      yield at(yCss, false);
    }
    for (let yCss = FLAG_CSS; yCss < heightCss; yCss += STEP_CSS) yield at(yCss, true);
  }
}
