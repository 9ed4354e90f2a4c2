/** How many backfill passes are computed and how many only counted: a pass that cannot differ from the last is not computed. */
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { slurmWith } from "../../../src/schedulers/slurm/slurm.ts";
import { documentWorld } from "../../support/documentWorld.ts";

const everyPass = slurmWith({ everyPass: true }) as Scheduler<unknown>;
const MINUTE_MS = 60_000;

interface TinyJob {
  readonly atMin: number;
  readonly procs: number;
  readonly runMin: number;
  readonly limitMin: number;
}

/** Eight processors, a backfill pass every 30 s. */
function simulationOf(
  jobs: readonly TinyJob[],
  conf: string,
  scheduler: (name: string) => Scheduler<unknown> = schedulerOf,
): Simulation {
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "p", count: 1, gpus: 8 }], flat: true },
    pools: [
      {
        id: "all",
        policy: {
          preset: "slurm",
          settings: { controllerStartMs: -7_000 },
          slurm: { conf: `SchedulerParameters=bf_interval=30\n${conf}` },
        },
        route: {},
      },
    ],
    workload: {
      jobs: jobs.map(({ atMin, procs, runMin, limitMin }, at) => ({
        id: `j${at}`,
        submitMs: atMin * MINUTE_MS,
        gpus: procs,
        workMs: runMin * MINUTE_MS,
        limitMs: limitMin * MINUTE_MS,
      })),
    },
  });
  return new Simulation(world, scheduler);
}

/** Passes computed and skipped up to a minute. */
function passesAt(simulation: Simulation, minute: number): [number, number] {
  const atMs = minute * MINUTE_MS;
  simulation.advance({ untilMs: atMs, maxEvents: Number.POSITIVE_INFINITY });
  const tables = simulation.tables(0, atMs);
  if (tables === null) throw new Error("Slurm shows tables");
  return [tables.passesComputed, tables.passesSkipped];
}

const BASIC = "PriorityType=priority/basic";
const FAIR_SHARE = [
  "PriorityType=priority/multifactor",
  "PriorityWeightFairshare=1000",
  "PriorityWeightAge=1000",
].join("\n");

const PRIORITIES = [
  ["priority/basic", BASIC],
  ["priority/multifactor", FAIR_SHARE],
] as const;

/** The machine is taken for two hours, and two jobs wait. */
const WAITING: readonly TinyJob[] = [
  { atMin: 0, procs: 8, runMin: 120, limitMin: 180 },
  { atMin: 1, procs: 8, runMin: 10, limitMin: 10 },
  { atMin: 2, procs: 4, runMin: 10, limitMin: 20 },
];

/** One job ends early, small ones fill the hole before the large one, two come while it waits. */
const MOVING: readonly TinyJob[] = [
  { atMin: 0, procs: 4, runMin: 30, limitMin: 60 },
  { atMin: 0, procs: 2, runMin: 50, limitMin: 60 },
  { atMin: 1, procs: 8, runMin: 20, limitMin: 30 },
  { atMin: 5, procs: 2, runMin: 10, limitMin: 15 },
  { atMin: 7, procs: 4, runMin: 15, limitMin: 20 },
  { atMin: 40, procs: 1, runMin: 5, limitMin: 10 },
];

test.each(PRIORITIES)("while the same jobs run and wait no pass is computed: %s", (_, conf) => {
  const simulation = simulationOf(WAITING, conf);
  expect(passesAt(simulation, 5)[0]).toBe(2);
  expect(passesAt(simulation, 119)[0]).toBe(2);
  // The job ends, the next starts, and one waits on: a pass again. Those between are counted with it.
  expect(passesAt(simulation, 120)).toEqual([3, 236]);
});

test("with nobody waiting there is no pass at all", () => {
  const simulation = simulationOf(MOVING.slice(0, 2), FAIR_SHARE);
  expect(passesAt(simulation, 200)).toEqual([0, 0]);
});

test.each([BASIC, FAIR_SHARE])(
  "what is skipped and what is computed are all passes: %s",
  (conf) => {
    expect(passesAt(simulationOf(MOVING, conf), 200)).toEqual([10, 88]);
    expect(
      passesAt(
        simulationOf(MOVING, conf, () => everyPass),
        200,
      ),
    ).toEqual([98, 0]);
  },
);

test("submissions and ends are what passes are computed for", () => {
  const simulation = simulationOf(MOVING, BASIC);
  const computed = [4, 10, 35, 45, 60].map((minute) => passesAt(simulation, minute)[0]);
  expect(computed).toEqual([1, 4, 7, 10, 10]);
});
