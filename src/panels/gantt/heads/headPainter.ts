/** Shadow times over the Gantt: a dashed line where the head of a queue is to start, with the clock and its name. Heads with one time share a line. */
import { clockNear } from "../../../base/format.ts";
import { drawShadow } from "../../../render/shadowMark.ts";
import type { QueueHead } from "../../../store/queueHeads.ts";
import { runData } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import type { Palette } from "../../../theme/palette.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { xDevOf } from "../../../timeline/pixelScale.ts";
import type { GanttView } from "../basePainter.ts";
import type { OverlayExtra } from "../overlayPainter.ts";

const FLAG_CSS = 10;

export class HeadPainter implements OverlayExtra {
  readonly onLanes = true;
  readonly onTop = true;
  #heads: readonly QueueHead[] = [];

  /** True where something else is to be drawn than before. */
  take(heads: readonly QueueHead[]): boolean {
    const other = heads.length > 0 || this.#heads.length > 0;
    this.#heads = heads;
    return other;
  }

  paint(context: CanvasRenderingContext2D, view: GanttView, palette: Palette): void {
    const { stage } = runData.get();
    const { selection, scenario } = useApp.getState();
    const selected = selection?.kind === "job" ? selection.jobIdx : -1;
    const drawn = new Set<number>();
    for (const { jobIdx, atMs, why } of this.#heads) {
      if (!stage || atMs !== view.cursorMs || !Number.isFinite(why.plannedMs)) continue;
      if (drawn.has(why.plannedMs)) continue;
      drawn.add(why.plannedMs);
      const when = clockNear(why.plannedMs, atMs, scenario?.calendarStart);
      drawShadow(context, palette, {
        x: xDevOf(why.plannedMs, view.scale) / view.ratio,
        widthCss: view.width / view.ratio,
        heightCss: view.height / view.ratio,
        flagCss: FLAG_CSS,
        // The promise to the selected job says the same beside its nodes.
        text: jobIdx === selected ? "" : `${when} kept for ${jobLabel(stage.jobs, jobIdx)}`,
      });
    }
  }

  tipAt(): null {
    return null;
  }
}
