/** Steps over time: what a column of pixels covers is exact, however many steps lie in it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { drain } from "../../../src/metrics/quantiles.ts";
import { ChangeList } from "../../../src/timeline/curves/changeList.ts";
import {
  covered,
  fillColumns,
  integralUntil,
  makeColumns,
  stepsOf,
  valueAt,
} from "../../../src/timeline/curves/steps.ts";

test("a stretch has the least, the mean over time and the most of the steps in it; one that begins at its end is outside", () => {
  const steps = stepsOf([0, 10, 20], [1, 5, 3]);
  expect(covered(steps, 5, 20)).toEqual({ least: 1, most: 5, mean: (5 + 50) / 15 });
  expect(covered(steps, 20, 40)).toEqual({ least: 3, most: 3, mean: 3 });
  expect(valueAt(steps, 10)).toBe(5);
  expect(valueAt(steps, -1)).toBeNaN();
  expect(integralUntil(steps, 25)).toBe(10 + 50 + 15);
});

test("a gap counts for nothing: the mean is that of the time with a value", () => {
  const steps = stepsOf([0, 10, 20], [4, Number.NaN, 8]);
  expect(covered(steps, 0, 40).mean).toBe((40 + 160) / 30);
  expect(covered(steps, 12, 18).mean).toBeNaN();
});

test("columns of a window say what a plain count of every step says", () => {
  const step = fc.record({
    gap: fc.integer({ min: 0, max: 4 }),
    value: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 1, max: 9 }),
      (list, count) => {
        let atMs = 0;
        const times = list.map(({ gap }) => (atMs += gap));
        const steps = stepsOf(
          times,
          list.map(({ value }) => value),
        );
        const end = atMs + 5;
        const columns = makeColumns(count);
        fillColumns(steps, times[0]!, end, columns);
        const total = columns.mean.reduce(
          (sum, mean) => sum + (mean * (end - times[0]!)) / count,
          0,
        );
        expect(total).toBeCloseTo(integralUntil(steps, end), 6);
        expect(Math.max(...columns.most)).toBe(steps.most);
      },
    ),
    { numRuns: 200, endOnFailure: true },
  );
});

test("changes noted in any order become the same steps as in order of time", () => {
  const change = fc.record({
    from: fc.nat(1_000),
    ms: fc.integer({ min: 1, max: 500 }),
    by: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (spans) => {
      const stepsFor = (list: typeof spans) => {
        const changes = new ChangeList();
        for (const { from, ms, by } of list) changes.span(from, from + ms, by);
        return drain(changes.steps(1));
      };
      const steps = stepsFor(spans);
      expect(steps).toEqual(stepsFor([...spans].reverse()));
      expect(integralUntil(steps, 2_000)).toBe(spans.reduce((sum, { ms, by }) => sum + ms * by, 0));
      expect(valueAt(steps, 1_600)).toBe(0);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});
