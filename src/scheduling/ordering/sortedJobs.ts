/**
 * Jobs in order of (key, submit time, job index), kept in blocks of 64 with the least need, the least time limit and the sum
 * of needs of each block, so that a search for the next job that fits skips whole blocks. It serves as the queue (key: what the
 * order says) and as the list of running jobs (key: the estimated end; prefix sums over blocks give the shadow time).
 *
 *     order  ▸ block 3 ▸ block 0 ▸ block 7        the blocks, in queue order
 *     block  ▸ key submit job need limit × 64     rows block·64 … block·64 + used−1, sorted
 */

export const BLOCK = 64;
/** The need of a job that rests: more than any bound of a search but "any". */
export const REST_NEED = 0x7fffffff;
/** Classes of need in a block: 0–1, 2–3, 4–7, … and 32,768 or more. */
const CLASSES = 16;

export interface SortedJobs {
  length: number;
  /** Blocks in use; `order[0 … blockCount−1]` are their numbers, in order. */
  blockCount: number;
  order: Int32Array;
  /** Block numbers below this have been handed out; `spare` of them lie unused in `spares`. */
  made: number;
  spare: number;
  spares: Int32Array;
  /** Per block. */
  used: Int32Array;
  needLeast: Float64Array;
  needSum: Float64Array;
  limitLeast: Float64Array;
  /** Per block and class of need; `Infinity` where the class has no job. */
  limitLeastOf: Float64Array;
  /** Per row. */
  key: Float64Array;
  submitMs: Float64Array;
  jobIdx: Int32Array;
  need: Int32Array;
  limitMs: Float64Array;
}

/** An empty list with room for so many blocks; it grows by doubling. */
export function createSortedJobs(blocks = 4): SortedJobs {
  return {
    length: 0,
    blockCount: 0,
    order: new Int32Array(blocks),
    made: 0,
    spare: 0,
    spares: new Int32Array(blocks),
    used: new Int32Array(blocks),
    needLeast: new Float64Array(blocks),
    needSum: new Float64Array(blocks),
    limitLeast: new Float64Array(blocks),
    limitLeastOf: new Float64Array(blocks * CLASSES),
    key: new Float64Array(blocks * BLOCK),
    submitMs: new Float64Array(blocks * BLOCK),
    jobIdx: new Int32Array(blocks * BLOCK),
    need: new Int32Array(blocks * BLOCK),
    limitMs: new Float64Array(blocks * BLOCK),
  };
}

/** Inserts a job; the triple (key, submit time, index) must not be in the list yet. O(log n + 64). */
export function insertJob(
  list: SortedJobs,
  key: number,
  submitMs: number,
  jobIdx: number,
  need: number,
  limitMs: number,
): void {
  if (list.blockCount === 0) list.order[list.blockCount++] = newBlock(list);
  let position = blockFor(list, key, submitMs, jobIdx);
  let block = list.order[position]!;
  if (list.used[block] === BLOCK) {
    const last = position === list.blockCount - 1;
    const appended = last && rowIsBefore(list, block * BLOCK + BLOCK - 1, key, submitMs, jobIdx);
    splitBlock(list, position, appended ? BLOCK : BLOCK >> 1);
    const next = list.order[position + 1]!;
    if (appended || !rowIsAfter(list, next * BLOCK, key, submitMs, jobIdx)) position++;
    block = list.order[position]!;
  }
  const base = block * BLOCK;
  const used = list.used[block]!;
  const at = list.used[block] === 0 ? base : rowFor(list, block, key, submitMs, jobIdx);
  if (at < base + used) moveRows(list, at, base + used, at + 1);
  list.key[at] = key;
  list.submitMs[at] = submitMs;
  list.jobIdx[at] = jobIdx;
  list.need[at] = need;
  list.limitMs[at] = limitMs;
  list.used[block] = used + 1;
  list.length++;
  if (used === 0 || need < list.needLeast[block]!) list.needLeast[block] = need;
  if (used === 0 || limitMs < list.limitLeast[block]!) list.limitLeast[block] = limitMs;
  if (used === 0) noClasses(list, block);
  noteClass(list, block, need, limitMs);
  list.needSum[block] = (used === 0 ? 0 : list.needSum[block]!) + need;
}

/**
 * Removes the row at (block position, row within the block). The next job in order is then at the same place, or at the start
 * of the block now at that position if the row was its block's last. O(64).
 */
export function removeRow(list: SortedJobs, position: number, row: number): void {
  const block = list.order[position]!;
  const at = block * BLOCK + row;
  const used = list.used[block]! - 1;
  moveRows(list, at + 1, block * BLOCK + used + 1, at);
  list.used[block] = used;
  list.length--;
  if (used === 0) {
    dropBlock(list, position);
    return;
  }
  if (position + 1 < list.blockCount) {
    const next = list.order[position + 1]!;
    if (used + list.used[next]! <= BLOCK >> 1) {
      copyRows(list, next * BLOCK, list.used[next]!, block * BLOCK + used);
      list.used[block] = used + list.used[next]!;
      dropBlock(list, position + 1);
    }
  }
  summarize(list, block);
}

/** Removes a job whose key is known; looks through the whole list if it is not where the key says. False if absent. */
export function removeJob(
  list: SortedJobs,
  key: number,
  submitMs: number,
  jobIdx: number,
): boolean {
  if (list.length === 0) return false;
  const position = blockFor(list, key, submitMs, jobIdx);
  const block = list.order[position]!;
  const at = rowFor(list, block, key, submitMs, jobIdx);
  if (at < block * BLOCK + list.used[block]! && list.jobIdx[at] === jobIdx) {
    removeRow(list, position, at - block * BLOCK);
    return true;
  }
  return removeAnywhere(list, jobIdx);
}

/** Gives a job another need where it stands; nothing happens if it is not where its key says. O(log n + 64). */
export function setNeed(
  list: SortedJobs,
  key: number,
  submitMs: number,
  jobIdx: number,
  need: number,
): void {
  if (list.length === 0) return;
  const block = list.order[blockFor(list, key, submitMs, jobIdx)]!;
  const at = rowFor(list, block, key, submitMs, jobIdx);
  if (at >= block * BLOCK + list.used[block]! || list.jobIdx[at] !== jobIdx) return;
  if (list.need[at] === need) return;
  list.need[at] = need;
  summarize(list, block);
}

/** Removes a job whose key may have changed since. O(n). */
export function removeAnywhere(list: SortedJobs, jobIdx: number): boolean {
  for (let position = 0; position < list.blockCount; position++) {
    const base = list.order[position]! * BLOCK;
    const used = list.used[list.order[position]!]!;
    for (let row = 0; row < used; row++) {
      if (list.jobIdx[base + row] !== jobIdx) continue;
      removeRow(list, position, row);
      return true;
    }
  }
  return false;
}

/** How many jobs come before this one, or −1 if it is not in the list. O(n). */
export function rankOf(list: SortedJobs, jobIdx: number): number {
  let before = 0;
  for (let position = 0; position < list.blockCount; position++) {
    const block = list.order[position]!;
    for (let row = 0; row < list.used[block]!; row++) {
      if (list.jobIdx[block * BLOCK + row] === jobIdx) return before + row;
    }
    before += list.used[block]!;
  }
  return -1;
}

/** The first job in order, or −1. */
export function firstJob(list: SortedJobs): number {
  return list.length === 0 ? -1 : list.jobIdx[list.order[0]! * BLOCK]!;
}

/** The job next to the first, or −1. */
export function secondJob(list: SortedJobs): number {
  if (list.length < 2) return -1;
  const block = list.order[0]!;
  return list.jobIdx[list.used[block]! > 1 ? block * BLOCK + 1 : list.order[1]! * BLOCK]!;
}

/** False only if the block has no job with at most this need and at most this limit. O(1). */
export function mayHold(
  list: SortedJobs,
  block: number,
  needMost: number,
  limitMost: number,
): boolean {
  if (needMost < list.needLeast[block]! || limitMost < list.limitLeast[block]!) return false;
  const end = block * CLASSES + classOf(needMost);
  for (let at = block * CLASSES; at <= end; at++) {
    if (list.limitLeastOf[at]! <= limitMost) return true;
  }
  return false;
}

/** A copy that shares nothing, of size O(n). */
export function copySortedJobs(list: SortedJobs): SortedJobs {
  return {
    ...list,
    order: list.order.slice(),
    spares: list.spares.slice(),
    used: list.used.slice(),
    needLeast: list.needLeast.slice(),
    needSum: list.needSum.slice(),
    limitLeast: list.limitLeast.slice(),
    limitLeastOf: list.limitLeastOf.slice(),
    key: list.key.slice(),
    submitMs: list.submitMs.slice(),
    jobIdx: list.jobIdx.slice(),
    need: list.need.slice(),
    limitMs: list.limitMs.slice(),
  };
}

function rowIsBefore(
  list: SortedJobs,
  at: number,
  key: number,
  submitMs: number,
  jobIdx: number,
): boolean {
  if (list.key[at] !== key) return list.key[at]! < key;
  if (list.submitMs[at] !== submitMs) return list.submitMs[at]! < submitMs;
  return list.jobIdx[at]! < jobIdx;
}

function rowIsAfter(
  list: SortedJobs,
  at: number,
  key: number,
  submitMs: number,
  jobIdx: number,
): boolean {
  if (list.key[at] !== key) return list.key[at]! > key;
  if (list.submitMs[at] !== submitMs) return list.submitMs[at]! > submitMs;
  return list.jobIdx[at]! > jobIdx;
}

/** Position of the last block whose first row is not after the triple; 0 if there is none. */
function blockFor(list: SortedJobs, key: number, submitMs: number, jobIdx: number): number {
  let low = 0;
  let high = list.blockCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rowIsAfter(list, list.order[middle]! * BLOCK, key, submitMs, jobIdx)) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** First row of the block that is not before the triple; one past the last if all are. */
function rowFor(
  list: SortedJobs,
  block: number,
  key: number,
  submitMs: number,
  jobIdx: number,
): number {
  let low = block * BLOCK;
  let high = low + list.used[block]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rowIsBefore(list, middle, key, submitMs, jobIdx)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function summarize(list: SortedJobs, block: number): void {
  const base = block * BLOCK;
  const end = base + list.used[block]!;
  let needLeast = Number.POSITIVE_INFINITY;
  let needSum = 0;
  let limitLeast = Number.POSITIVE_INFINITY;
  noClasses(list, block);
  for (let at = base; at < end; at++) {
    const need = list.need[at]!;
    if (need < needLeast) needLeast = need;
    needSum += need;
    const limitMs = list.limitMs[at]!;
    if (limitMs < limitLeast) limitLeast = limitMs;
    noteClass(list, block, need, limitMs);
  }
  list.needLeast[block] = needLeast;
  list.needSum[block] = needSum;
  list.limitLeast[block] = limitLeast;
}

function classOf(need: number): number {
  if (need >= 1 << (CLASSES - 1)) return CLASSES - 1;
  return need < 2 ? 0 : 31 - Math.clz32(need);
}

function noClasses(list: SortedJobs, block: number): void {
  list.limitLeastOf.fill(Number.POSITIVE_INFINITY, block * CLASSES, (block + 1) * CLASSES);
}

function noteClass(list: SortedJobs, block: number, need: number, limitMs: number): void {
  const at = block * CLASSES + classOf(need);
  if (limitMs < list.limitLeastOf[at]!) list.limitLeastOf[at] = limitMs;
}

/** Moves the rows from `keep` on into a new block behind this one. */
function splitBlock(list: SortedJobs, position: number, keep: number): void {
  const fresh = newBlock(list);
  const block = list.order[position]!;
  if (list.blockCount === list.order.length) list.order = grownInts(list.order);
  list.order.copyWithin(position + 2, position + 1, list.blockCount);
  list.order[position + 1] = fresh;
  list.blockCount++;
  copyRows(list, block * BLOCK + keep, BLOCK - keep, fresh * BLOCK);
  list.used[block] = keep;
  list.used[fresh] = BLOCK - keep;
  summarize(list, block);
  summarize(list, fresh);
}

function dropBlock(list: SortedJobs, position: number): void {
  const block = list.order[position]!;
  // A call costs as much as the rest, and most lists are of one block.
  if (position + 1 < list.blockCount)
    list.order.copyWithin(position, position + 1, list.blockCount);
  list.blockCount--;
  list.used[block] = 0;
  list.spares[list.spare++] = block;
}

function newBlock(list: SortedJobs): number {
  if (list.spare > 0) return list.spares[--list.spare]!;
  if (list.made === list.used.length) grow(list);
  return list.made++;
}

function moveRows(list: SortedJobs, from: number, to: number, target: number): void {
  // Element by element: for at most 64 rows this beats five calls of copyWithin.
  if (target < from) {
    for (let at = from, into = target; at < to; at++, into++) copyRow(list, at, into);
  } else {
    for (let at = to - 1, into = target + (to - from) - 1; at >= from; at--, into--)
      copyRow(list, at, into);
  }
}

function copyRows(list: SortedJobs, from: number, count: number, target: number): void {
  for (let row = 0; row < count; row++) copyRow(list, from + row, target + row);
}

function copyRow(list: SortedJobs, from: number, into: number): void {
  list.key[into] = list.key[from]!;
  list.submitMs[into] = list.submitMs[from]!;
  list.jobIdx[into] = list.jobIdx[from]!;
  list.need[into] = list.need[from]!;
  list.limitMs[into] = list.limitMs[from]!;
}

function grow(list: SortedJobs): void {
  list.used = grownInts(list.used);
  list.spares = grownInts(list.spares);
  list.needLeast = grownFloats(list.needLeast);
  list.needSum = grownFloats(list.needSum);
  list.limitLeast = grownFloats(list.limitLeast);
  list.limitLeastOf = grownFloats(list.limitLeastOf);
  list.key = grownFloats(list.key);
  list.submitMs = grownFloats(list.submitMs);
  list.limitMs = grownFloats(list.limitMs);
  list.jobIdx = grownInts(list.jobIdx);
  list.need = grownInts(list.need);
}

function grownInts(array: Int32Array): Int32Array {
  const grown = new Int32Array(array.length * 2);
  grown.set(array);
  return grown;
}

function grownFloats(array: Float64Array): Float64Array {
  const grown = new Float64Array(array.length * 2);
  grown.set(array);
  return grown;
}
