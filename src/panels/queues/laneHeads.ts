/** The heads of queues on the lanes: a pointer where the head's line meets the cursor, dots to its shadow time, and the shadow time as a line. */
import { clockNear } from "../../base/format.ts";
import { drawFlag, drawShadowLine, flagBox } from "../../render/shadowMark.ts";
import type { Palette } from "../../theme/palette.ts";
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { laneTopCss, type TierBand } from "./laneLayout.ts";

export interface LaneHead {
  readonly jobIdx: number;
  readonly atMs: number;
  /** `Infinity` where nothing is kept for it. */
  readonly shadowMs: number;
}

interface LaneView {
  readonly window: TimeWindow;
  readonly cursorMs: number;
  readonly widthCss: number;
  readonly heightCss: number;
  readonly lanes: WaitLanes;
  readonly bands: readonly TierBand[];
  readonly tierOf: (jobIdx: number) => number;
  readonly calendar: string | undefined;
}

const POINTER_CSS = 7;

/** Heads of another time than the cursor's are not drawn. O(heads · lines). */
export function drawHeads(
  context: CanvasRenderingContext2D,
  palette: Palette,
  heads: readonly LaneHead[],
  view: LaneView,
): void {
  const { window, cursorMs, widthCss, heightCss, calendar } = view;
  for (const { jobIdx, atMs, shadowMs } of heads) {
    if (atMs !== cursorMs) continue;
    const y = headCss(jobIdx, view);
    const x = xCssOf(cursorMs, window, widthCss);
    if (y === null) continue;
    context.fillStyle = palette.ink;
    context.beginPath();
    context.moveTo(x - 2, y);
    context.lineTo(x - 2 - POINTER_CSS, y - POINTER_CSS / 2);
    context.lineTo(x - 2 - POINTER_CSS, y + POINTER_CSS / 2);
    context.fill();
    if (!Number.isFinite(shadowMs)) continue;
    const shadowX = xCssOf(shadowMs, window, widthCss);
    for (let at = x + 4; at < Math.min(shadowX, widthCss); at += 5)
      context.fillRect(Math.round(at), Math.round(y), 2, 1);
    const text = clockNear(shadowMs, cursorMs, calendar);
    const flagCss = Math.min(heightCss - 9, Math.max(9, y));
    drawShadowLine(context, palette, { x: shadowX, widthCss, heightCss });
    if (shadowX < 0 || shadowX > widthCss) continue;
    const right = flagBox(context, palette, text, shadowX, flagCss, false);
    const box =
      right.x1 > widthCss ? flagBox(context, palette, text, shadowX, flagCss, true) : right;
    drawFlag(context, palette, text, box);
  }
}

/** The middle of its line at the cursor; of its tier's band where lines are too many. */
function headCss(jobIdx: number, { lanes, bands, cursorMs, tierOf }: LaneView): number | null {
  for (
    let row = lanes.jobIdx.indexOf(jobIdx);
    row >= 0;
    row = lanes.jobIdx.indexOf(jobIdx, row + 1)
  ) {
    const band = bands[lanes.tier[row]!];
    if (band?.mode !== "lanes") continue;
    if (lanes.fromMs[row]! > cursorMs || lanes.toMs[row]! <= cursorMs) continue;
    return laneTopCss(band, lanes.lane[row]!) + Math.max(1, band.pitchCss - 1) / 2;
  }
  const band = bands[tierOf(jobIdx)];
  return band ? band.topCss + band.heightCss - 4 : null;
}
