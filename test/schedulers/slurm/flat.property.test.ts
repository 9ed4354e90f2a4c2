import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { slurmWith } from "../../../src/schedulers/slurm/slurm.ts";
import { expand } from "../../../src/workload/expand.ts";

const everyPass = slurmWith({ everyPass: true }) as Scheduler<unknown>;
const END = { untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY };

const someJob = fc.record({
  submitSec: fc.integer({ min: 0, max: 4_000 }),
  procs: fc.constantFrom(1, 2, 3, 5, 8, 8, 8, 13, 20, 33),
  workSec: fc.integer({ min: 1, max: 3_000 }),
  limitMin: fc.constantFrom(5, 10, 10, 20, 45, 60),
  user: fc.constantFrom("u1", "u2", "u3"),
});
const someRun = fc.record({
  jobs: fc.array(someJob, { minLength: 5, maxLength: 40 }),
  multifactor: fc.boolean(),
  intervalSec: fc.constantFrom(1, 30, 30, 45),
  resolutionSec: fc.constantFrom(1, 60, 60, 300),
  windowMin: fc.constantFrom(30, 120, 1_440),
});
type Draft = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function simulationOf(draft: Draft, scheduler: (name: string) => Scheduler<unknown>): Simulation {
  const conf = [
    `SchedulerParameters=bf_interval=${draft.intervalSec},bf_resolution=${draft.resolutionSec},bf_window=${draft.windowMin}`,
    draft.multifactor ? "PriorityType=priority/multifactor" : "PriorityType=priority/basic",
    "PriorityWeightAge=1000",
    "PriorityMaxAge=1:00:00",
    "PriorityWeightFairshare=5000",
    "PriorityDecayHalfLife=1:00:00",
  ].join("\n");
  const read = readScenario({
    version: 1,
    cluster: { nodeGroups: [{ id: "p", count: 1, gpus: 40 }], flat: true },
    pools: [
      {
        id: "all",
        policy: { preset: "slurm", settings: { controllerStartMs: -7_000 }, slurm: { conf } },
        route: {},
      },
    ],
    workload: {
      jobs: draft.jobs.map((job, at) => ({
        id: `j${at}`,
        submitMs: job.submitSec * 1_000,
        gpus: job.procs,
        workMs: job.workSec * 1_000,
        limitMs: job.limitMin * 60_000,
        user: job.user,
      })),
    },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const world = expand(read.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  return new Simulation(world.value, scheduler);
}

function digestOf(simulation: Simulation): string {
  simulation.advance(END);
  return simulation.digest();
}

test("property: on a machine of processors, a pass that is not computed would have changed nothing", () => {
  fc.assert(
    fc.property(someRun, (draft) => {
      const skipping = digestOf(simulationOf(draft, schedulerOf));
      expect(skipping).toBe(digestOf(simulationOf(draft, () => everyPass)));
    }),
    { numRuns: 30, endOnFailure: true },
  );
});
