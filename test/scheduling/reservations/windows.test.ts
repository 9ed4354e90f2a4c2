import { expect, test } from "vitest";
import {
  firstEndMs,
  moveOn,
  nextEdgeMs,
  touches,
} from "../../../src/scheduling/reservations/windows.ts";

const DAY_MS = 86_400_000;

test("a job that ends as the window starts, or starts as it ends, does not touch it", () => {
  const window = { startMs: 100_000, endMs: 160_000 };
  expect(touches(window, 40_000, 100_000)).toBe(false);
  expect(touches(window, 40_000, 100_001)).toBe(true);
  expect(touches(window, 160_000, 200_000)).toBe(false);
  expect(touches(window, 159_999, 200_000)).toBe(true);
});

test("a daily window moves on by whole days to the first that has not ended", () => {
  const window = { startMs: 1_000, endMs: 5_000 };
  expect(moveOn(window, ["DAILY"], 5_000 + 2 * DAY_MS)).toBe(true);
  expect(window).toEqual({ startMs: 1_000 + 3 * DAY_MS, endMs: 5_000 + 3 * DAY_MS });
  expect(moveOn(window, ["MAINT"], 4 * DAY_MS)).toBe(false);
});

test("the next edge is the first start or end to come", () => {
  const windows = [
    { startMs: 10, endMs: 50 },
    { startMs: 30, endMs: 90 },
  ];
  expect(nextEdgeMs(windows, 10)).toBe(30);
  expect(nextEdgeMs(windows, 90)).toBe(Number.POSITIVE_INFINITY);
});

test("the first end counts to the resolution of the backfill pass", () => {
  const windows = [{ startMs: 0, endMs: 190_500 }];
  expect(firstEndMs(windows, 0, 1_000)).toBe(191_000);
  expect(firstEndMs(windows, 190_501, 1_000)).toBe(Number.POSITIVE_INFINITY);
});
