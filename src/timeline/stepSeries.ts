/**
 * The step series of a future, made quick to ask: what each tier held and waited for at a time, and per pixel column the
 * time-weighted mean of each tier with the least and most of their sum. Every 64 rows of a chunk the values and their integrals
 * are noted, so a question costs a bisection and a short walk however long the run is, at under 4 bytes a row.
 *
 *     rows of a chunk   r r r r r r r | r r r r r r | r r r …      a block never splits an instant
 *     noted at   |                    ^ values, integrals since 0, least and most of the block before
 *
 * What is held and waited for is noted in parts of a device, so sums over tiers are exact; a walk tells it in devices.
 *
 * A chunk always follows the same chunks, whichever future it is in, so what is noted for it is kept with it and shared.
 */
import { DEVICE_PARTS } from "../model/units.ts";
import type { Chunk } from "../record/shapes.ts";

const BLOCK_ROWS = 64;

interface NotedChunk {
  readonly chunk: Chunk;
  readonly tiers: number;
  /** First row of each block; one more entry ends the last. */
  readonly blockRow: Uint32Array;
  readonly blockAtMs: Float64Array;
  /** Values and integrals (value × ms since 0) at the start of each block, by block × tier; one more block at the end. */
  readonly heldParts: Int32Array;
  readonly waiting: Int32Array;
  readonly waitedParts: Float64Array;
  readonly heldMs: Float64Array;
  readonly waitingMs: Float64Array;
  readonly waitedMs: Float64Array;
  /** Least and most of the sum over tiers within each block, its first value included. */
  readonly heldLeastParts: Int32Array;
  readonly heldMostParts: Int32Array;
  readonly waitedLeastParts: Float64Array;
  readonly waitedMostParts: Float64Array;
  /** The most jobs that wait at once in the chunk, by tier. */
  readonly waitingMost: Int32Array;
}

export interface StepSeries {
  readonly tiers: number;
  readonly chunks: readonly NotedChunk[];
}

const noted = new WeakMap<Chunk, NotedChunk>();
const made = new WeakMap<readonly Chunk[], StepSeries>();

/** The series of a list of chunks, the same object for the same list. O(rows) the first time a chunk is seen, then O(chunks). */
export function stepSeriesOf(chunks: readonly Chunk[], tiers: number): StepSeries {
  const known = made.get(chunks);
  if (known?.tiers === tiers) return known;
  const list: NotedChunk[] = [];
  let before: NotedChunk | null = null;
  for (const chunk of chunks) {
    let entry = noted.get(chunk);
    if (!entry || entry.tiers !== tiers) {
      entry = noteChunk(chunk, tiers, before);
      noted.set(chunk, entry);
    }
    list.push(entry);
    before = entry;
  }
  const series = { tiers, chunks: list };
  made.set(chunks, series);
  return series;
}

/** Block boundaries of a chunk: at least `BLOCK_ROWS` rows each, cut where the time changes. */
function blockRows(atMs: Float64Array): number[] {
  const rows = [0];
  for (let row = 1; row < atMs.length; row++) {
    if (row - rows[rows.length - 1]! >= BLOCK_ROWS && atMs[row] !== atMs[row - 1]) rows.push(row);
  }
  rows.push(atMs.length);
  return rows;
}

function noteChunk(chunk: Chunk, tiers: number, before: NotedChunk | null): NotedChunk {
  const rows = blockRows(chunk.series.atMs);
  const blocks = rows.length - 1;
  const entry: NotedChunk = {
    chunk,
    tiers,
    blockRow: Uint32Array.from(rows),
    blockAtMs: new Float64Array(blocks + 1),
    heldParts: new Int32Array((blocks + 1) * tiers),
    waiting: new Int32Array((blocks + 1) * tiers),
    waitedParts: new Float64Array((blocks + 1) * tiers),
    heldMs: new Float64Array((blocks + 1) * tiers),
    waitingMs: new Float64Array((blocks + 1) * tiers),
    waitedMs: new Float64Array((blocks + 1) * tiers),
    heldLeastParts: new Int32Array(blocks),
    heldMostParts: new Int32Array(blocks),
    waitedLeastParts: new Float64Array(blocks),
    waitedMostParts: new Float64Array(blocks),
    waitingMost: mostWaitingIn(chunk, tiers),
  };
  const walk = new StepWalk({ tiers, chunks: before ? [before] : [] });
  if (before) walk.loadBlock(before, before.blockRow.length - 1);
  for (let block = 0; block < blocks; block++) {
    if (block > 0) walk.passTo(chunk.series.atMs[rows[block]!]!);
    else if (before === null) walk.nowMs = chunk.fromMs;
    saveBlock(entry, block, walk);
    walk.resetRange();
    walk.applyRows(chunk, rows[block]!, rows[block + 1]!);
    entry.heldLeastParts[block] = walk.heldLeastParts;
    entry.heldMostParts[block] = walk.heldMostParts;
    entry.waitedLeastParts[block] = walk.waitedLeastParts;
    entry.waitedMostParts[block] = walk.waitedMostParts;
  }
  walk.passTo(Math.max(walk.nowMs, chunk.toMs));
  saveBlock(entry, blocks, walk);
  return entry;
}

/** Instants count as they end: who comes and starts at once has not waited. O(rows). */
function mostWaitingIn(chunk: Chunk, tiers: number): Int32Array {
  const { atMs, tier, jobsWaiting } = chunk.series;
  const most = new Int32Array(tiers);
  const waiting = new Int32Array(tiers);
  let from = 0;
  for (let row = 0; row < atMs.length; row++) {
    waiting[tier[row]!] = jobsWaiting[row]!;
    if (atMs[row + 1] === atMs[row]) continue;
    for (; from <= row; from++) {
      const at = tier[from]!;
      if (waiting[at]! > most[at]!) most[at] = waiting[at]!;
    }
  }
  return most;
}

function saveBlock(entry: NotedChunk, block: number, walk: StepWalk): void {
  const at = block * entry.tiers;
  entry.blockAtMs[block] = walk.nowMs;
  entry.heldParts.set(walk.heldParts, at);
  entry.waiting.set(walk.waiting, at);
  entry.waitedParts.set(walk.waitedParts, at);
  entry.heldMs.set(walk.heldMs, at);
  entry.waitingMs.set(walk.waitingMs, at);
  entry.waitedMs.set(walk.waitedMs, at);
}

/** A place in the series that moves forward cheaply. Read its public fields after `moveTo`. */
export class StepWalk {
  nowMs = 0;
  /** By tier, in 1/7,000 of a device. */
  readonly heldParts: Int32Array;
  readonly waiting: Int32Array;
  /** As `heldParts`. */
  readonly waitedParts: Float64Array;
  /** Value × ms since 0, by tier; devices. */
  readonly heldMs: Float64Array;
  readonly waitingMs: Float64Array;
  readonly waitedMs: Float64Array;
  /** Least and most of the sums since `resetRange`. */
  heldLeastParts = 0;
  heldMostParts = 0;
  waitedLeastParts = 0;
  waitedMostParts = 0;
  #partsSum = 0;
  #waitedPartsSum = 0;
  readonly #series: StepSeries;
  #chunkIdx = 0;
  #block = 0;
  #row = 0;

  constructor(series: StepSeries) {
    this.#series = series;
    this.heldParts = new Int32Array(series.tiers);
    this.waiting = new Int32Array(series.tiers);
    this.waitedParts = new Float64Array(series.tiers);
    this.heldMs = new Float64Array(series.tiers);
    this.waitingMs = new Float64Array(series.tiers);
    this.waitedMs = new Float64Array(series.tiers);
    const first = series.chunks[0];
    if (first) this.loadBlock(first, 0);
  }

  /** Devices that a tier holds now. */
  held(tier: number): number {
    return this.heldParts[tier]! / DEVICE_PARTS;
  }

  /** Devices that all tiers together hold now. */
  get heldByAll(): number {
    return this.#partsSum / DEVICE_PARTS;
  }

  /** GPUs waited for now. */
  get waitedByAll(): number {
    return this.#waitedPartsSum / DEVICE_PARTS;
  }

  /** Starts a new range for least and most, with the values of now. */
  resetRange(): void {
    this.heldLeastParts = this.heldMostParts = this.#partsSum;
    this.waitedLeastParts = this.waitedMostParts = this.#waitedPartsSum;
  }

  /** Goes to the values that hold at `atMs`. O(log rows) backwards, O(blocks passed) forwards. */
  moveTo(atMs: number): void {
    if (atMs < this.nowMs) this.#seek(atMs);
    while (this.#step(atMs));
    if (atMs > this.nowMs) this.passTo(atMs);
  }

  /** Goes to the values that hold at `atMs`, wherever the walk is, and starts a new range there. O(log rows). */
  jumpTo(atMs: number): void {
    this.#seek(atMs);
    this.moveTo(atMs);
    this.resetRange();
  }

  /** One block, chunk or the instants up to the next block forward, as far as they lie at or before `atMs`. */
  #step(atMs: number): boolean {
    const entry = this.#series.chunks[this.#chunkIdx];
    if (!entry) return false;
    const { chunk, blockRow, blockAtMs } = entry;
    const blocks = blockRow.length - 1;
    if (this.#row === blockRow[this.#block] && this.#block < blocks) {
      // Whole blocks are folded without being loaded; only where the walk ends are values needed.
      let block = this.#block;
      while (block < blocks && blockAtMs[block + 1]! <= atMs) this.#foldBlock(entry, block++);
      if (block > this.#block) {
        this.loadBlock(entry, block);
        if (block === blocks) this.#nextChunk();
        return true;
      }
    }
    const times = chunk.series.atMs;
    const row = this.#row;
    if (row < times.length && times[row]! <= atMs) {
      // A block never splits an instant.
      const most = this.#block < blocks ? blockRow[this.#block + 1]! : times.length;
      let end = row + 1;
      while (end < most && times[end]! <= atMs) end++;
      this.applyRows(chunk, row, end);
      this.#row = end;
      if (this.#block + 1 < blocks && end === blockRow[this.#block + 1]) this.#block++;
      return true;
    }
    if (
      row >= times.length &&
      chunk.toMs <= atMs &&
      this.#chunkIdx + 1 < this.#series.chunks.length
    ) {
      if (chunk.toMs > this.nowMs) this.passTo(chunk.toMs);
      this.#nextChunk();
      return true;
    }
    return false;
  }

  #nextChunk(): void {
    if (this.#chunkIdx + 1 >= this.#series.chunks.length) return;
    this.#chunkIdx++;
    this.#block = 0;
    this.#row = 0;
  }

  #seek(atMs: number): void {
    const { chunks } = this.#series;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chunks[middle]!.chunk.toMs >= atMs) high = middle;
      else low = middle + 1;
    }
    const entry = chunks[low];
    if (!entry) return;
    this.#chunkIdx = low;
    let first = 0;
    let last = Math.max(0, entry.blockRow.length - 2);
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if (entry.blockAtMs[middle]! <= atMs) first = middle;
      else last = middle - 1;
    }
    this.loadBlock(entry, first);
  }

  /** Takes the values noted at the start of a block. */
  loadBlock(entry: NotedChunk, block: number): void {
    const { tiers } = entry;
    const from = block * tiers;
    this.#block = block;
    this.#row = entry.blockRow[block]!;
    this.nowMs = entry.blockAtMs[block]!;
    this.#partsSum = 0;
    this.#waitedPartsSum = 0;
    for (let tier = 0; tier < tiers; tier++) {
      const at = from + tier;
      this.heldParts[tier] = entry.heldParts[at]!;
      this.waiting[tier] = entry.waiting[at]!;
      this.waitedParts[tier] = entry.waitedParts[at]!;
      this.heldMs[tier] = entry.heldMs[at]!;
      this.waitingMs[tier] = entry.waitingMs[at]!;
      this.waitedMs[tier] = entry.waitedMs[at]!;
      this.#partsSum += this.heldParts[tier]!;
      this.#waitedPartsSum += this.waitedParts[tier]!;
    }
  }

  #foldBlock(entry: NotedChunk, block: number): void {
    const { heldLeastParts, heldMostParts, waitedLeastParts, waitedMostParts } = entry;
    const least = heldLeastParts[block]!;
    const most = heldMostParts[block]!;
    if (least < this.heldLeastParts) this.heldLeastParts = least;
    if (most > this.heldMostParts) this.heldMostParts = most;
    if (waitedLeastParts[block]! < this.waitedLeastParts)
      this.waitedLeastParts = waitedLeastParts[block]!;
    if (waitedMostParts[block]! > this.waitedMostParts)
      this.waitedMostParts = waitedMostParts[block]!;
  }

  /** Lets time pass with the values of now. */
  passTo(atMs: number): void {
    const spanMs = atMs - this.nowMs;
    for (let tier = 0; tier < this.heldParts.length; tier++) {
      this.heldMs[tier]! += (this.heldParts[tier]! / DEVICE_PARTS) * spanMs;
      this.waitingMs[tier]! += this.waiting[tier]! * spanMs;
      this.waitedMs[tier]! += (this.waitedParts[tier]! / DEVICE_PARTS) * spanMs;
    }
    this.nowMs = atMs;
  }

  /** Applies rows `from` to `to` of a chunk in order; sums are folded when an instant is complete. */
  applyRows(chunk: Chunk, from: number, to: number): void {
    const { atMs, tier, heldParts, jobsWaiting, waitedParts } = chunk.series;
    for (let row = from; row < to; row++) {
      if (atMs[row]! > this.nowMs) this.passTo(atMs[row]!);
      const at = tier[row]!;
      this.#partsSum += heldParts[row]! - this.heldParts[at]!;
      this.#waitedPartsSum += waitedParts[row]! - this.waitedParts[at]!;
      this.heldParts[at] = heldParts[row]!;
      this.waiting[at] = jobsWaiting[row]!;
      this.waitedParts[at] = waitedParts[row]!;
      if (row + 1 < to && atMs[row + 1] === atMs[row]) continue;
      const held = this.#partsSum;
      const waited = this.#waitedPartsSum;
      if (held < this.heldLeastParts) this.heldLeastParts = held;
      if (held > this.heldMostParts) this.heldMostParts = held;
      if (waited < this.waitedLeastParts) this.waitedLeastParts = waited;
      if (waited > this.waitedMostParts) this.waitedMostParts = waited;
    }
  }
}

/** The most jobs that waited at once, by tier: the scale of a density. O(chunks · tiers). */
export function mostWaiting(series: StepSeries): Int32Array {
  const most = new Int32Array(series.tiers);
  for (const { waitingMost } of series.chunks)
    for (let tier = 0; tier < most.length; tier++)
      if (waitingMost[tier]! > most[tier]!) most[tier] = waitingMost[tier]!;
  return most;
}

/** The most GPUs waited for at once in the whole run. O(rows / 64). */
export function mostWaited(series: StepSeries): number {
  let most = 0;
  for (const { waitedMostParts } of series.chunks) {
    for (let block = 0; block < waitedMostParts.length; block++)
      most = Math.max(most, waitedMostParts[block]!);
  }
  return most / DEVICE_PARTS;
}
