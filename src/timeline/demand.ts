/**
 * When work waits: the step series of the record summed over tiers and reduced to the times at which somebody begins to wait and the last one stops. It answers "does
 * work wait at t" for the idle ground of the Gantt. A million jobs have as many steps, and far fewer such times: only these are kept. Chunks that come are appended;
 * after a change only what differs is read again.
 */
import { upperBound } from "../base/bisect.ts";
import { Table } from "../base/columns.ts";
import type { Chunk } from "../record/shapes.ts";

/** Even rows: from here on somebody waits; odd rows: from here on nobody does. */
const CHANGE_SHAPE = { atMs: "f64" } as const;

const TIERS_MOST = 16;

/** Where the series stands at the end of a chunk: changes so far, and jobs that wait by tier. */
interface Mark {
  readonly rows: number;
  readonly waiting: Int32Array;
}

export class Demand {
  readonly #table = new Table(CHANGE_SHAPE, 64);
  #chunks: readonly Chunk[] = [];
  #marks: Mark[] = [];

  /** Goes over to another list of chunks. O(rows of the chunks that differ). */
  update(chunks: readonly Chunk[]): void {
    let same = 0;
    while (same < this.#marks.length && this.#chunks[same] === chunks[same]) same += 1;
    this.#marks.length = same;
    this.#chunks = chunks;
    this.#table.length = this.#marks.at(-1)?.rows ?? 0;
    const waiting = this.#marks.at(-1)?.waiting.slice() ?? new Int32Array(TIERS_MOST);
    for (let i = same; i < chunks.length; i++) {
      this.#append(chunks[i]!.series, waiting);
      this.#marks.push({ rows: this.#table.length, waiting: waiting.slice() });
    }
  }

  /** Whether somebody waits at this time. O(log n). */
  waitsAt(atMs: number): boolean {
    return upperBound(this.#table.at.atMs, atMs, 0, this.#table.length) % 2 === 1;
  }

  /**
   * Marks in `out` the pixels of a plot during which some job waits: 1 where one waits at any time of the pixel, however short.
   * Nothing waits from `knownMs` on. O(width · log n).
   */
  mark(
    pxPerMs: number,
    originPx: number,
    from: number,
    to: number,
    knownMs: number,
    out: Uint8Array,
  ): void {
    out.fill(0, from, to);
    const { atMs } = this.#table.at;
    const count = this.#table.length;
    let row = 0;
    for (let x = from; x < to; x++) {
      const startMs = (x + originPx) / pxPerMs;
      if (startMs >= knownMs) return;
      row = upperBound(atMs, startMs, row, count);
      const endMs = (x + 1 + originPx) / pxPerMs;
      if (row % 2 === 1 || (row < count && atMs[row]! <= endMs)) out[x] = 1;
    }
  }

  #append(series: Chunk["series"], waiting: Int32Array): void {
    let sum = waiting.reduce((total, jobs) => total + jobs, 0);
    const { length } = series.atMs;
    for (let row = 0; row < length; ) {
      const atMs = series.atMs[row]!;
      for (; row < length && series.atMs[row] === atMs; row++) {
        const tier = series.tier[row]!;
        sum += series.jobsWaiting[row]! - waiting[tier]!;
        waiting[tier] = series.jobsWaiting[row]!;
      }
      this.#change(atMs, sum > 0);
    }
  }

  #change(atMs: number, waits: boolean): void {
    const table = this.#table;
    if (waits === (table.length % 2 === 1)) return;
    // Two chunks that meet in an instant: what the first one said of it did not last.
    if (table.length > 0 && table.at.atMs[table.length - 1] === atMs) {
      table.length -= 1;
      return;
    }
    table.reserve(1);
    table.at.atMs[table.length++] = atMs;
  }
}
