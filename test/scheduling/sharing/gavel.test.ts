import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxMinAllocation } from "../../../src/scheduling/sharing/gavelRule.ts";
import { maximize } from "../../../src/scheduling/sharing/simplex.ts";

describe("simplex", () => {
  test("a textbook programme: 3x + 5y with x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18", () =>
    expect(
      Array.from(
        maximize(
          [3, 5],
          [
            [1, 0],
            [0, 2],
            [3, 2],
          ],
          [4, 12, 18],
        ),
      ),
    ).toEqual([2, 6]));
  test("without a bound it says so", () => expect(() => maximize([1], [[-1]], [1])).toThrow());

  test("no point of the corners drawn at random is better", () => {
    const number = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 2, maxLength: 2 }),
        fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 6 }),
        (c, rows, b) => {
          const all = [[1, 0], [0, 1], ...rows];
          const x = maximize(c, all, b.slice(0, all.length));
          const fits = (p: number, q: number): boolean =>
            all.every(([s, t], i) => s! * p + t! * q <= b[i]! + 1e-6);
          expect(fits(x[0]!, x[1]!)).toBe(true);
          const best = c[0]! * x[0]! + c[1]! * x[1]!;
          for (let p = 0; p <= 20; p += 0.5) {
            for (let q = 0; q <= 20; q += 0.5) {
              if (fits(p, q)) expect(c[0]! * p + c[1]! * q).toBeLessThanOrEqual(best + 1e-6);
            }
          }
        },
      ),
      { endOnFailure: true, numRuns: 30 },
    );
  });
});

describe("max-min allocation over device models", () => {
  test("two jobs and one device of each of two models: each goes where it gains most", () => {
    // On the fast model job 0 runs at 4, job 1 at 1.5; on the slow one both at 1. Equal parts give 2.5 and 1.25.
    // All of the fast one for job 0 and of the slow for job 1: 4/2.5 = 1.6 and 1/1.25 = 0.8. Part p of the fast for job 1, the same
    // part of the slow for job 0: (4 − 3p)/2.5 = (1 + 0.5p)/1.25 at p = 0.5: both 1.
    const [fast, slow] = maxMinAllocation(
      [
        { count: 1, devices: 1, speeds: [4, 1] },
        { count: 1, devices: 1, speeds: [1.5, 1] },
      ],
      [1, 1],
    );
    expect(fast).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)]);
    expect(slow).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)]);
  });
  test("a job that cannot run on a model gets none of it, and the level is shared by size", () => {
    const [any, only] = maxMinAllocation(
      [
        { count: 2, devices: 1, speeds: [1, 1] },
        { count: 1, devices: 2, speeds: [0, 1] },
      ],
      [2, 2],
    );
    expect(only![0]).toBeCloseTo(0, 9);
    expect(only![1]).toBeCloseTo(1, 9);
    expect(any![0]).toBeCloseTo(1, 9);
  });

  test("jobs whose models have no device get no time and bound nobody, alone or beside others", () => {
    const absent = { count: 3, devices: 1, speeds: [0, 1] };
    expect(maxMinAllocation([absent], [4, 0])).toEqual([[0, 0]]);
    expect(maxMinAllocation([absent], [0, 0])).toEqual([[0, 0]]);
    const [none, all] = maxMinAllocation(
      [absent, { count: 2, devices: 1, speeds: [1, 1] }],
      [1, 0],
    );
    expect(none).toEqual([0, 0]);
    expect(all![0]).toBeCloseTo(0.5, 9);
  });
  test("a job that is slow on a model of which there is next to nothing has its level all the same", () => {
    const [slow] = maxMinAllocation(
      [{ count: 1, devices: 1, speeds: [2 ** -16, 0] }],
      [1, 100_000],
    );
    expect(slow![0]).toBeCloseTo(1, 9);
  });

  test("no model is promised more than it has where speeds lie so far apart that the programme runs out of digits", () => {
    const faint = 2 ** -16;
    const kinds = [
      { count: 2, devices: 4, speeds: [faint, 0] },
      { count: 3, devices: 1, speeds: [1, 0] },
      { count: 2, devices: 3, speeds: [1 / 2, faint] },
    ];
    const x = maxMinAllocation(kinds, [7, 2]);
    const usedOf = (model: number) =>
      kinds.reduce((sum, kind, at) => sum + kind.count * kind.devices * x[at]![model]!, 0);
    expect(usedOf(0)).toBeLessThanOrEqual(7 + 1e-9);
    expect(usedOf(1)).toBeLessThanOrEqual(2 + 1e-9);
    expect(Math.min(...x.flat())).toBeGreaterThanOrEqual(0);
  });

  test("no model is promised more than it has, no job more than all its time", () => {
    const kind = fc.record({
      count: fc.integer({ min: 1, max: 20 }),
      devices: fc.constantFrom(1, 2, 4, 8),
      speeds: fc
        .array(fc.constantFrom(0, 0.5, 1, 2, 4, 1 / 3, 2 ** -16), { minLength: 3, maxLength: 3 })
        .filter((speeds) => speeds.some((speed) => speed > 0)),
    });
    fc.assert(
      fc.property(
        fc.array(kind, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 32 }), { minLength: 3, maxLength: 3 }),
        (kinds, capacity) => {
          const x = maxMinAllocation(kinds, capacity);
          capacity.forEach((devices, model) => {
            const used = kinds.reduce(
              (sum, kind, at) => sum + kind.count * kind.devices * x[at]![model]!,
              0,
            );
            expect(used).toBeLessThanOrEqual(devices + 1e-9);
          });
          for (const parts of x) {
            expect(parts.every((part) => part >= 0)).toBe(true);
            expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(1 + 1e-9);
          }
        },
      ),
      { endOnFailure: true, numRuns: 60 },
    );
  });
});
