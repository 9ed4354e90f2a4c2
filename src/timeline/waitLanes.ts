/**
 * Waits packed into lanes for drawing: each line goes to the lowest lane of its tier that is free at its start, in order of
 * start, so that lanes never change while panning. Chunks are sorted by start once, whichever futures they are in; a packing
 * merges them, in slices where it may take longer than a frame has.
 */
import { TimeHeap } from "../base/heap.ts";
import type { Chunk } from "../record/shapes.ts";
import type { WaitSource } from "./waits.ts";

/** Waits packed into the lanes of their tiers: row `i` is the line of `jobIdx[i]` in lane `lane[i]` of its tier. */
export interface WaitLanes {
  /** False: more than `mostWaits`; the lanes are empty and the density is drawn instead. */
  readonly packed: boolean;
  readonly jobIdx: Uint32Array;
  readonly fromMs: Float64Array;
  readonly toMs: Float64Array;
  readonly tier: Uint16Array;
  readonly lane: Uint32Array;
  /** Lanes that each tier needs. */
  readonly lanesOfTier: Int32Array;
}

/** Waits in order of start, then of job; who started at once did not wait. */
interface Sorted {
  readonly jobIdx: Uint32Array;
  readonly fromMs: Float64Array;
  readonly toMs: Float64Array;
}

interface Waits {
  readonly jobIdx: ArrayLike<number>;
  readonly fromMs: ArrayLike<number>;
  /** Absent where they go on. */
  readonly toMs?: ArrayLike<number>;
}

const sortedOf = new WeakMap<Chunk, Sorted>();
/** Lines between two rests of a packing. */
const STEP = 2_048;
/** Room for the row below the start in a key of 53 bits. */
const ROW_BITS = 16;

function sortedChunk(chunk: Chunk): Sorted {
  let sorted = sortedOf.get(chunk);
  if (!sorted) {
    sorted = sortWaits(chunk.waits);
    sortedOf.set(chunk, sorted);
  }
  return sorted;
}

/** O(n log n). Starts and rows go into one number each where they fit, since numbers sort ten times as fast as comparisons. */
function sortWaits(waits: Waits): Sorted {
  const { jobIdx, fromMs } = waits;
  const toMs = (row: number) => waits.toMs?.[row] ?? Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  let count = 0;
  for (let row = 0; row < jobIdx.length; row++) {
    if (fromMs[row] === toMs(row)) continue;
    count += 1;
    least = Math.min(least, fromMs[row]!);
    most = Math.max(most, fromMs[row]!);
  }
  const order = new Uint32Array(count);
  if (jobIdx.length <= 2 ** ROW_BITS && most - least < 2 ** (53 - ROW_BITS)) {
    const keys = new Float64Array(count);
    for (let row = 0, at = 0; row < jobIdx.length; row++)
      if (fromMs[row] !== toMs(row)) keys[at++] = (fromMs[row]! - least) * 2 ** ROW_BITS + row;
    keys.sort();
    for (let at = 0; at < count; at++) order[at] = keys[at]! % 2 ** ROW_BITS;
    settleTies(order, waits);
  } else {
    for (let row = 0, at = 0; row < jobIdx.length; row++)
      if (fromMs[row] !== toMs(row)) order[at++] = row;
    order.sort((a, b) => fromMs[a]! - fromMs[b]! || jobIdx[a]! - jobIdx[b]!);
  }
  return {
    jobIdx: Uint32Array.from(order, (row) => jobIdx[row]!),
    fromMs: Float64Array.from(order, (row) => fromMs[row]!),
    toMs: Float64Array.from(order, toMs),
  };
}

/** Equal starts are put in order of their jobs. */
function settleTies(order: Uint32Array, { jobIdx, fromMs }: Waits): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    to = from + 1;
    while (to < order.length && fromMs[order[to]!] === fromMs[order[from]!]) to += 1;
    if (to > from + 1) order.subarray(from, to).sort((a, b) => jobIdx[a]! - jobIdx[b]!);
  }
}

/** Packs the waits of a whole run, or of a part of it, at once. O(n log chunks) for n waits; at most `mostWaits` of them. */
export function packWaits(
  source: WaitSource,
  range: { readonly fromMs: number; readonly toMs: number },
  tiers: number,
  tierOf: (jobIdx: number) => number,
  mostWaits: number,
): WaitLanes {
  const steps = packSteps(source, range, tiers, tierOf, mostWaits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in slices of well under a millisecond. */
export function* packSteps(
  source: WaitSource,
  range: { readonly fromMs: number; readonly toMs: number },
  tiers: number,
  tierOf: (jobIdx: number) => number,
  mostWaits: number,
): Generator<void, WaitLanes> {
  const parts: Sorted[] = [];
  for (const chunk of source.chunks) {
    if (chunk.toMs < range.fromMs) continue;
    parts.push(sortedChunk(chunk));
    yield;
  }
  if (source.open) parts.push(sortWaits(source.open.waits));
  const merge = new Merge(parts, range);
  const rows = merge.rowsMost();
  const lanes = allocateLanes(Math.min(mostWaits, rows), tiers);
  const free = Array.from({ length: tiers }, () => new LaneAllocator());
  let count = 0;
  while (merge.next()) {
    if (count === mostWaits) return { ...allocateLanes(0, tiers), packed: false };
    const tier = tierOf(merge.jobIdx);
    lanes.jobIdx[count] = merge.jobIdx;
    lanes.fromMs[count] = merge.fromMs;
    lanes.toMs[count] = merge.toMs;
    lanes.tier[count] = tier;
    lanes.lane[count] = free[tier]!.take(merge.fromMs, merge.toMs);
    count += 1;
    if (count % STEP === 0) yield;
  }
  for (let tier = 0; tier < tiers; tier++) lanes.lanesOfTier[tier] = free[tier]!.lanes;
  return {
    ...lanes,
    jobIdx: lanes.jobIdx.subarray(0, count),
    fromMs: lanes.fromMs.subarray(0, count),
    toMs: lanes.toMs.subarray(0, count),
    tier: lanes.tier.subarray(0, count),
    lane: lanes.lane.subarray(0, count),
  };
}

function allocateLanes(count: number, tiers: number): WaitLanes {
  return {
    packed: true,
    jobIdx: new Uint32Array(count),
    fromMs: new Float64Array(count),
    toMs: new Float64Array(count),
    tier: new Uint16Array(count),
    lane: new Uint32Array(count),
    lanesOfTier: new Int32Array(tiers),
  };
}

/** Reads sorted parts as one, in order of start, then of job; only what overlaps the range. */
class Merge {
  jobIdx = 0;
  fromMs = 0;
  toMs = 0;
  readonly #parts: readonly Sorted[];
  readonly #range: { readonly fromMs: number; readonly toMs: number };
  readonly #heads: Uint32Array;
  readonly #heap = new TimeHeap();

  constructor(parts: readonly Sorted[], range: { readonly fromMs: number; readonly toMs: number }) {
    this.#parts = parts;
    this.#range = range;
    this.#heads = new Uint32Array(parts.length);
    for (let part = 0; part < parts.length; part++) this.#offer(part);
  }

  rowsMost(): number {
    return this.#parts.reduce((sum, part) => sum + part.jobIdx.length, 0);
  }

  next(): boolean {
    if (this.#heap.size === 0) return false;
    const at = this.#heap.subject[0]!;
    const part = this.#parts[at]!;
    const row = this.#heads[at]!++;
    this.jobIdx = part.jobIdx[row]!;
    this.fromMs = part.fromMs[row]!;
    this.toMs = part.toMs[row]!;
    this.#heap.pop();
    this.#offer(at);
    return true;
  }

  /** Puts the next line of a part that overlaps the range into the heap. */
  #offer(at: number): void {
    const { fromMs, toMs, jobIdx } = this.#parts[at]!;
    let row = this.#heads[at]!;
    while (row < fromMs.length && toMs[row]! <= this.#range.fromMs) row += 1;
    this.#heads[at] = row;
    if (row < fromMs.length && fromMs[row]! <= this.#range.toMs)
      this.#heap.push(fromMs[row]!, jobIdx[row]!, at, 0);
  }
}

/** Lowest free lane first: a heap of busy lanes by end, and a heap of freed lanes by number. */
class LaneAllocator {
  lanes = 0;
  readonly #busy = new TimeHeap();
  readonly #freed = new TimeHeap();

  take(fromMs: number, toMs: number): number {
    while (this.#busy.size > 0 && this.#busy.timeMs[0]! <= fromMs) {
      const ended = this.#busy.subject[0]!;
      this.#busy.pop();
      this.#freed.push(ended, 0, ended, 0);
    }
    const lane = this.#freed.size > 0 ? this.#freed.subject[0]! : this.lanes++;
    if (this.#freed.size > 0) this.#freed.pop();
    this.#busy.push(toMs, lane, lane, 0);
    return lane;
  }
}
