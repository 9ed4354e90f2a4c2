/**
 * Sorted lists gone through one after the other, each from its begin: the walk of an order with one queue, or with one for each tier, highest first.
 * A list may change on the way (`sortedCursor.ts`).
 */
import { type Cursor, moveTo, resetCursor, rowAfter } from "./sortedCursor.ts";
import type { SortedJobs } from "./sortedJobs.ts";

export interface LanesInTurn {
  readonly lanes: SortedJobs[];
  /** Where the walk is. */
  lane: number;
  readonly cursor: Cursor;
}

/** Before the first job of the first list. */
export function beginLanes(walk: LanesInTurn): void {
  walk.lane = 0;
  resetCursor(walk.cursor);
}

/** The next job within the bounds of `rowAfter`; −1 = none. Costs as `rowAfter`, and O(lists) once a walk. */
export function nextOfLanes(
  walk: LanesInTurn,
  needMost = Number.POSITIVE_INFINITY,
  limitMost = Number.POSITIVE_INFINITY,
  longNeedMost = -1,
): number {
  for (; walk.lane < walk.lanes.length; walk.lane++) {
    const list = walk.lanes[walk.lane]!;
    const row = rowAfter(list, walk.cursor, needMost, limitMost, longNeedMost);
    if (row >= 0) {
      moveTo(walk.cursor, list, row);
      return list.jobIdx[row]!;
    }
    resetCursor(walk.cursor);
  }
  return -1;
}
