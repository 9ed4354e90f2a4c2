/** The part of a long log that the table holds: it sorts, filters and saves rows as objects, which a million decisions are too many for. */

/** Rows of a part. */
export const PART_ROWS = 20_000;

/** First row of the part that holds `row`, kept where it was as long as the row lies in it. O(1). */
export function partStart(before: number, row: number, count: number): number {
  const last = Math.max(0, count - PART_ROWS);
  const start = Math.min(before, last);
  if (row < 0 || (row >= start && row < start + PART_ROWS)) return start;
  return Math.min(last, Math.max(0, row - PART_ROWS / 2));
}
