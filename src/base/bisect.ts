/** Binary search in ascending columns. */

/** The first row in [from, to) whose value is not below `value`; `to` if there is none. O(log(to − from)). */
export function lowerBound(
  values: ArrayLike<number>,
  value: number,
  from = 0,
  to = values.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first row in [from, to) whose value is above `value`; `to` if there is none. O(log(to − from)). */
export function upperBound(
  values: ArrayLike<number>,
  value: number,
  from = 0,
  to = values.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
