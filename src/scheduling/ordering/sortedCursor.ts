/**
 * A place in a list of sorted jobs that outlives insertions and removals: not a row, but the triple (key, submit time, job index) after
 * which the walk goes on. So a walk gives each job at most once, whatever is started, stopped or queued again on its way.
 */
import { BLOCK, mayHold, type SortedJobs } from "./sortedJobs.ts";

export interface Cursor {
  key: number;
  submitMs: number;
  /** −1 with key −∞: before all. */
  jobIdx: number;
}

/** Before the first job. */
export function createCursor(): Cursor {
  return { key: Number.NEGATIVE_INFINITY, submitMs: Number.NEGATIVE_INFINITY, jobIdx: -1 };
}

/** Back before the first job. */
export function resetCursor(cursor: Cursor): void {
  cursor.key = Number.NEGATIVE_INFINITY;
  cursor.submitMs = Number.NEGATIVE_INFINITY;
  cursor.jobIdx = -1;
}

/**
 * The first row after the cursor whose need and limit are at most these (any limit up to a need of `longNeedMost`), or −1: an index into the columns of the list. Blocks that have no
 * such job are skipped as wholes. O(log n + 64 + blocks skipped).
 */
export function rowAfter(
  list: SortedJobs,
  cursor: Cursor,
  needMost: number,
  limitMost: number,
  longNeedMost = -1,
): number {
  if (list.length === 0) return -1;
  let position = blockAfter(list, cursor);
  let row = rowInBlock(list, list.order[position]!, cursor);
  while (position < list.blockCount) {
    const block = list.order[position]!;
    const end = block * BLOCK + list.used[block]!;
    const some =
      list.needLeast[block]! <= longNeedMost || mayHold(list, block, needMost, limitMost);
    if (row < end && some) {
      while (
        row < end &&
        (list.need[row]! > needMost ||
          (list.limitMs[row]! > limitMost && list.need[row]! > longNeedMost))
      )
        row++;
      if (row < end) return row;
    }
    position++;
    if (position < list.blockCount) row = list.order[position]! * BLOCK;
  }
  return -1;
}

/** The cursor stands on this row: the next search goes on behind it. */
export function moveTo(cursor: Cursor, list: SortedJobs, row: number): void {
  cursor.key = list.key[row]!;
  cursor.submitMs = list.submitMs[row]!;
  cursor.jobIdx = list.jobIdx[row]!;
}

/** Position of the last block that starts at or before the cursor; 0 if there is none. */
function blockAfter(list: SortedJobs, cursor: Cursor): number {
  let low = 0;
  let high = list.blockCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isAfter(list, list.order[middle]! * BLOCK, cursor)) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** First row of the block that is after the cursor; one past the last if none is. */
function rowInBlock(list: SortedJobs, block: number, cursor: Cursor): number {
  let low = block * BLOCK;
  let high = low + list.used[block]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(list, middle, cursor)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isAfter(list: SortedJobs, row: number, { key, submitMs, jobIdx }: Cursor): boolean {
  if (list.key[row] !== key) return list.key[row]! > key;
  if (list.submitMs[row] !== submitMs) return list.submitMs[row]! > submitMs;
  return list.jobIdx[row]! > jobIdx;
}
