/**
 * EASY's one reservation in the walk answers as a profile would: what it leaves, counted anew once victims have gone, and what would be free beside it without some runs. Compared
 * after every pass of random runs.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { PoolView, Scheduler } from "../../../src/engine/view.ts";
import { profileOfRuns } from "../../../src/schedulers/lab/runsProfile.ts";
import { lessenWithout, sketchWithout } from "../../../src/schedulers/lab/walk/keep/withoutRuns.ts";
import type { WalkState } from "../../../src/schedulers/lab/walk/state.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { takeOver } from "../../../src/scheduling/backfill/profile.ts";
import { copyReservation, leaveAnew } from "../../../src/scheduling/backfill/shadow.ts";
import {
  createSketch,
  loadSketch,
  type Sketch,
} from "../../../src/scheduling/placement/capacity.ts";
import { nodeRulesOf } from "../../../src/scheduling/placement/nodeRules.ts";
import { shapesOf } from "../../../src/scheduling/placement/shapes.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

const drawn = fc.record({
  jobs: fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 40 }),
      members: fc.integer({ min: 1, max: 3 }),
      gpus: fc.integer({ min: 0, max: 3 }),
      workSec: fc.integer({ min: 1, max: 20 }),
      limitSec: fc.integer({ min: 1, max: 20 }),
      tier: fc.integer({ min: 0, max: 2 }),
      cpus: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 4, maxLength: 24 },
  ),
  order: fc.constantFrom("fcfs", "tiers", "smallest"),
  preemption: fc.constantFrom("none", "requeue"),
  runTimes: fc.constantFrom("limit", "history", "exact"),
  placement: fc.constantFrom("firstFit", "bestFit"),
});

let compared = 0;
let moved = 0;

function freeOf(
  view: PoolView,
  { gpusFree, cpuMilliFree, memMiBFree }: Pick<Sketch, "gpusFree" | "cpuMilliFree" | "memMiBFree">,
): number[][] {
  return [...view.nodes].map((node) => [gpusFree[node]!, cpuMilliFree[node]!, memMiBFree[node]!]);
}

function expectAsAProfile(view: PoolView, state: WalkState): void {
  const { one, kept, runs, pool } = state;
  // Only while nothing has made it void.
  if (one.jobIdx < 0 || kept.length !== 1 || state.oneKept !== kept[0]) return;
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(pool.settings));
  const shape = shapes.list[shapes.shapeOfJob[one.jobIdx]!]!;
  const profile = profileOfRuns(view, runs, false, shapes.plainOnly);
  takeOver(profile, shape, kept[0]!.placing, kept[0]!.startMs, kept[0]!.endMs, 1);

  const anew = copyReservation(one);
  leaveAnew(anew, shape, view, runs, createSketch(view));
  expect(freeOf(view, anew)).toEqual(freeOf(view, one));
  expect(anew.gpusLeftTotal).toBe(one.gpusLeftTotal);

  const running = [...state.endMsOf.keys()];
  for (const every of [1, 2, 3]) {
    const without = new Set(running.filter((_, at) => (at + compared) % every === 0));
    const desk = { view, state, shapes };
    const byProfile = createSketch(view);
    loadSketch(byProfile, view, false);
    sketchWithout(desk, profile, byProfile, one.startMs + 1, without);
    const byOne = createSketch(view);
    loadSketch(byOne, view, false);
    lessenWithout(desk, byOne, one, without);
    expect(freeOf(view, byOne)).toEqual(freeOf(view, byProfile));
    if (without.size > 0) moved++;
  }
  compared++;
}

const watched: Scheduler<WalkState> = {
  ...walk,
  decide(view, happened, state, act) {
    const wakeMs = walk.decide(view, happened, state, act);
    expectAsAProfile(view, state);
    return wakeMs;
  },
};

test("what the head leaves to others, and would leave without some runs, is what a profile of all runs says", () => {
  compared = 0;
  moved = 0;
  const property = fc.property(drawn, ({ jobs, ...given }) => {
    const lines = [...jobs]
      .sort((one, other) => one.atSec - other.atSec)
      .map(
        ({ atSec, members, gpus, workSec, limitSec, tier, cpus }, i) =>
          `${atSec}s j${i} ${members}*${gpus} ${workSec}s limit ${limitSec}s tier ${tier} cpus ${cpus}`,
      );
    const world = worldFromText(["3 nodes x 4 gpus, 12 cpus", ...lines].join("\n"), {
      pools: [labPool({ backfill: "easy", ...given })],
    });
    new Simulation(world, () => watched as Scheduler<unknown>).advance({
      untilMs: Number.POSITIVE_INFINITY,
      maxEvents: Number.POSITIVE_INFINITY,
    });
  });
  fc.assert(property, { numRuns: 120, endOnFailure: true });
  expect(compared).toBeGreaterThan(120);
  expect(moved).toBeGreaterThan(300);
});
