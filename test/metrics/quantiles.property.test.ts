import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distributionSteps, drain, selectRank } from "../../src/metrics/quantiles.ts";

const values = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 300 }),
);

describe("percentiles", () => {
  test("are those of the sorted list, by nearest rank", () => {
    fc.assert(
      fc.property(values, (list) => {
        const sorted = Float64Array.from(list).sort();
        const at = (part: number) => sorted[Math.max(0, Math.ceil(part * list.length) - 1)]! + 0;
        const found = drain(distributionSteps(Float64Array.from(list)));
        expect(found.p50! + 0).toBe(at(0.5));
        expect(found.p95! + 0).toBe(at(0.95));
        expect(found.p99! + 0).toBe(at(0.99));
      }),
      { endOnFailure: true },
    );
  });

  test("a selection leaves the rest of the column as it was, and the smaller values in front", () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(), (list, a, b) => {
        const among = (a % list.length) + 1;
        const rank = b % among;
        const column = Float64Array.from(list);
        selectRank(column, rank, among);
        expect([...column.subarray(among)]).toEqual(list.slice(among));
        expect([...column.subarray(0, among).sort()]).toEqual([
          ...Float64Array.from(list.slice(0, among)).sort(),
        ]);
        const after = column.subarray(rank, among);
        for (const value of column.subarray(0, rank)) expect(value <= after[0]!).toBe(true);
      }),
      { endOnFailure: true },
    );
  });
});
