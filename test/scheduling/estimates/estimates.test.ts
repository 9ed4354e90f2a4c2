import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/model/units.ts";
import { correctedMs } from "../../../src/scheduling/estimates/correction.ts";
import {
  copyHistory,
  noHistory,
  noteRun,
  predictedMs,
} from "../../../src/scheduling/estimates/history.ts";
import { errorFactors } from "../../../src/scheduling/estimates/noise.ts";
import { jobTableOf } from "../../support/world.ts";

describe("a run that outlives its estimate", () => {
  test("is taken to run a minute longer, then six, then twenty-one", () => {
    expect(correctedMs(HOUR_MS, HOUR_MS - 1)).toBe(HOUR_MS);
    expect(correctedMs(HOUR_MS, HOUR_MS)).toBe(HOUR_MS + MINUTE_MS);
    expect(correctedMs(HOUR_MS, HOUR_MS + MINUTE_MS)).toBe(HOUR_MS + 6 * MINUTE_MS);
    expect(correctedMs(HOUR_MS, HOUR_MS + 6 * MINUTE_MS)).toBe(HOUR_MS + 21 * MINUTE_MS);
  });

  test("is always expected to end later than now, however long it has run", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 0, max: 1e11 }),
        (est, ran) => {
          const lengthMs = correctedMs(est, ran);
          expect(lengthMs).toBeGreaterThan(ran);
          // It stays the same until it is exceeded: a plan does not move every minute.
          expect(correctedMs(est, lengthMs - 1)).toBe(lengthMs);
        },
      ),
    );
  });
});

describe("the history of a user", () => {
  test("says nothing before two jobs have ended, then the mean of the last two", () => {
    const history = noHistory(2);
    expect(predictedMs(history, 0)).toBe(Number.POSITIVE_INFINITY);
    noteRun(history, 0, 10_000);
    expect(predictedMs(history, 0)).toBe(Number.POSITIVE_INFINITY);
    noteRun(history, 0, 20_000);
    expect(predictedMs(history, 0)).toBe(15_000);
    const before = copyHistory(history);
    noteRun(history, 0, 40_000);
    expect([predictedMs(history, 0), predictedMs(before, 0)]).toEqual([30_000, 15_000]);
    expect(predictedMs(history, 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("errors of estimates", () => {
  const jobs = (count: number) =>
    jobTableOf(
      Array.from({ length: count }, (_, i) => ({
        name: `J${i}`,
        submitMs: i,
        workMs: 1,
        components: [{ members: 1, gpus: 1 }],
      })),
    );

  test("belong to jobs: one more job changes nobody else's", () => {
    const few = errorFactors(jobs(50), 7, 0.7);
    const more = errorFactors(jobs(51), 7, 0.7);
    expect([...more.subarray(0, 50)]).toEqual([...few]);
    expect([...errorFactors(jobs(50), 8, 0.7)]).not.toEqual([...few]);
  });

  test("have the median 1 and the asked spread", () => {
    const sorted = errorFactors(jobs(4_001), 1, 0.7).slice().sort();
    expect(sorted[2_000]).toBeCloseTo(1, 1);
    // 84 of 100 lie below e^0.7.
    expect(sorted[Math.round(4_000 * 0.8413)]).toBeCloseTo(Math.E ** 0.7, 0);
    expect(new Set(errorFactors(jobs(10), 1, 0))).toEqual(new Set([1]));
  });
});
