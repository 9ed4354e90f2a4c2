/** The job whose line is at a point of the strip, or −1. The nearest line within 4 px counts; ties go to the line that stands first. O(lines). */
import { type TimeWindow, timeMsAt } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { laneAt, type TierBand } from "./laneLayout.ts";

const NEAR_CSS = 4;

export function jobAtPoint(
  lanes: WaitLanes,
  bands: readonly TierBand[],
  { window, widthCss }: { readonly window: TimeWindow; readonly widthCss: number },
  xCss: number,
  yCss: number,
): number {
  const tier = bands.findIndex(
    (band) => yCss >= band.topCss && yCss < band.topCss + band.heightCss,
  );
  const band = bands[tier];
  if (band?.mode !== "lanes") return -1;
  const lane = laneAt(band, yCss);
  const slackMs = timeMsAt(NEAR_CSS, window, widthCss) - window.fromMs;
  const atMs = timeMsAt(xCss, window, widthCss);
  let best = -1;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let row = 0; row < lanes.jobIdx.length; row++) {
    if (lanes.tier[row] !== tier || Math.abs(lanes.lane[row]! - lane) > (band.pitchCss < 3 ? 1 : 0))
      continue;
    const far =
      Math.max(lanes.fromMs[row]! - atMs, atMs - lanes.toMs[row]!, 0) +
      Math.abs(lanes.lane[row]! - lane);
    if (far < bestMs && far <= slackMs) {
      best = lanes.jobIdx[row]!;
      bestMs = far;
    }
  }
  return best;
}
