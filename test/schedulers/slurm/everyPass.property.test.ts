import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { slurmWith } from "../../../src/schedulers/slurm/slurm.ts";
import { expand } from "../../../src/workload/expand.ts";
import { QOS, scenarioFor, type TinyRun } from "./tinyCluster.ts";

const everyPass = slurmWith({ everyPass: true }) as Scheduler<unknown>;

function simulationOf(run: TinyRun, scheduler: (name: string) => Scheduler<unknown>): Simulation {
  const world = expand(scenarioFor(run).scenario);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  return new Simulation(world.value, scheduler);
}

/** What the run did, start by start and end by end. */
function digestOf(simulation: Simulation): string {
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return simulation.digest();
}

/** The same, after going back to a snapshot of the middle of it. */
function digestAfterRewind(simulation: Simulation, backToMs: number): string {
  for (let untilMs = 10_000; untilMs <= 200_000; untilMs += 10_000) {
    simulation.advance({ untilMs, maxEvents: Number.POSITIVE_INFINITY });
    simulation.takeChunk();
  }
  simulation.rewind(simulation.world, backToMs);
  return digestOf(simulation);
}

const someJob = fc.record({
  submitSec: fc.integer({ min: 0, max: 90 }),
  qos: fc.constantFrom("low", "low", "normal", "high"),
  nodes: fc.integer({ min: 1, max: 3 }),
  gpusPerNode: fc.constantFrom(2, 4, 8),
  runtimeSec: fc.integer({ min: 5, max: 90 }),
  timeLimitSec: fc.constantFrom(60, 120, 300),
  user: fc.constantFrom("alice", "bob"),
  reservation: fc.constantFrom(null, null, null, "r"),
});
const someRun = fc.record({
  jobs: fc.array(someJob, { minLength: 2, maxLength: 12 }),
  graceSec: fc.constantFrom(0, 0, 15),
  exemptSec: fc.constantFrom(0, 25),
  reserveFromSec: fc.integer({ min: 5, max: 100 }),
  flags: fc.constantFrom("", "flags=MAINT", "flags=FLEX"),
});

type Draft = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function tinyRun(draft: Draft): TinyRun {
  const { jobs, graceSec, exemptSec, reserveFromSec, flags } = draft;
  return {
    conf: [
      "PriorityType=priority/multifactor",
      "PriorityWeightQOS=1000",
      "PreemptType=preempt/qos",
      "PreemptMode=REQUEUE",
      `PreemptExemptTime=00:00:${exemptSec}`,
    ],
    accounting: [...QOS, `modify qos low set gracetime=${graceSec}`],
    commands: [
      [
        1,
        `scontrol create reservation reservationname=r starttime={T+${reserveFromSec}} duration=2 nodecnt=2 users=bob ${flags}`,
      ],
    ],
    jobs: jobs.map((job, at) => ({ ...job, id: `j${at}` })),
  };
}

test("property: with victims, graces and reservations, a pass that is not computed would have changed nothing", () => {
  fc.assert(
    fc.property(someRun, (draft) => {
      const run = tinyRun(draft);
      const skipping = digestOf(simulationOf(run, schedulerOf));
      expect(skipping).toBe(digestOf(simulationOf(run, () => everyPass)));
    }),
    { numRuns: 30 },
  );
});

test("property: a run that goes back to a snapshot ends as one that never did", () => {
  fc.assert(
    fc.property(someRun, fc.integer({ min: 20, max: 190 }), (draft, backToSec) => {
      const run = tinyRun(draft);
      const straight = digestOf(simulationOf(run, schedulerOf));
      const again = digestAfterRewind(simulationOf(run, schedulerOf), backToSec * 1_000);
      expect(again).toBe(straight);
    }),
    { numRuns: 20 },
  );
});
