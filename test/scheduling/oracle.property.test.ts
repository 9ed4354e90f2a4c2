import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Case } from "./oracle/cases.ts";
import { cases, describe as drawn, runLab, startsOf, worldOfCase } from "./oracle/cases.ts";
import { naiveSchedule } from "./oracle/naive.ts";

const RUNS = 150;

/** The lab decides as a scheduler that computes everything anew at every instant: same start, same devices on each node. */
function expectEqual(drawnCase: Case, flat: boolean): void {
  const world = worldOfCase(drawnCase, flat);
  const starts = startsOf(world, runLab(world).chunk);
  const expected = naiveSchedule(drawnCase.jobs, drawnCase.setting).map(({ start, rows }, i) => {
    const { gpus } = drawnCase.jobs[i]!;
    const devices = new Map([...rows].map(([node, members]) => [node, members * gpus]));
    return start < 0 ? "-" : drawn(start, devices);
  });
  expect(starts).toEqual(expected);
}

for (const backfill of ["none", "easy", "conservative"] as const) {
  describe(`${backfill} equals the naive scheduler, job by job`, () => {
    for (const flat of [true, false]) {
      const where = flat ? "on a flat machine" : "on nodes";
      for (const limits of ["exact", "upper", "any"] as const) {
        test(`${where}, limits ${limits}`, () => {
          const property = fc.property(cases(backfill, flat, limits), (one) =>
            expectEqual(one, flat),
          );
          fc.assert(property, { numRuns: RUNS });
        });
      }
      // The naive scheduler needs minutes for conservative reservations of so many jobs.
      if (backfill === "conservative") continue;
      test(`${where}, with a queue of several blocks`, () => {
        const property = fc.property(cases(backfill, flat, "upper", 150), (one) =>
          expectEqual(one, flat),
        );
        fc.assert(property, { numRuns: RUNS / 10 });
      });
    }
  });
}
