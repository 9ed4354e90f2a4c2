import { expect, test } from "vitest";
import { PART_ROWS, partStart } from "../../src/panels/decisions/part.ts";

test("a log that the grid can hold is shown from its begin", () => {
  expect(partStart(0, 5_000, PART_ROWS)).toBe(0);
});

test("the part of a longer log moves only when the active row has left it, and always holds it", () => {
  const count = 3 * PART_ROWS;
  expect(partStart(0, PART_ROWS - 1, count)).toBe(0);
  const moved = partStart(0, PART_ROWS, count);
  expect(moved).toBe(PART_ROWS / 2);
  expect(partStart(moved, PART_ROWS + 3, count)).toBe(moved);
  expect(partStart(moved, count - 1, count)).toBe(2 * PART_ROWS);
  expect(partStart(2 * PART_ROWS, -1, 10)).toBe(0);
});
