import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Presets } from "../../../src/engine/pool.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import type { Case } from "../../scheduling/oracle/cases.ts";
import {
  cases,
  describe as drawn,
  runLab,
  startsOf,
  worldOfCase,
} from "../../scheduling/oracle/cases.ts";
import { naiveSchedule } from "../../scheduling/oracle/naive.ts";

const RUNS = { numRuns: 150, endOnFailure: true };
/** Every pool walks, plain settings or not. */
const walking: Presets = () => walk as Scheduler<unknown>;

function expectNaive(one: Case, flat: boolean): void {
  const world = worldOfCase(one, flat);
  const starts = startsOf(world, runLab(world, walking).chunk);
  const expected = naiveSchedule(one.jobs, one.setting).map(({ start, rows }, i) => {
    const { gpus } = one.jobs[i]!;
    const devices = new Map([...rows].map(([node, members]) => [node, members * gpus]));
    return start < 0 ? "-" : drawn(start, devices);
  });
  expect(starts).toEqual(expected);
}

for (const flat of [true, false]) {
  const where = flat ? "on a flat machine" : "on nodes";
  for (const limits of ["exact", "upper", "any"] as const) {
    describe(`${where}, limits ${limits}, the walk equals a scheduler that computes everything anew`, () => {
      for (const backfill of ["none", "skip", "reservations"] as const) {
        test(`backfill ${backfill}`, () => {
          const property = fc.property(cases(backfill, flat, limits), (one) =>
            expectNaive(one, flat),
          );
          fc.assert(property, RUNS);
        });
      }
    });
  }
  test(`${where}, EASY is the walk with one reservation`, () => {
    const property = fc.property(cases("easy", flat, "upper"), (one) => {
      const anew = { ...one.setting, reservations: 1, window: Number.POSITIVE_INFINITY };
      const easy = startsOf(worldOfCase(one, flat), runLab(worldOfCase(one, flat), walking).chunk);
      const setting = { ...anew, backfill: "reservations" as const };
      const world = worldOfCase({ ...one, setting }, flat);
      expect(easy).toEqual(startsOf(world, runLab(world, walking).chunk));
      // On nodes the plain passes keep the nodes that they chose for the head at first.
      if (!flat) return;
      const plain = worldOfCase(one, flat);
      expect(easy).toEqual(startsOf(plain, runLab(plain).chunk));
    });
    fc.assert(property, RUNS);
  });
}
