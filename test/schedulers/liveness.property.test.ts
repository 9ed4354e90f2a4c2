/**
 * Nothing waits for ever beside room that could be its own. Gangs that all start together, on nodes that are there or can be rented, with every mode of preemption and through changes of
 * policy: each job of such a world ends, none breaks an invariant, and where nothing is left to do nothing happens. Gangs whose members come one by one are left out: two of them may
 * wait for each other, and do so for ever by their rule (`docs/policies/fcfs.md`); of these one at most is drawn. Without "only if useful" a job may stop the same victim in vain again and again
 * (`docs/policies/preemption.md`): it is on.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { documentWorld } from "../support/documentWorld.ts";

const seconds = (most: number) => fc.integer({ min: 1, max: most }).map((s) => s * 1_000);
const of = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const settings = fc.record({
  order: of("tiers", "fcfs", "shortest"),
  backfill: of("none", "skip", "easy", "conservative"),
  preemption: of("none", "cancel", "requeue", "suspend", "graceful", "wait"),
  graceMs: of(0, 2_000, 9_000),
  runTimes: of("limit", "exact", "none"),
  placement: of("firstFit", "bestFit", "gpuClustering", "fewestNodes"),
  testDepth: of(0, 1, 3),
  passEveryMs: of(0, 0, 7_000),
});

const burst = fc.record({
  startupMs: of(0, 5_000, 20_000),
  idleTimeoutMs: of(0, 1_000, 30_000),
  afterWaitMs: of(0, 1_000, 10_000),
});

const job = fc.record({
  submitMs: seconds(60),
  workMs: seconds(90),
  members: fc.integer({ min: 1, max: 5 }),
  gpusPerMember: fc.integer({ min: 0, max: 4 }),
  tier: of("critical", "normal", "low"),
  limited: fc.boolean(),
});

const world = fc
  .record({
    first: settings,
    change: fc.option(fc.record({ atMs: seconds(150), settings })),
    jobs: fc.array(job, { minLength: 2, maxLength: 7 }),
    own: fc.integer({ min: 1, max: 3 }),
    rented: fc.array(burst, { maxLength: 2 }),
    looseJob: fc.option(fc.nat(1)),
  })
  .map(({ first, change, jobs, own, rented, looseJob }) => ({
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "n", count: own, gpus: 4 },
        ...rented.map((rule, at) => ({ id: `r${at}`, count: 1, gpus: 4, burst: rule })),
      ],
    },
    pools: [{ id: "all", policy: { preset: "lab", settings: first } }],
    workload: {
      jobs: jobs.map(({ members, gpusPerMember, limited, ...rest }, at) => ({
        id: `j${at}`,
        ...rest,
        components: [{ members, gpusPerMember }],
        gang: at !== looseJob,
        ...(limited ? { limitMs: rest.workMs + 1_000 } : {}),
      })),
    },
    interventions:
      change === null
        ? []
        : [
            {
              kind: "policy",
              pool: "all",
              atMs: change.atMs,
              policy: { preset: "lab", settings: change.settings },
            },
          ],
  }));

/** Many times what the most eventful of these worlds needs. */
const EVENTS_MOST = 5_000;

test("every job that can run ends, and then nothing happens any more", () => {
  fc.assert(
    fc.property(world, (document) => {
      const drawn = documentWorld(document);
      const simulation = new Simulation(drawn, schedulerOf, { checks: true, snapshots: false });
      simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: EVENTS_MOST });
      expect(simulation.done).toBe(true);
      expect([...simulation.openSet().waits.jobIdx]).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 120_000);
