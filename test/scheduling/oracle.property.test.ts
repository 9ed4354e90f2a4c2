import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases, describe as drawn, runLab, startsOf, worldOfCase } from "./oracle/cases.ts";
import { naiveSchedule } from "./oracle/naive.ts";

/** The lab decides as a scheduler that computes everything anew at every instant: same start, same devices on each node. */
const bounds = ["exact", "upper", "any"] as const;
for (const backfill of ["none", "easy", "conservative"] as const) {
  describe(`${backfill} equals the naive scheduler, job by job`, () => {
    for (const flat of [true, false]) {
      for (const limits of bounds) {
        test(`${flat ? "on a flat machine" : "on nodes"}, limits ${limits}`, () => {
          fc.assert(
            fc.property(cases(backfill, flat, limits), (drawnCase) => {
              const world = worldOfCase(drawnCase, flat);
              const starts = startsOf(world, runLab(world).chunk);
              const expected = naiveSchedule(drawnCase.jobs, drawnCase.setting).map(({ start, rows }, i) =>
                start < 0
                  ? "-"
                  : drawn(
                      start,
                      new Map([...rows].map(([node, members]) => [node, members * drawnCase.jobs[i]!.gpus])),
                    ),
              );
              expect(starts).toEqual(expected);
            }),
            { numRuns: 150 },
          );
        });
      }
    }
  });
}
