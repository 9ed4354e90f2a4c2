/** Classes of drawn jobs: when their jobs come, how large and long they are, whose they are. What is seen is what was drawn. */
import { JOB_KINDS, JobFlag, nameOf } from "../../../src/model/jobs.ts";
import { SPEED_ONE } from "../../../src/model/units.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import type { FieldCase } from "./fieldCase.ts";
import type { Ran } from "./ran.ts";
import { doc, SEC } from "./words.ts";

type Class = NonNullable<NonNullable<ScenarioInput["workload"]>["synthetic"]>[number];
const MINUTE = 60 * SEC;
const HOUR = 60 * MINUTE;

/** About 240 jobs of ten minutes within a day, a Saturday. */
const drawn = (more: Partial<Class> = {}): ScenarioInput => ({
  ...doc({ nodeGroups: [{ id: "n", count: 4, gpus: 8, cpus: 64, memGiB: 64 }] }, [], {
    horizonMs: 24 * HOUR,
    calendarStart: "2026-01-03T00:00:00",
    teams: [{ id: "red" }, { id: "blue" }],
  }),
  workload: {
    synthetic: [
      {
        id: "c",
        arrivals: { perHour: 10 },
        gpus: [
          { value: 1, weight: 1_000_000 },
          { value: 8, weight: 0.001 },
        ],
        work: { medianMs: 10 * MINUTE, spread: 1 },
        limitFactor: [1, 1],
        ...more,
      },
    ],
  },
});
const arriving = (more: Partial<Class["arrivals"]>) =>
  drawn({ arrivals: { perHour: 10, ...more } });

const submits = ({ world }: Ran) => [...world.jobs.at.submitMs].slice(0, world.jobs.count);
const works = ({ world }: Ran) =>
  [...world.jobs.at.workQ16].slice(0, world.jobs.count).map((work) => work / SPEED_ONE);
const count = (run: Ran) => run.world.jobs.count;
/** Whether two thirds of the jobs come between 8 and 20 h. */
const byDay = (run: Ran) =>
  submits(run).filter((ms) => ms >= 8 * HOUR && ms < 20 * HOUR).length > (count(run) * 2) / 3;
/** Whether two thirds of the jobs come within a minute of the one before. */
const inClumps = (run: Ran) => {
  const times = submits(run);
  const close = times.filter((ms, i) => i > 0 && ms - times[i - 1]! <= MINUTE);
  return close.length > (times.length * 2) / 3;
};
const hasFlag = (flag: number) => (run: Ran) => (run.world.jobs.at.flags[0]! & flag) !== 0;
const at = (key: string) => `/workload/synthetic/0/${key}`;
const bursts = { pattern: "bursts", burstJobs: 20, burstMs: 5 * MINUTE } as const;

export const ARRIVAL_CASES: readonly FieldCase[] = [
  {
    at: at("arrivals/perHour"),
    base: drawn(),
    see: (run) => count(run) > 300,
    gives: false,
    to: [[20, true]],
  },
  {
    at: at("arrivals/pattern"),
    base: arriving({ burstJobs: 20, dayNight: 1 }),
    see: (run) => [byDay(run), inClumps(run)],
    gives: [false, false],
    to: [
      ["diurnal", [true, false]],
      ["bursts", [true, true]],
    ],
  },
  {
    at: at("arrivals/dayNight"),
    base: arriving({ pattern: "diurnal", dayNight: 1 }),
    see: byDay,
    gives: true,
    to: [[0, false]],
  },
  {
    at: at("arrivals/peakHour"),
    base: arriving({ pattern: "diurnal", dayNight: 1 }),
    see: byDay,
    gives: true,
    to: [[2, false]],
  },
  {
    at: at("arrivals/weekend"),
    base: arriving({ pattern: "diurnal" }),
    see: (run) => count(run) > 0,
    gives: true,
    to: [[0, false]],
  },
  {
    at: at("arrivals/burstJobs"),
    base: arriving(bursts),
    see: inClumps,
    gives: true,
    to: [[1, false]],
  },
  {
    at: at("arrivals/burstMs"),
    base: arriving(bursts),
    see: inClumps,
    gives: true,
    to: [[20 * HOUR, false]],
  },
  {
    at: at("fromMs"),
    base: drawn(),
    see: (run) => Math.min(...submits(run)) >= 12 * HOUR,
    gives: false,
    to: [[12 * HOUR, true]],
  },
  {
    at: at("untilMs"),
    base: drawn(),
    see: (run) => Math.max(...submits(run)) < 12 * HOUR,
    gives: false,
    to: [[12 * HOUR, true]],
  },
];

const SIZE_OF = ({ world }: Ran) => world.jobs.at.gpuTotal[0];
const workMinutes = (run: Ran) => [...new Set(works(run))].map((ms) => ms / MINUTE);
const varies = (run: Ran) => new Set(works(run)).size > 1;
const team = ({ world }: Ran) => world.teams[world.jobs.at.team[0]!]!.id;
const ofTeams = drawn({
  teams: [
    { value: "red", weight: 1_000_000 },
    { value: "blue", weight: 0.001 },
  ],
});

export const DRAWN_CASES: readonly FieldCase[] = [
  {
    at: at("id"),
    base: drawn(),
    see: ({ world }) => nameOf(world.jobs.ids, 0)[0],
    gives: "c",
    to: [["d", "d"]],
  },
  {
    at: at("names"),
    base: drawn(),
    see: ({ world }) => nameOf(world.jobs.names, 0).startsWith("moe"),
    gives: false,
    to: [[["moe"], true]],
  },
  {
    at: at("kind"),
    base: drawn(),
    see: ({ world }) => JOB_KINDS[world.jobs.at.kind[0]!],
    gives: "training",
    to: JOB_KINDS.filter((kind) => kind !== "training").map((kind) => [kind, kind]),
  },
  {
    at: at("tier"),
    base: drawn(),
    see: ({ world }) => world.tiers[world.jobs.at.tier[0]!]!.id,
    gives: "normal",
    to: [["low", "low"]],
  },
  { at: at("gpus/0/value"), base: drawn(), see: SIZE_OF, gives: 1, to: [[4, 4]] },
  { at: at("gpus/0/weight"), base: drawn(), see: SIZE_OF, gives: 1, to: [[1e-9, 8]] },
  {
    at: at("wholeNodesFrom"),
    base: drawn({ gpus: [{ value: 8, weight: 1 }] }),
    see: ({ world }) => world.jobs.components.ownNode[0],
    gives: 0,
    to: [[8, 1]],
  },
  { at: at("work/shape"), base: drawn(), see: varies, gives: false, to: [["exponential", true]] },
  { at: at("work/spread"), base: drawn(), see: varies, gives: false, to: [[2, true]] },
  {
    at: at("work/medianMs"),
    base: drawn(),
    see: workMinutes,
    gives: [10],
    to: [[20 * MINUTE, [20]]],
  },
  {
    at: at("work/leastMs"),
    base: drawn(),
    see: workMinutes,
    gives: [10],
    to: [[20 * MINUTE, [20]]],
  },
  { at: at("work/mostMs"), base: drawn(), see: workMinutes, gives: [10], to: [[5 * MINUTE, [5]]] },
  {
    at: at("limitFactor"),
    base: drawn(),
    see: ({ world }) => world.jobs.at.limitMs[0]! / MINUTE,
    gives: 10,
    to: [[[2, 2], 20]],
  },
  {
    at: at("cpusPerGpu"),
    base: drawn(),
    see: ({ world }) => world.jobs.components.cpuMilli[0],
    gives: 0,
    to: [[4, 4_000]],
  },
  {
    at: at("memGiBPerGpu"),
    base: drawn(),
    see: ({ world }) => world.jobs.components.memMiB[0],
    gives: 0,
    to: [[4, 4_096]],
  },
  { at: at("teams/0/value"), base: ofTeams, see: team, gives: "red", to: [["blue", "blue"]] },
  { at: at("teams/0/weight"), base: ofTeams, see: team, gives: "red", to: [[1e-9, "blue"]] },
  {
    at: at("users"),
    base: drawn(),
    see: ({ world }) => new Set(world.jobs.at.user.slice(0, world.jobs.count)).size,
    gives: 12,
    to: [[1, 1]],
  },
  {
    at: at("preemptible"),
    base: drawn(),
    see: hasFlag(JobFlag.preemptible),
    gives: true,
    to: [[false, false]],
  },
  { at: at("gang"), base: drawn(), see: hasFlag(JobFlag.gang), gives: true, to: [[false, false]] },
  {
    at: at("within"),
    base: drawn(),
    see: (run) => [hasFlag(JobFlag.sameLeaf)(run), hasFlag(JobFlag.sameNvswitch)(run)],
    gives: [false, false],
    to: [
      ["leaf", [true, false]],
      ["nvswitch", [false, true]],
    ],
  },
];
