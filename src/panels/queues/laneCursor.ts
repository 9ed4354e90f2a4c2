/** The keyboard's way through the lines: left and right along starts, up and down along lanes, Home and End to the ends. */

import type { TimeWindow } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";

/** Row of the line that a key leads to, or `null` if the key is none of ours or nothing lies there. O(lines). */
export function nextLine(
  lanes: WaitLanes,
  row: number,
  key: string,
  window: TimeWindow,
): number | null {
  const count = lanes.jobIdx.length;
  if (count === 0) return null;
  switch (key) {
    case "Home":
      return 0;
    case "End":
      return count - 1;
    case "ArrowRight":
      return row < 0 ? firstInView(lanes, window) : row + 1 < count ? row + 1 : null;
    case "ArrowLeft":
      return row < 0 ? firstInView(lanes, window) : row > 0 ? row - 1 : null;
    case "ArrowDown":
      return row < 0 ? firstInView(lanes, window) : neighbour(lanes, row, 1);
    case "ArrowUp":
      return row < 0 ? firstInView(lanes, window) : neighbour(lanes, row, -1);
    default:
      return null;
  }
}

function firstInView(lanes: WaitLanes, window: TimeWindow): number {
  return Math.max(
    0,
    lanes.toMs.findIndex((toMs) => toMs > window.fromMs),
  );
}

/** The line in the next lane (then tier) in a direction whose time is nearest. */
function neighbour(lanes: WaitLanes, row: number, direction: 1 | -1): number | null {
  const rank = (at: number) => lanes.tier[at]! * 1e9 + lanes.lane[at]!;
  const own = rank(row);
  let best: number | null = null;
  for (let at = 0; at < lanes.jobIdx.length; at++) {
    const step = (rank(at) - own) * direction;
    if (step <= 0) continue;
    if (best === null) {
      best = at;
      continue;
    }
    const bestStep = (rank(best) - own) * direction;
    if (step < bestStep || (step === bestStep && gapMs(lanes, at, row) < gapMs(lanes, best, row)))
      best = at;
  }
  return best;
}

function gapMs(lanes: WaitLanes, a: number, b: number): number {
  return Math.max(0, lanes.fromMs[a]! - lanes.toMs[b]!, lanes.fromMs[b]! - lanes.toMs[a]!);
}
