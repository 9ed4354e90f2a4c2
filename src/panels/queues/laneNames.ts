/**
 * Names on lines of waiting that are high enough for them: where few wait, the strip says who. A name stands where its line comes into view and is shortened
 * like those of bars. O(lines); a strip with lines as high as this has few at once, and of a long run only so many are named.
 */
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { fitLabel, measurer } from "../../render/labels.ts";
import type { Palette } from "../../theme/palette.ts";
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { askedWords } from "./askedWords.ts";
import { laneTopCss, type TierBand } from "./laneLayout.ts";

const LEAST_PITCH_CSS = 14;
const LEAST_ROOM_CSS = 34;
const PAD_CSS = 4;
/** Kept free before the cursor, where the pointer of the queue's head stands. */
const HEAD_CSS = 12;
/** Lines of a run beyond which none is named: looking through them would cost a frame. */
const LINES_MOST = 2_000;

export interface NamesView {
  readonly window: TimeWindow;
  readonly widthCss: number;
  readonly cursorMs: number;
  /** The job whose line is filled; −1 = none. */
  readonly selected: number;
}

export function drawLaneNames(
  context: CanvasRenderingContext2D,
  palette: Palette,
  lanes: WaitLanes,
  bands: readonly TierBand[],
  view: NamesView,
  stage: Stage | null,
): void {
  const named = bands.map(({ mode, pitchCss }) => mode === "lanes" && pitchCss >= LEAST_PITCH_CSS);
  if (!stage || !named.includes(true) || lanes.jobIdx.length > LINES_MOST) return;
  const { window, widthCss, cursorMs, selected } = view;
  const { jobs } = stage;
  context.font = `${11 * palette.u}px ${palette.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const measure = measurer(context);
  const cursorX = xCssOf(cursorMs, window, widthCss);
  for (let row = 0; row < lanes.jobIdx.length; row++) {
    const band = bands[lanes.tier[row]!]!;
    if (!named[lanes.tier[row]!]) continue;
    const left = Math.max(0, xCssOf(lanes.fromMs[row]!, window, widthCss)) + PAD_CSS;
    const right = Math.min(widthCss, xCssOf(lanes.toMs[row]!, window, widthCss)) - PAD_CSS;
    if (right - left < LEAST_ROOM_CSS) continue;
    const jobIdx = lanes.jobIdx[row]!;
    const id = nameOf(jobs.ids, jobIdx);
    const name = nameOf(jobs.names, jobIdx);
    const devices = askedWords(jobs, jobIdx);
    const label = { letter: "", id, name: name === id ? "" : name, devices };
    // Words never cross the cursor: they stand on the side of it that has more room.
    const isBefore = cursorX - HEAD_CSS - left >= right - cursorX - PAD_CSS;
    const meets = cursorX > left - PAD_CSS && cursorX - HEAD_CSS < right;
    const from = meets && !isBefore ? Math.max(left, cursorX + PAD_CSS) : left;
    const to = meets && isBefore ? cursorX - HEAD_CSS : right;
    if (to - from < LEAST_ROOM_CSS) continue;
    context.fillStyle = jobIdx === selected ? palette.bg : palette.ink2;
    const y = laneTopCss(band, lanes.lane[row]!) + (band.pitchCss - 1) / 2 + 0.5;
    context.fillText(fitLabel(label, to - from, measure).trim(), from, y);
  }
}
