import { describe, expect, test } from "vitest";
import { dalyMs, youngMs } from "../../../src/model/lab/checkpointInterval.ts";
import { HOUR_MS, SECOND_MS } from "../../../src/model/units.ts";

/** Cost (s), mean time between failures (h), Young's and Daly's interval (s), computed with 30 digits. */
const ROWS = [
  [30, 1.8, 623.5382907248, 603.6986657996],
  [30, 7.9, 1306.292463425, 1286.36901596],
  [30, 24, 2276.839915321, 2256.883835844],
] as const;

describe("the interval between checkpoints", () => {
  test.each(ROWS)("%d s of cost and a failure every %d h", (costSec, mtbfHours, young, daly) => {
    const [costMs, mtbfMs] = [costSec * SECOND_MS, mtbfHours * HOUR_MS];
    expect(youngMs(costMs, mtbfMs) / SECOND_MS).toBeCloseTo(young, 6);
    expect(dalyMs(costMs, mtbfMs) / SECOND_MS).toBeCloseTo(daly, 6);
  });

  test("a checkpoint that takes twice the time between failures or more is taken once in that time", () => {
    expect(dalyMs(20_000, 10_000)).toBe(10_000);
    expect(dalyMs(19_999, 10_000)).toBeGreaterThan(0);
  });

  test("where nothing fails, none is taken", () => {
    expect(youngMs(0, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(dalyMs(30_000, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
  });
});
