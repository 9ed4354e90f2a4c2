/** The lines of one job over the strip: of the hovered job, and stronger of the selected one. */
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { laneTopCss, type TierBand } from "./laneLayout.ts";

/** Draws in the context's colour; true when the job has a line in a tier that shows lines. O(lines). */
export function drawLines(
  context: CanvasRenderingContext2D,
  lanes: WaitLanes,
  bands: readonly TierBand[],
  view: { readonly window: TimeWindow; readonly widthCss: number },
  jobIdx: number,
  least: number,
): boolean {
  const { window, widthCss } = view;
  let drawn = false;
  for (
    let row = lanes.jobIdx.indexOf(jobIdx);
    row >= 0;
    row = lanes.jobIdx.indexOf(jobIdx, row + 1)
  ) {
    const band = bands[lanes.tier[row]!];
    if (band?.mode !== "lanes") continue;
    const left = Math.max(-2, xCssOf(lanes.fromMs[row]!, window, widthCss));
    const right = Math.min(widthCss + 2, xCssOf(lanes.toMs[row]!, window, widthCss));
    drawn = true;
    if (right < left) continue;
    context.fillRect(
      left,
      Math.round(laneTopCss(band, lanes.lane[row]!)),
      Math.max(1, right - left),
      Math.max(least, band.pitchCss - 1),
    );
  }
  return drawn;
}
