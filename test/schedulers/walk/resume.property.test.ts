/** Suspended jobs: after each pass none is left that could go on, and none that lacks members. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { JobStateCode } from "../../../src/model/states.ts";
import type { WalkState } from "../../../src/schedulers/lab/walk/state.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

const drawn = fc.record({
  jobs: fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 60 }),
      members: fc.integer({ min: 1, max: 4 }),
      gpus: fc.integer({ min: 1, max: 4 }),
      sec: fc.integer({ min: 1, max: 30 }),
      tier: fc.integer({ min: 0, max: 3 }),
      cpus: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 10, maxLength: 40 },
  ),
  changes: fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 80 }),
      node: fc.integer({ min: 0, max: 3 }),
      kind: fc.constantFrom("fail", "drain", "resume"),
    }),
    { maxLength: 4 },
  ),
  order: fc.constantFrom("fcfs", "tiers", "shortest"),
  placement: fc.constantFrom("firstFit", "bestFit", "fewestNodes"),
});

let suspended = 0;
let left = 0;
const watched: Scheduler<WalkState> = {
  ...walk,
  decide(view, happened, state, act) {
    const wakeMs = walk.decide(view, happened, state, act);
    for (let jobIdx = 0; jobIdx < view.jobs.count; jobIdx++) {
      if (view.jobState[jobIdx] !== JobStateCode.suspended) continue;
      suspended++;
      if (view.lent(jobIdx) !== "inUse") left++;
    }
    return wakeMs;
  },
};

test("who was suspended goes on as soon as all its devices are free, and is queued again once it lacks members", () => {
  suspended = 0;
  const property = fc.property(drawn, ({ jobs, changes, order, placement }) => {
    const lines = [...jobs]
      .sort((one, other) => one.atSec - other.atSec)
      .map(
        ({ atSec, members, gpus, sec, tier, cpus }, i) =>
          `${atSec}s j${i} ${members}*${gpus} ${sec}s limit ${sec}s tier ${tier} cpus ${cpus}`,
      );
    lines.push(...changes.map(({ atSec, node, kind }) => `${atSec}s ! ${kind} ${node}`));
    const world = worldFromText(`4 nodes x 4 gpus, 12 cpus\n${lines.join("\n")}`, {
      pools: [labPool({ order, placement, backfill: "easy", preemption: "suspend" })],
      horizonMs: 400_000,
    });
    left = 0;
    const simulation = new Simulation(world, () => watched as Scheduler<unknown>);
    simulation.advance({
      untilMs: Number.POSITIVE_INFINITY,
      maxEvents: Number.POSITIVE_INFINITY,
    });
    expect(left).toBe(0);
  });
  fc.assert(property, { numRuns: 150, endOnFailure: true });
  expect(suspended).toBeGreaterThan(500);
});
