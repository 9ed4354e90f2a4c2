/** Nodes as boxes in the plot of the Gantt, and from its pixels to those of the view. */
import type { Box } from "../../render/marks.ts";
import type { DevBox } from "../../timeline/jobRects.ts";
import { Level, type RowLayout } from "../../timeline/rows.ts";
import type { GanttView } from "./basePainter.ts";

/** Nodes in any order as boxes of one stretch of time: neighbours in a block are one; a folded block is one whatever it holds. */
export function nodeBoxes(
  layout: RowLayout,
  nodes: readonly number[],
  x0: number,
  x1: number,
): DevBox[] {
  const { units } = layout;
  const wanted = new Set(nodes);
  const boxes: DevBox[] = [];
  let lastUnit = -2;
  for (let u = 0; u < units.unitCount; u++) {
    if (!wanted.has(units.unitNode[u]!)) continue;
    const block = units.blockOfUnit[u]!;
    const far = layout.level[block] === Level.far;
    const y0 = far ? layout.blockY[block]! : layout.unitY[u]!;
    const y1 = far
      ? layout.blockY[block]! + layout.blockH[block]!
      : layout.unitY[u]! + layout.unitH[u]!;
    const last = boxes.at(-1);
    const joins =
      lastUnit >= 0 && units.blockOfUnit[lastUnit] === block && (far || lastUnit === u - 1);
    if (last && joins) last.y1 = y1;
    else boxes.push({ x0, x1, y0, y1 });
    lastUnit = u;
  }
  return boxes;
}

/** To CSS pixels of the view; null out of sight. Edges far outside are cut, so that strokes stay short. */
export function toCss(dev: DevBox, view: GanttView): Box | null {
  const { ratio, scrollDev } = view;
  if (dev.x1 < 0 || dev.x0 > view.width || dev.y1 < scrollDev || dev.y0 > scrollDev + view.height)
    return null;
  return {
    x0: Math.max(-8, dev.x0 / ratio),
    x1: Math.min(view.width / ratio + 8, dev.x1 / ratio),
    y0: (dev.y0 - scrollDev) / ratio,
    y1: (dev.y1 - scrollDev) / ratio,
  };
}
