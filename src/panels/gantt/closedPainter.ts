/** What of a node is out of service, under its bars: the node itself over all its rows, a failed device over its own. */
import type { RasterPalette } from "../../render/rasterPalette.ts";
import { ClosedLook, paintClosed, type Raster } from "../../render/spanRaster.ts";
import { xDevOf } from "../../timeline/pixelScale.ts";
import type { GanttView } from "./basePainter.ts";
import { type GanttScene, NODE_LOOKS } from "./scene.ts";

/** Edges far outside are cut: frames stay out of sight. */
const OUTSIDE = 8;

/** Paints a unit between `y0` and `y1`; `rowY` has the top of each of its rows, the end of the last one too. O(stretches of the node). */
export function paintOutOfService(
  r: Raster,
  view: GanttView,
  palette: RasterPalette,
  scene: GanttScene,
  unit: number,
  y0: number,
  y1: number,
  rowY: Int32Array,
): void {
  const { nodeSpans: spans, history, future } = scene;
  const { units } = view.layout;
  const paint = (fromMs: number, toMs: number, top: number, foot: number, look: number): void => {
    const endMs = Math.min(toMs, future.knownMs);
    const x0 = Math.max(-OUTSIDE, xDevOf(fromMs, view.scale));
    const x1 = Math.min(view.width + OUTSIDE, Math.max(x0 + 1, xDevOf(endMs, view.scale)));
    paintClosed(r, x0, x1, top, foot, look, palette);
  };
  if (spans) {
    const node = units.unitNode[unit]!;
    for (let i = spans.first[node]!; i < spans.first[node + 1]!; i++)
      paint(spans.startMs[i]!, spans.endMs[i]!, y0, y1, NODE_LOOKS[spans.state[i]!]!);
  }
  for (const { kind, device, fromMs, toMs } of history?.failures.get(unit) ?? []) {
    const row = device - units.unitFirst[unit]!;
    paint(
      fromMs,
      toMs,
      rowY[row]!,
      rowY[row + 1]!,
      kind === "cut" ? ClosedLook.boots : ClosedLook.down,
    );
  }
}
