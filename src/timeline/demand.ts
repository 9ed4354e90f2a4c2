/**
 * The step series of the record summed over tiers: devices held, devices and jobs waited for, over time. It answers "does work
 * wait at t" for the idle ground of the Gantt. Chunks that come are appended; after a change only what differs is read again.
 */
import { upperBound } from "../base/bisect.ts";
import { Table } from "../base/columns.ts";
import type { Chunk } from "../record/shapes.ts";

const DEMAND_SHAPE = {
  atMs: "f64",
  gpusHeld: "i32",
  gpusWaited: "i32",
  jobsWaiting: "i32",
  /** Steps before this one during which some job waited: two of them tell whether any did between. */
  waitingBefore: "u32",
} as const;

const TIERS_MOST = 16;

/** Where the series stands at the end of a chunk: rows so far, and held, waited, waiting by tier. */
interface Mark {
  readonly rows: number;
  readonly values: Int32Array;
}

export class Demand {
  readonly #table = new Table(DEMAND_SHAPE, 256);
  #chunks: readonly Chunk[] = [];
  #marks: Mark[] = [];

  get count(): number {
    return this.#table.length;
  }
  get at(): Table<typeof DEMAND_SHAPE>["at"] {
    return this.#table.at;
  }

  /** Goes over to another list of chunks. O(rows of the chunks that differ). */
  update(chunks: readonly Chunk[]): void {
    let same = 0;
    while (same < this.#marks.length && this.#chunks[same] === chunks[same]) same += 1;
    this.#marks.length = same;
    this.#chunks = chunks;
    this.#table.length = this.#marks.at(-1)?.rows ?? 0;
    const values = this.#marks.at(-1)?.values.slice() ?? new Int32Array(3 * TIERS_MOST);
    for (let i = same; i < chunks.length; i++) {
      this.#append(chunks[i]!.series, values);
      this.#marks.push({ rows: this.#table.length, values: values.slice() });
    }
  }

  #append(series: Chunk["series"], values: Int32Array): void {
    const table = this.#table;
    table.reserve(series.atMs.length + 1);
    const { at } = table;
    let held = sum(values, 0);
    let waited = sum(values, TIERS_MOST);
    let waiting = sum(values, 2 * TIERS_MOST);
    for (let i = 0; i < series.atMs.length; i++) {
      const tier = series.tier[i]!;
      held += series.gpusHeld[i]! - values[tier]!;
      waited += series.gpusWaited[i]! - values[TIERS_MOST + tier]!;
      waiting += series.jobsWaiting[i]! - values[2 * TIERS_MOST + tier]!;
      values[tier] = series.gpusHeld[i]!;
      values[TIERS_MOST + tier] = series.gpusWaited[i]!;
      values[2 * TIERS_MOST + tier] = series.jobsWaiting[i]!;
      if (table.length === 0 || at.atMs[table.length - 1] !== series.atMs[i]!) table.length += 1;
      const row = table.length - 1;
      at.atMs[row] = series.atMs[i]!;
      at.gpusHeld[row] = held;
      at.gpusWaited[row] = waited;
      at.jobsWaiting[row] = waiting;
      at.waitingBefore[row] =
        row === 0 ? 0 : at.waitingBefore[row - 1]! + (at.jobsWaiting[row - 1]! > 0 ? 1 : 0);
    }
  }
}

function sum(values: Int32Array, from: number): number {
  let total = 0;
  for (let i = from; i < from + TIERS_MOST; i++) total += values[i]!;
  return total;
}

/** Last step at or before `atMs`, searched from step `low` on; −1 before the first. O(log n). */
export function demandStepAt(demand: Demand, atMs: number, from = 0): number {
  return upperBound(demand.at.atMs, atMs, from, demand.count) - 1;
}

/**
 * Marks in `out` the pixels of a plot during which some job waits: 1 where one waits at any time of the pixel, however short.
 * Nothing waits from `knownMs` on. O(width · log n).
 */
export function markWaiting(
  demand: Demand,
  pxPerMs: number,
  originPx: number,
  from: number,
  to: number,
  knownMs: number,
  out: Uint8Array,
): void {
  out.fill(0, from, to);
  const { jobsWaiting, waitingBefore } = demand.at;
  let first = demandStepAt(demand, (from + originPx) / pxPerMs);
  for (let x = from; x < to; x++) {
    if ((x + originPx) / pxPerMs >= knownMs) return;
    const last = demandStepAt(demand, (x + 1 + originPx) / pxPerMs, Math.max(0, first));
    if (last >= 0) {
      const before = waitingBefore[Math.max(0, first)]!;
      if (jobsWaiting[last]! > 0 || waitingBefore[last]! > before) out[x] = 1;
    }
    first = last;
  }
}
