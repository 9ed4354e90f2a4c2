import fc from "fast-check";
import { expect, test } from "vitest";
import { distributionSteps, drain } from "../../src/metrics/quantiles.ts";

const columns = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.constantFrom(0, Number.POSITIVE_INFINITY, 1), { minLength: 1, maxLength: 50 }),
);

test("percentiles are those of the sorted values, by nearest rank", () => {
  fc.assert(
    fc.property(columns, (values) => {
      const sorted = Float64Array.from(values).sort();
      const at = (share: number) => sorted[Math.max(0, Math.ceil(share * values.length) - 1)];
      const told = drain(distributionSteps(Float64Array.from(values)));
      expect(told).toMatchObject({ p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) });
    }),
    { endOnFailure: true },
  );
});

/** Jobs that start at once are most of a log; the others wait for hours. */
function waits(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => (i % 3 === 0 ? (i * 7_919) % 86_400 : 0));
}

test.each([
  ["waits of half a million jobs, most of them none", waits(448_000)],
  ["values in order", Float64Array.from({ length: 448_000 }, (_, i) => i)],
  ["equal values", new Float64Array(448_000)],
])("%s come in steps of a pass each, and few passes", (_, values) => {
  let steps = 0;
  for (const _step of distributionSteps(values)) steps++;
  expect(steps).toBeGreaterThan(4);
  expect(steps).toBeLessThan(60);
});
