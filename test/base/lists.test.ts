import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerBound, upperBound } from "../../src/base/bisect.ts";
import { IntList } from "../../src/base/intList.ts";

test("the bounds are the first entry not below and the first above the value", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 })),
      fc.integer({ min: -1, max: 31 }),
      (list, value) => {
        const sorted = Float64Array.from(list).sort();
        expect(lowerBound(sorted, value)).toBe(sorted.filter((entry) => entry < value).length);
        expect(upperBound(sorted, value)).toBe(sorted.filter((entry) => entry <= value).length);
      },
    ),
  );
});

test("taking a value out of a list keeps the order of the others", () => {
  const list = new IntList(1);
  for (const value of [4, 1, 3, 1, 2]) list.push(value);
  expect(list.remove(1)).toBe(true);
  expect([...list.copy()]).toEqual([4, 3, 1, 2]);
  expect(list.remove(9)).toBe(false);
  list.sort();
  expect([...list.copy()]).toEqual([1, 2, 3, 4]);
});
