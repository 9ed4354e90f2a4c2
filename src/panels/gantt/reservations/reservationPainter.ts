/** Reserved windows on the overlay of the Gantt: a dashed frame with a wide hatch over the rows of the nodes, with the name. */
import { clockNear, countText } from "../../../base/format.ts";
import { textWidth } from "../../../render/labels.ts";
import { type ReservedWindow, reservedWindows } from "../../../store/reservations.ts";
import { useApp } from "../../../store/store.ts";
import type { Palette } from "../../../theme/palette.ts";
import { timeMsOfPixel, xDevOf } from "../../../timeline/pixelScale.ts";
import { unitAt } from "../../../timeline/rows.ts";
import type { GanttView } from "../basePainter.ts";
import { nodeBoxes, toCss } from "../nodeBoxes.ts";
import type { OverlayExtra } from "../overlayPainter.ts";

/** Boxes drawn in a frame; more would be a wall. */
const BOXES_MOST = 400;
const HATCH_CSS = 9;

export const reservationExtra: OverlayExtra = {
  paint(context, view, palette) {
    let boxes = 0;
    for (const one of reservedWindows()) {
      const x0 = xDevOf(one.startMs, view.scale);
      const x1 = xDevOf(one.endMs, view.scale);
      if (x1 < 0 || x0 > view.width) continue;
      let named = false;
      for (const dev of nodeBoxes(view.layout, one.nodes, x0, Math.max(x1, x0 + 2))) {
        const box = toCss(dev, view);
        if (!box || ++boxes > BOXES_MOST) continue;
        hatch(context, view, palette, box, one.flags.includes("MAINT"));
        if (!named) named = nameIn(context, palette, box, one.name);
      }
    }
    context.setLineDash([]);
  },
  tipAt(view, xDev, yDev) {
    const node = unitAt(view.layout, yDev);
    if (node < 0) return null;
    const atMs = timeMsOfPixel(xDev, view.scale);
    const own = view.layout.units.unitNode[node]!;
    const found = reservedWindows().filter(
      (one) => one.startMs <= atMs && atMs < one.endMs && one.nodes.includes(own),
    );
    const [first] = found;
    if (!first) return null;
    return {
      title: `${first.flags.includes("MAINT") ? "Maintenance" : "Reserved"}: ${found.map((one) => one.name).join(", ")}`,
      lines: [words(first, view.cursorMs)],
    };
  },
};

function words(one: ReservedWindow, nearMs: number): string {
  const calendar = useApp.getState().scenario?.calendarStart;
  // The title says that it is maintenance.
  const more = one.flags.filter((flag) => flag !== "MAINT");
  const flags = more.length === 0 ? "" : `, ${more.join(", ")}`;
  return `${countText(one.nodes.length, "node")}, ${clockNear(one.startMs, nearMs, calendar)} to ${clockNear(one.endMs, nearMs, calendar)}${flags}`;
}

interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Maintenance is hatched both ways. */
function hatch(
  context: CanvasRenderingContext2D,
  view: GanttView,
  palette: Palette,
  box: Box,
  crossed: boolean,
): void {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  context.save();
  context.beginPath();
  context.rect(box.x0, box.y0, width, height);
  context.clip();
  context.strokeStyle = palette.stripe;
  context.lineWidth = 1;
  context.setLineDash([]);
  context.beginPath();
  // Lines keep their place in time and rows while the view moves.
  const phase = (view.scale.originPx + view.scrollDev) / view.ratio;
  const from = box.x0 - height - HATCH_CSS;
  const first = Math.ceil((from + phase) / HATCH_CSS) * HATCH_CSS - phase;
  for (let x = first; x < box.x1; x += HATCH_CSS) {
    context.moveTo(x, box.y1);
    context.lineTo(x + height, box.y0);
    if (!crossed) continue;
    context.moveTo(x, box.y0);
    context.lineTo(x + height, box.y1);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = palette.ink2;
  context.lineWidth = 1;
  context.setLineDash([5, 3]);
  context.strokeRect(box.x0 + 0.5, box.y0 + 0.5, Math.max(0, width - 1), Math.max(0, height - 1));
}

/** The name at the top of the visible part; false where it has no room. */
function nameIn(
  context: CanvasRenderingContext2D,
  palette: Palette,
  box: Box,
  name: string,
): boolean {
  const size = 11 * palette.u;
  context.font = `600 ${size}px ${palette.font}`;
  const left = Math.max(0, box.x0) + 4;
  const width = textWidth(context, name);
  if (left + width + 6 > box.x1 || box.y1 - box.y0 < size + 2) return false;
  const y = Math.max(0, box.y0) + size * 0.5 + 3;
  context.fillStyle = palette.bg;
  context.fillRect(left - 2, y - size * 0.6, width + 4, size * 1.25);
  context.fillStyle = palette.ink;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillText(name, left, y);
  return true;
}
