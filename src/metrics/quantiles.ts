/**
 * Exact order statistics by selection instead of sorting: Hoare's FIND (Algorithm 65, Communications of the ACM 4, 1961), parting the values around the median of
 * three. Each pass over what is left is a step, so a page can spread a million values over frames; a library's selection is one call. O(n) on average, O(n²) for
 * columns made to be slow, step by step all the same. Equal values part in halves.
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
  const p99 = yield* selectSteps(values, rankOf(0.99, count), count);
  const p95 = yield* selectSteps(values, rankOf(0.95, count), rankOf(0.99, count) + 1);
  const p50 = yield* selectSteps(values, rankOf(0.5, count), rankOf(0.95, count) + 1);
  return { mean: sum / count, p50, p95, p99, max };
}

/** The value that is at `rank` once the first `among` are in order; the smaller ones stand before it afterwards. Few values are looked at without a step. */
function* selectSteps(values: Float64Array, rank: number, among: number): Generator<void, number> {
  let first = 0;
  let last = among - 1;
  let looked = 0;
  while (first < last) {
    looked += last - first;
    if (looked > VALUES_A_STEP) {
      looked = 0;
      yield;
    }
    const [left, right] = part(values, first, last);
    if (rank <= right) last = right;
    else if (rank >= left) first = left;
    else break;
  }
  return values[rank]!;
}

/** Up to so many values a step: less than a millisecond, unless one pass has more. */
const VALUES_A_STEP = 50_000;

/** Parts a stretch of at least two values: behind it none up to `right` is larger than any from `left` on, and those between are equal. */
function part(values: Float64Array, first: number, last: number): readonly [number, number] {
  const pivot = medianOfThree(values[first]!, values[(first + last) >>> 1]!, values[last]!);
  let left = first;
  let right = last;
  while (left <= right) {
    while (values[left]! < pivot) left++;
    while (values[right]! > pivot) right--;
    if (left > right) break;
    const value = values[left]!;
    values[left++] = values[right]!;
    values[right--] = value;
  }
  return [left, right];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
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
