/**
 * A number over time in steps: `values[i]` holds from `atMs[i]` on, and `sums[i]` is its integral up to there, so a mean costs two searches. Every 16
 * steps have their least and most noted, so a column of pixels costs the same however many steps it covers. A value that is no number is a gap and counts
 * as nothing in the integral.
 */
import { lowerBound, upperBound } from "../../base/bisect.ts";

const BLOCK = 16;

export interface Steps {
  readonly atMs: Float64Array;
  readonly values: Float64Array;
  /** Value × ms from the first step to this one. */
  readonly sums: Float64Array;
  /** Least and most of each 16 steps; gaps left out. */
  readonly blockLeast: Float64Array;
  readonly blockMost: Float64Array;
  /** Time with a value before each step; null where there is no gap. */
  readonly knownMs: Float64Array | null;
  /** Most of all, 0 where there is none. */
  readonly most: number;
}

/** What a stretch of time covers; NaN where it covers no value. */
export interface Covered {
  least: number;
  most: number;
  /** Over the time that has a value. */
  mean: number;
}

/** Steps from two columns in order of time. An instant that stands there twice keeps its last value. O(n). */
export function stepsOf(atMs: ArrayLike<number>, values: ArrayLike<number>): Steps {
  const at = new Float64Array(atMs.length);
  const value = new Float64Array(atMs.length);
  let count = 0;
  for (let i = 0; i < atMs.length; i++) {
    if (count > 0 && at[count - 1] === atMs[i]) count -= 1;
    if (count > 0 && Object.is(value[count - 1], values[i])) continue;
    at[count] = atMs[i]!;
    value[count++] = values[i]!;
  }
  return noted(at.slice(0, count), value.slice(0, count));
}

function noted(atMs: Float64Array, values: Float64Array): Steps {
  const count = atMs.length;
  const sums = new Float64Array(count);
  const blocks = Math.ceil(count / BLOCK);
  const blockLeast = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY);
  const blockMost = new Float64Array(blocks).fill(Number.NEGATIVE_INFINITY);
  const knownMs = values.some(Number.isNaN) ? new Float64Array(count) : null;
  let most = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (i > 0) sums[i] = sums[i - 1]! + (values[i - 1]! || 0) * (atMs[i]! - atMs[i - 1]!);
    if (knownMs && i > 0) {
      const ms = Number.isNaN(values[i - 1]) ? 0 : atMs[i]! - atMs[i - 1]!;
      knownMs[i] = knownMs[i - 1]! + ms;
    }
    if (Number.isNaN(value)) continue;
    const block = Math.floor(i / BLOCK);
    blockLeast[block] = Math.min(blockLeast[block]!, value);
    blockMost[block] = Math.max(blockMost[block]!, value);
    most = Math.max(most, value);
  }
  return { atMs, values, sums, blockLeast, blockMost, knownMs, most };
}

/** Index of the step that holds at a time; −1 before the first. O(log n). */
function stepIndexAt(steps: Steps, atMs: number): number {
  return upperBound(steps.atMs, atMs) - 1;
}

/** The value that holds at a time; NaN before the first. O(log n). */
export function valueAt(steps: Steps, atMs: number): number {
  return steps.values[stepIndexAt(steps, atMs)] ?? Number.NaN;
}

/** The integral from the first step to a time, value × ms. O(log n). */
export function integralUntil(steps: Steps, atMs: number): number {
  return integralFrom(steps, stepIndexAt(steps, atMs), atMs);
}

function integralFrom(steps: Steps, i: number, atMs: number): number {
  return i < 0 ? 0 : steps.sums[i]! + (steps.values[i]! || 0) * (atMs - steps.atMs[i]!);
}

/** Of `fromMs` ≤ t < `toMs`. O(log n + 32). */
export function covered(steps: Steps, fromMs: number, toMs: number): Covered {
  const into: Covered = { least: 0, most: 0, mean: 0 };
  const first = stepIndexAt(steps, fromMs);
  // A step that begins where the stretch ends is no part of it.
  const last = lowerBound(steps.atMs, toMs, Math.max(0, first)) - 1;
  fold(steps, first, Math.max(first, last), fromMs, toMs, into);
  return into;
}

/** Steps `first` to `last`; `first` may be −1, where the first lies after `fromMs`. */
function fold(
  steps: Steps,
  first: number,
  last: number,
  fromMs: number,
  toMs: number,
  into: Covered,
): void {
  into.least = Number.POSITIVE_INFINITY;
  into.most = Number.NEGATIVE_INFINITY;
  const { values, blockLeast, blockMost } = steps;
  for (let i = Math.max(0, first); i <= last; ) {
    if (i % BLOCK === 0 && i + BLOCK - 1 <= last) {
      const block = i / BLOCK;
      into.least = Math.min(into.least, blockLeast[block]!);
      into.most = Math.max(into.most, blockMost[block]!);
      i += BLOCK;
      continue;
    }
    const value = values[i++]!;
    if (Number.isNaN(value)) continue;
    into.least = Math.min(into.least, value);
    into.most = Math.max(into.most, value);
  }
  if (into.least > into.most) {
    into.least = into.most = into.mean = Number.NaN;
    return;
  }
  const knownMs = knownBetween(steps, first, last, fromMs, toMs);
  const sum = integralFrom(steps, last, toMs) - integralFrom(steps, first, fromMs);
  into.mean = knownMs > 0 ? sum / knownMs : into.most;
}

/** How much of a stretch has a value. O(1). */
function knownBetween(
  steps: Steps,
  first: number,
  last: number,
  fromMs: number,
  toMs: number,
): number {
  const { atMs, knownMs } = steps;
  if (!knownMs) return toMs - Math.max(fromMs, atMs[0] ?? toMs);
  return knownUntil(steps, knownMs, last, toMs) - knownUntil(steps, knownMs, first, fromMs);
}

function knownUntil({ atMs, values }: Steps, knownMs: Float64Array, i: number, toMs: number) {
  if (i < 0) return 0;
  return knownMs[i]! + (Number.isNaN(values[i]!) ? 0 : toMs - atMs[i]!);
}

/** Per column of a plot what it covers. */
export interface Columns {
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly mean: Float64Array;
}

export function makeColumns(count: number): Columns {
  return {
    least: new Float64Array(count),
    most: new Float64Array(count),
    mean: new Float64Array(count),
  };
}

/** Fills the columns of a window; each is (toMs − fromMs) / columns long. O(columns · (log n + 32)). */
export function fillColumns(steps: Steps, fromMs: number, toMs: number, into: Columns): void {
  const count = into.mean.length;
  const stepMs = (toMs - fromMs) / count;
  const one: Covered = { least: 0, most: 0, mean: 0 };
  let first = stepIndexAt(steps, fromMs);
  for (let column = 0; column < count; column++) {
    const beginMs = fromMs + column * stepMs;
    const endMs = fromMs + (column + 1) * stepMs;
    // A step that begins where the column ends belongs to the next one.
    const last = lowerBound(steps.atMs, endMs, Math.max(0, first)) - 1;
    fold(steps, first, Math.max(first, last), beginMs, endMs, one);
    into.least[column] = one.least;
    into.most[column] = one.most;
    into.mean[column] = one.mean;
    first = steps.atMs[last + 1] === endMs ? last + 1 : last;
  }
}
