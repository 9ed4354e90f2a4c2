/**
 * Who waited: stretches of waiting found by time, and packed into lanes for drawing. Waits are recorded when they close, so
 * within a chunk they are in order of their end; what waits at the end of the record is in the open set.
 */
import { TimeHeap } from "../base/heap.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

/** The part of a future that is needed here. */
export interface WaitSource {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

const firstFrom = new WeakMap<Chunk, number>();

/** Earliest start of a wait that closes in this chunk; lets a search skip chunks that lie wholly later. */
function firstFromMs(chunk: Chunk): number {
  let least = firstFrom.get(chunk);
  if (least === undefined) {
    least = Number.POSITIVE_INFINITY;
    const { fromMs } = chunk.waits;
    for (let row = 0; row < fromMs.length; row++) if (fromMs[row]! < least) least = fromMs[row]!;
    firstFrom.set(chunk, least);
  }
  return least;
}

/** First row whose wait ends after `atMs`. Requires the order of closing. */
function firstEndingAfter(toMs: Float64Array, atMs: number): number {
  let low = 0;
  let high = toMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (toMs[middle]! > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Calls `visit` for each wait that overlaps [fromMs, toMs], open ones with an end of `Infinity`; stops when it returns false.
 * O(waits that end after `fromMs` in chunks that reach into the range).
 */
export function eachWaitIn(
  source: WaitSource,
  fromMs: number,
  toMs: number,
  visit: (jobIdx: number, fromMs: number, toMs: number) => boolean,
): void {
  for (const chunk of source.chunks) {
    if (chunk.toMs < fromMs || firstFromMs(chunk) > toMs) continue;
    const { waits } = chunk;
    const rows = waits.jobIdx.length;
    for (let row = firstEndingAfter(waits.toMs, fromMs); row < rows; row++) {
      if (waits.fromMs[row]! > toMs) continue;
      if (!visit(waits.jobIdx[row]!, waits.fromMs[row]!, waits.toMs[row]!)) return;
    }
  }
  if (!source.open) return;
  const { waits } = source.open;
  for (let row = 0; row < waits.jobIdx.length; row++) {
    if (waits.fromMs[row]! > toMs) continue;
    if (!visit(waits.jobIdx[row]!, waits.fromMs[row]!, Number.POSITIVE_INFINITY)) return;
  }
}

export interface Waiters {
  readonly count: number;
  readonly jobIdx: Uint32Array;
  readonly fromMs: Float64Array;
}

/** Everybody who waits at a time: queued at or before it, not started by it. */
export function waitersAt(source: WaitSource, atMs: number): Waiters {
  const jobs: number[] = [];
  const froms: number[] = [];
  eachWaitIn(source, atMs, atMs, (jobIdx, fromMs) => {
    jobs.push(jobIdx);
    froms.push(fromMs);
    return true;
  });
  return { count: jobs.length, jobIdx: Uint32Array.from(jobs), fromMs: Float64Array.from(froms) };
}

/** Earliest queueing time among those who wait at `atMs`, by tier; `Infinity` where nobody waits. */
export function oldestWaits(
  source: WaitSource,
  atMs: number,
  tierOf: (jobIdx: number) => number,
  into: Float64Array,
): void {
  into.fill(Number.POSITIVE_INFINITY);
  eachWaitIn(source, atMs, atMs, (jobIdx, fromMs) => {
    const tier = tierOf(jobIdx);
    if (fromMs < into[tier]!) into[tier] = fromMs;
    return true;
  });
}

/** Waits packed into the lanes of their tiers: row `i` is the line of `jobIdx[i]` in lane `lane[i]` of its tier. */
export interface WaitLanes {
  /** False: more than `mostWaits`; the lanes are empty and the density is drawn instead. */
  readonly packed: boolean;
  readonly jobIdx: Uint32Array;
  readonly fromMs: Float64Array;
  readonly toMs: Float64Array;
  readonly tier: Uint8Array;
  readonly lane: Uint32Array;
  /** Lanes that each tier needs. */
  readonly lanesOfTier: Int32Array;
}

/**
 * Packs the waits of a whole run, or of a part of it: each line goes to the lowest lane of its tier that is free at its start,
 * in order of start, so that lanes never change while panning. O(n log n) for n waits; at most `mostWaits` of them.
 */
export function packWaits(
  source: WaitSource,
  range: { readonly fromMs: number; readonly toMs: number },
  tiers: number,
  tierOf: (jobIdx: number) => number,
  mostWaits: number,
): WaitLanes {
  const jobs: number[] = [];
  const froms: number[] = [];
  const tos: number[] = [];
  eachWaitIn(source, range.fromMs, range.toMs, (jobIdx, fromMs, toMs) => {
    if (fromMs === toMs) return true; // Started at once: it did not wait.
    jobs.push(jobIdx);
    froms.push(fromMs);
    tos.push(toMs);
    return jobs.length <= mostWaits;
  });
  const packed = jobs.length <= mostWaits;
  const count = packed ? jobs.length : 0;
  const order = Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => froms[a]! - froms[b]! || jobs[a]! - jobs[b]!);
  const lanes: WaitLanes = {
    packed,
    jobIdx: new Uint32Array(count),
    fromMs: new Float64Array(count),
    toMs: new Float64Array(count),
    tier: new Uint8Array(count),
    lane: new Uint32Array(count),
    lanesOfTier: new Int32Array(tiers),
  };
  const free = Array.from({ length: tiers }, () => new LaneAllocator());
  for (let row = 0; row < count; row++) {
    const from = order[row]!;
    const tier = tierOf(jobs[from]!);
    lanes.jobIdx[row] = jobs[from]!;
    lanes.fromMs[row] = froms[from]!;
    lanes.toMs[row] = tos[from]!;
    lanes.tier[row] = tier;
    lanes.lane[row] = free[tier]!.take(froms[from]!, tos[from]!);
  }
  for (let tier = 0; tier < tiers; tier++) lanes.lanesOfTier[tier] = free[tier]!.lanes;
  return lanes;
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
