/**
 * The record by rows. Chunks hold rectangles in order of closing; drawing asks for one unit's rectangles in order of start. A
 * *part* holds the rectangles of a few neighbouring chunks in that order; parts merge four to one in a fixed tree over chunk
 * numbers, so that a question touches few of them and futures that share chunks share parts. All work runs in generators
 * that yield every few thousand rectangles; the caller decides how many steps a frame can take.
 *
 *     part: first[unit] … first[unit+1]   ->   startMs endMs jobIdx bits rows   (sorted by start within the unit)
 *                                              blockEndMs[entry >> 5] = latest end in a block of 32 entries
 *
 * An entry costs 24 bytes: copied columns instead of a permutation, because a frame reads 100,000 of them in row order.
 */
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { partOf } from "../record/shapes.ts";
import type { RowUnits } from "./rowUnits.ts";

export const ENTRY_BLOCK_BITS = 5;
const FAN = 4;
const STEP = 8_192;

export interface Part {
  readonly count: number;
  readonly first: Uint32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  readonly jobIdx: Uint32Array;
  readonly bits: Uint16Array;
  /** First row in the unit, plus 256 × rows. */
  readonly rows: Uint16Array;
  readonly blockEndMs: Float64Array;
  /** Rows of all entries before a block of 32. */
  readonly blockRows: Float64Array;
  readonly fromMs: number;
  readonly toMs: number;
  /** Some rectangles hold less than a whole device, so rows may overlap in time. */
  readonly shares: boolean;
}

interface RectColumns {
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  readonly jobIdx: Uint32Array;
  readonly device: Uint32Array;
  readonly deviceCount: Uint16Array;
  readonly bits: Uint16Array;
}

/** Sorts the rectangles of one chunk (or open set) into a part. O(n log n) worst, O(n) for what a run writes. */
export function* buildPart(rects: RectColumns, units: RowUnits): Generator<void, Part> {
  const n = rects.startMs.length;
  const first = new Uint32Array(units.unitCount + 1);
  for (let i = 0; i < n; i++) {
    const from = units.unitOfDevice[rects.device[i]!]!;
    const to = units.unitOfDevice[rects.device[i]! + rects.deviceCount[i]! - 1]!;
    for (let u = from; u <= to; u++) first[u + 1]! += 1;
    if (i % STEP === STEP - 1) yield;
  }
  for (let u = 0; u < units.unitCount; u++) first[u + 1]! += first[u]!;
  const order = new Uint32Array(first[units.unitCount]!);
  const next = first.slice();
  for (let i = 0; i < n; i++) {
    const from = units.unitOfDevice[rects.device[i]!]!;
    const to = units.unitOfDevice[rects.device[i]! + rects.deviceCount[i]! - 1]!;
    for (let u = from; u <= to; u++) order[next[u]!++] = i;
    if (i % STEP === STEP - 1) yield;
  }
  for (let u = 0, done = 0; u < units.unitCount; u++) {
    sortByStart(order, rects.startMs, first[u]!, first[u + 1]!);
    if (first[u + 1]! - done > STEP) {
      done = first[u + 1]!;
      yield;
    }
  }
  const part = allocatePart(first, order.length);
  let shares = false;
  for (let u = 0, done = 0; u < units.unitCount; u++) {
    const base = units.unitFirst[u]!;
    const end = units.unitFirst[u + 1]!;
    for (let e = first[u]!; e < first[u + 1]!; e++) {
      const i = order[e]!;
      const from = Math.max(base, rects.device[i]!);
      const to = Math.min(end, rects.device[i]! + rects.deviceCount[i]!);
      part.startMs[e] = rects.startMs[i]!;
      part.endMs[e] = rects.endMs[i]!;
      part.jobIdx[e] = rects.jobIdx[i]!;
      part.bits[e] = rects.bits[i]!;
      part.rows[e] = (from - base) | ((to - from) << 8);
      shares ||= partOf(rects.bits[i]!) !== 0;
    }
    if (first[u + 1]! - done > STEP) {
      done = first[u + 1]!;
      yield;
    }
  }
  return finish(part, shares);
}

/** The part of a few rectangles that stand in no record. O(n log n). */
export function partOfRects(
  rects: readonly {
    readonly startMs: number;
    readonly endMs: number;
    readonly jobIdx: number;
    readonly device: number;
    readonly deviceCount: number;
    readonly bits: number;
  }[],
  units: RowUnits,
): Part {
  const columns = {
    startMs: Float64Array.from(rects, (rect) => rect.startMs),
    endMs: Float64Array.from(rects, (rect) => rect.endMs),
    jobIdx: Uint32Array.from(rects, (rect) => rect.jobIdx),
    device: Uint32Array.from(rects, (rect) => rect.device),
    deviceCount: Uint16Array.from(rects, (rect) => rect.deviceCount),
    bits: Uint16Array.from(rects, (rect) => rect.bits),
  };
  return runOut(buildPart(columns, units));
}

/** Merges parts into one. O(total × log parts), sliced. */
export function* mergeParts(parts: readonly Part[], unitCount: number): Generator<void, Part> {
  const first = new Uint32Array(unitCount + 1);
  for (let u = 0; u < unitCount; u++) {
    let count = 0;
    for (const part of parts) count += part.first[u + 1]! - part.first[u]!;
    first[u + 1] = first[u]! + count;
  }
  const out = allocatePart(first, first[unitCount]!);
  const head = new Uint32Array(parts.length);
  for (let u = 0, done = 0; u < unitCount; u++) {
    for (let p = 0; p < parts.length; p++) head[p] = parts[p]!.first[u]!;
    for (let e = first[u]!; e < first[u + 1]!; e++) {
      let best = -1;
      let bestMs = Number.POSITIVE_INFINITY;
      for (let p = 0; p < parts.length; p++) {
        const part = parts[p]!;
        if (head[p]! < part.first[u + 1]! && (best < 0 || part.startMs[head[p]!]! < bestMs)) {
          best = p;
          bestMs = part.startMs[head[p]!]!;
        }
      }
      copyEntry(parts[best]!, head[best]!++, out, e);
    }
    if (first[u + 1]! - done > STEP) {
      done = first[u + 1]!;
      yield;
    }
  }
  return finish(
    out,
    parts.some((part) => part.shares),
  );
}

type Unfinished = Omit<Part, "blockEndMs" | "blockRows" | "fromMs" | "toMs" | "shares">;

function allocatePart(first: Uint32Array, count: number): Unfinished {
  return {
    count,
    first,
    startMs: new Float64Array(count),
    endMs: new Float64Array(count),
    jobIdx: new Uint32Array(count),
    bits: new Uint16Array(count),
    rows: new Uint16Array(count),
  };
}

function copyEntry(from: Part, i: number, to: Unfinished, e: number): void {
  to.startMs[e] = from.startMs[i]!;
  to.endMs[e] = from.endMs[i]!;
  to.jobIdx[e] = from.jobIdx[i]!;
  to.bits[e] = from.bits[i]!;
  to.rows[e] = from.rows[i]!;
}

function finish(part: Unfinished, shares: boolean): Part {
  const blockEndMs = new Float64Array((part.count + 31) >> ENTRY_BLOCK_BITS);
  const blockRows = new Float64Array(blockEndMs.length + 1);
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let e = 0; e < part.count; e++) {
    const block = e >> ENTRY_BLOCK_BITS;
    const endMs = part.endMs[e]!;
    if (endMs > blockEndMs[block]!) blockEndMs[block] = endMs;
    blockRows[block + 1]! += part.rows[e]! >> 8;
    if (endMs > toMs) toMs = endMs;
    if (part.startMs[e]! < fromMs) fromMs = part.startMs[e]!;
  }
  for (let block = 1; block < blockRows.length; block++) blockRows[block]! += blockRows[block - 1]!;
  return { ...part, blockEndMs, blockRows, fromMs, toMs, shares };
}

/** Insertion sort, since what closes later mostly started later; a stretch in no such order is sorted by comparison. */
function sortByStart(order: Uint32Array, startMs: Float64Array, from: number, to: number): void {
  let moves = 16 * (to - from) + 256;
  for (let i = from + 1; i < to; i++) {
    const value = order[i]!;
    const key = startMs[value]!;
    let j = i - 1;
    while (j >= from && startMs[order[j]!]! > key) {
      order[j + 1] = order[j]!;
      j -= 1;
      moves -= 1;
    }
    order[j + 1] = value;
    if (moves < 0) {
      order.subarray(from, to).sort((a, b) => startMs[a]! - startMs[b]! || a - b);
      return;
    }
  }
}

/** First entry of unit `u` that starts at or after `atMs`. O(log n). */
export function firstStartingFrom(part: Part, u: number, atMs: number): number {
  let low = part.first[u]!;
  let high = part.first[u + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (part.startMs[middle]! < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows that entries `from` ≤ e < `to` hold, summed. O(1): at most 62 entries are read. */
export function rowsOfEntries(part: Part, from: number, to: number): number {
  return rowsBefore(part, to) - rowsBefore(part, from);
}

function rowsBefore(part: Part, to: number): number {
  const block = to >> ENTRY_BLOCK_BITS;
  let rows = part.blockRows[block]!;
  for (let e = block << ENTRY_BLOCK_BITS; e < to; e++) rows += part.rows[e]! >> 8;
  return rows;
}

/** Parts by the chunks they cover: tree level → first chunk → part. Shared by all futures of one cluster. */
const trees = new WeakMap<Chunk, Map<number, { readonly last: Chunk; readonly part: Part }>>();

function treePart(chunks: readonly Chunk[], at: number, span: number): Part | undefined {
  const entry = trees.get(chunks[at]!)?.get(span);
  return entry && entry.last === chunks[at + span - 1] ? entry.part : undefined;
}

function keepPart(chunks: readonly Chunk[], at: number, span: number, part: Part): void {
  const first = chunks[at]!;
  const known = trees.get(first) ?? new Map();
  known.set(span, { last: chunks[at + span - 1]!, part });
  trees.set(first, known);
}

/** Lets go of what a merged part has made superfluous. */
function dropBelow(chunks: readonly Chunk[], at: number, span: number): void {
  for (let i = at; i < at + span; i++) {
    const known = trees.get(chunks[i]!);
    if (known) for (const size of [...known.keys()]) if (size < span) known.delete(size);
  }
}

/** The index of one future: parts in order of time, the open set last. */
export class RowIndex {
  /** What can be asked now; grows as `step` works. */
  parts: readonly Part[] = [];
  readonly units: RowUnits;
  #chunks: readonly Chunk[] = [];
  #open: OpenSet | null = null;
  #openPart: Part | null = null;
  #work: Generator<void, void> | null = null;

  constructor(units: RowUnits) {
    this.units = units;
  }

  /** Entries in all parts. */
  get entryCount(): number {
    let sum = 0;
    for (const part of this.parts) sum += part.count;
    return sum;
  }

  /** Takes another list of chunks and open set. O(chunks); parts that are known are used at once. */
  update(chunks: readonly Chunk[], open: OpenSet | null): void {
    if (chunks === this.#chunks && open === this.#open) return;
    this.#chunks = chunks;
    if (open !== this.#open) {
      this.#open = open;
      this.#openPart =
        open && open.rects.startMs.length > 0 ? runOut(buildPart(open.rects, this.units)) : null;
    }
    this.#collect();
    this.#work = this.#build();
  }

  /** Works on until `steps` slices of about 8,000 rectangles are done. Returns true while work is left. */
  step(steps: number): boolean {
    for (let i = 0; i < steps && this.#work; i++) {
      if (this.#work.next().done) this.#work = null;
    }
    return this.#work !== null;
  }

  /** Builds everything at once: tests, bench, state of small runs. */
  finish(): void {
    while (this.step(64));
  }

  *#build(): Generator<void, void> {
    const chunks = this.#chunks;
    for (let at = 0; at < chunks.length; at++) {
      if (this.#covered(at) || treePart(chunks, at, 1)) continue;
      keepPart(chunks, at, 1, yield* buildPart(chunks[at]!.rects, this.units));
      this.#collect();
      yield;
    }
    for (let span = FAN; span <= chunks.length; span *= FAN) {
      for (let at = 0; at + span <= chunks.length; at += span) {
        if (this.#covered(at, span) || treePart(chunks, at, span)) continue;
        const below: Part[] = [];
        for (let i = at; i < at + span; i += span / FAN) {
          const part = treePart(chunks, i, span / FAN);
          if (part) below.push(part);
        }
        if (below.length < FAN) continue;
        keepPart(chunks, at, span, yield* mergeParts(below, this.units.unitCount));
        dropBelow(chunks, at, span);
        this.#collect();
        yield;
      }
    }
  }

  /** Is chunk `at` inside a part of at least `least` chunks that is already there? */
  #covered(at: number, least = 1): boolean {
    for (let span = FAN; span <= this.#chunks.length; span *= FAN) {
      if (span <= least) continue;
      const from = at - (at % span);
      if (from + span <= this.#chunks.length && treePart(this.#chunks, from, span)) return true;
    }
    return false;
  }

  #collect(): void {
    const chunks = this.#chunks;
    const parts: Part[] = [];
    let largest = 1;
    while (largest * FAN <= chunks.length) largest *= FAN;
    for (let at = 0; at < chunks.length; ) {
      let span = largest;
      while (
        span > 1 &&
        (at % span !== 0 || at + span > chunks.length || !treePart(chunks, at, span))
      ) {
        span /= FAN;
      }
      const part = treePart(chunks, at, span);
      if (part && part.count > 0) parts.push(part);
      at += span;
    }
    if (this.#openPart) parts.push(this.#openPart);
    this.parts = parts;
  }
}

function runOut<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
