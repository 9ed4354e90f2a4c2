/**
 * Exact order statistics by selection instead of sorting: a million values in a few dozen milliseconds. The selection is Hoare's FIND (CACM 4, 1961) with the
 * median of three as pivot: it compares numbers in place, without a call for each. O(n) on average, O(n²) for columns made against it; equal values are no such case.
 */

/** Mean, median, 95th and 99th percentile and maximum; null where there is no value. */
export interface Distribution {
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

const NONE: Distribution = { mean: null, p50: null, p95: null, p99: null, max: null };

/**
 * Percentiles by nearest rank: the smallest value such that at least that part of all values is at most it. Reorders `values`.
 * A generator that yields after each pass over the values, so that a page can spread the work over frames. O(n) on average.
 */
export function* distributionSteps(values: Float64Array): Generator<void, Distribution> {
  const count = values.length;
  if (count === 0) return NONE;
  let sum = 0;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    sum += values[i]!;
    if (values[i]! > max) max = values[i]!;
  }
  yield;
  // Each selection leaves the smaller values in front, so the next one looks at those only.
  const p99 = select(values, 0.99, count);
  yield;
  const p95 = select(values, 0.95, rankOf(0.99, count) + 1);
  yield;
  const p50 = select(values, 0.5, rankOf(0.95, count) + 1);
  yield;
  return { mean: sum / count, p50, p95, p99, max };

  function select(column: Float64Array, part: number, among: number): number {
    const rank = rankOf(part, count);
    selectRank(column, rank, among);
    return column[rank]!;
  }
}

function rankOf(part: number, count: number): number {
  return Math.max(0, Math.ceil(part * count) - 1);
}

/** Runs a generator of steps to its end at once. */
export function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Puts the value of this rank among the first `among` in its place, none larger before it, none smaller behind it. None may be NaN. */
export function selectRank(column: Float64Array, rank: number, among: number): void {
  let low = 0;
  let high = among - 1;
  while (low < high) {
    const pivot = medianOf(column[low]!, column[(low + high) >> 1]!, column[high]!);
    let left = low;
    let right = high;
    while (left <= right) {
      while (column[left]! < pivot) left++;
      while (column[right]! > pivot) right--;
      if (left > right) break;
      const held = column[left]!;
      column[left++] = column[right]!;
      column[right--] = held;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return;
  }
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
