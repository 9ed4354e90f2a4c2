/**
 * The step series on the pixels of a plot: per column the time-weighted mean of each tier with the least and most of their sum.
 * Columns stand on absolute pixels (`pixelScale.ts`), so a pan keeps what stays in sight and asks only for what came into view.
 */
import { DEVICE_PARTS } from "../model/units.ts";
import type { PixelScale } from "./pixelScale.ts";
import { type StepSeries, StepWalk } from "./stepSeries.ts";

/** Tier-major: `tier × columns + column`. */
export interface StepColumns {
  readonly columns: number;
  readonly heldMean: Float64Array;
  /** Jobs that wait. */
  readonly waitingMean: Float64Array;
  /** GPUs waited for. */
  readonly waitedMean: Float64Array;
  readonly heldLeast: Float64Array;
  readonly heldMost: Float64Array;
  readonly waitedLeast: Float64Array;
  readonly waitedMost: Float64Array;
}

const FIELDS = [
  "heldMean",
  "waitingMean",
  "waitedMean",
  "heldLeast",
  "heldMost",
  "waitedLeast",
  "waitedMost",
] as const;

function allocateColumns(columns: number, tiers: number): StepColumns {
  return {
    columns,
    heldMean: new Float64Array(columns * tiers),
    waitingMean: new Float64Array(columns * tiers),
    waitedMean: new Float64Array(columns * tiers),
    heldLeast: new Float64Array(columns),
    heldMost: new Float64Array(columns),
    waitedLeast: new Float64Array(columns),
    waitedMost: new Float64Array(columns),
  };
}

/**
 * The columns of a whole run. A run that goes on, and the future after an edit, share their first chunks with the one before: only columns that lie behind those
 * are filled again.
 */
export class GrowingColumns {
  columns: StepColumns = allocateColumns(0, 0);
  /** Columns filled by the last `show`. */
  filled = 0;
  #series: StepSeries = { tiers: 0, chunks: [] };
  #fromMs = 0;
  #toMs = 0;

  /** O(chunks + columns behind the shared ones × log rows). */
  show(series: StepSeries, fromMs: number, toMs: number, width: number): void {
    const { tiers, chunks } = series;
    const last = this.#series;
    const same =
      this.columns.columns === width &&
      last.tiers === tiers &&
      this.#fromMs === fromMs &&
      this.#toMs === toMs;
    if (!same) this.columns = allocateColumns(width, tiers);
    let shared = 0;
    while (shared < chunks.length && chunks[shared] === last.chunks[shared]) shared++;
    const stepMs = (toMs - fromMs) / width;
    const sharedMs = shared > 0 ? chunks[shared - 1]!.chunk.toMs : fromMs;
    const first = same ? Math.max(0, Math.floor((sharedMs - fromMs) / stepMs)) : 0;
    const isSeen = same && shared === chunks.length && shared === last.chunks.length;
    this.filled = isSeen ? 0 : Math.max(0, width - first);
    this.#series = series;
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    if (this.filled > 0) fillRange(series, fromMs, stepMs, first, width, this.columns);
  }
}

/** Fills columns `first` ≤ c < `end`; column c begins at `originMs + c · stepMs`. */
function fillRange(
  series: StepSeries,
  originMs: number,
  stepMs: number,
  first: number,
  end: number,
  into: StepColumns,
): void {
  const { columns } = into;
  const { tiers } = series;
  const walk = new StepWalk(series);
  const before = new Float64Array(tiers * 3);
  walk.jumpTo(Math.max(0, originMs + first * stepMs));
  for (let column = first; column < end; column++) {
    before.set(walk.heldMs, 0);
    before.set(walk.waitingMs, tiers);
    before.set(walk.waitedMs, tiers * 2);
    walk.resetRange();
    const startMs = walk.nowMs;
    const endMs = Math.max(startMs, originMs + (column + 1) * stepMs);
    if (endMs > startMs) walk.moveTo(endMs);
    const perMs = endMs > startMs ? 1 / (endMs - startMs) : 0;
    for (let tier = 0; tier < tiers; tier++) {
      const at = tier * columns + column;
      into.heldMean[at] = (walk.heldMs[tier]! - before[tier]!) * perMs;
      into.waitingMean[at] = (walk.waitingMs[tier]! - before[tiers + tier]!) * perMs;
      into.waitedMean[at] = (walk.waitedMs[tier]! - before[2 * tiers + tier]!) * perMs;
    }
    into.heldLeast[column] = walk.heldLeastParts / DEVICE_PARTS;
    into.heldMost[column] = walk.heldMostParts / DEVICE_PARTS;
    into.waitedLeast[column] = walk.waitedLeastParts / DEVICE_PARTS;
    into.waitedMost[column] = walk.waitedMostParts / DEVICE_PARTS;
  }
}

/** The window that was filled last: strips under each other show the same columns, which then are copied. */
let filledLast: ColumnWindow | null = null;

/** The columns of a plot that pans. Read `columns` after `show`; columns filled last are `freshFrom` ≤ c < `freshTo`. */
export class ColumnWindow {
  columns: StepColumns = allocateColumns(0, 0);
  freshFrom = 0;
  freshTo = 0;
  #series: StepSeries | null = null;
  #scale: PixelScale | null = null;

  /** Shows a series at a scale. O(columns that came into view × log rows). */
  show(series: StepSeries, scale: PixelScale, width: number): void {
    const { tiers } = series;
    const last = this.#scale;
    const same =
      this.#series === series &&
      last !== null &&
      last.pxPerMs === scale.pxPerMs &&
      this.columns.columns === width;
    if (this.columns.columns !== width || this.columns.heldMean.length !== width * tiers)
      this.columns = allocateColumns(width, tiers);
    this.#series = series;
    this.#scale = scale;
    const by = same ? last.originPx - scale.originPx : width;
    const kept = Math.max(0, width - Math.abs(by));
    this.freshFrom = by > 0 ? 0 : kept;
    this.freshTo = by > 0 ? width - kept : width;
    if (this.freshFrom === this.freshTo) return;
    if (kept > 0) this.#shift(by, tiers);
    else if (this.#copyLast()) return;
    filledLast = this;
    const originMs = scale.originPx / scale.pxPerMs;
    fillRange(series, originMs, 1 / scale.pxPerMs, this.freshFrom, this.freshTo, this.columns);
  }

  /** False where the window filled last shows something else. */
  #copyLast(): boolean {
    const last = filledLast;
    if (last === null || last === this || last.#series !== this.#series) return false;
    if (
      last.#scale?.pxPerMs !== this.#scale?.pxPerMs ||
      last.#scale?.originPx !== this.#scale?.originPx ||
      last.columns.columns !== this.columns.columns
    )
      return false;
    for (const name of FIELDS) this.columns[name].set(last.columns[name]);
    return true;
  }

  #shift(by: number, tiers: number): void {
    const all = this.columns;
    for (const values of [all.heldMean, all.waitingMean, all.waitedMean])
      for (let tier = 0; tier < tiers; tier++)
        shiftRow(values, tier * all.columns, all.columns, by);
    for (const values of [all.heldLeast, all.heldMost, all.waitedLeast, all.waitedMost])
      shiftRow(values, 0, all.columns, by);
  }
}

function shiftRow(values: Float64Array | Int32Array, at: number, width: number, by: number): void {
  if (by > 0) values.copyWithin(at + by, at, at + width - by);
  else values.copyWithin(at, at - by, at + width);
}
