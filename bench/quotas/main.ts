/**
 * What quotas, ceilings and the auction cost: the walk with one of them beside the walk without, on the same jobs of twenty teams, so that the
 * ratios hold on any machine. The ceilings are such that no queue grows behind them alone: jobs that a gate holds are looked at in every pass. `--jobs=N`,
 * `--only=TEXT`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import type { Presets } from "../../src/engine/pool.ts";
import type { Scheduler } from "../../src/engine/view.ts";
import type { TeamInfo, World } from "../../src/model/world.ts";
import { walk } from "../../src/schedulers/lab/walk/walk.ts";
import { type Machine, nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

const jobs = Number(option("jobs", "100000"));
const only = option("only", "");
const TEAMS = 20;
const HOUR_MS = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Teams take turns; each is entitled to its part of the machine, and may need at most that for one job. */
function worldOf(machine: Machine, load: number, settings: Given, more: Partial<World>): World {
  const largest = Math.floor(machine.devices / TEAMS);
  const shape = { jobs, devices: machine.devices, largest, load, seed: 7 };
  const world = logWorld({ cluster: machine.cluster }, settings, shape);
  const teams = Array.from(
    { length: TEAMS },
    (_, team): TeamInfo => ({
      id: `t${team}`,
      name: `t${team}`,
      shares: 1,
      quotaGpus: largest,
      budget: 1_000_000,
    }),
  );
  const { at } = world.jobs;
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    // Some teams come with twice the load of others.
    at.team[jobIdx] = Math.floor((((jobIdx * 7_919) % 1_000) / 1_000) ** 1.5 * TEAMS);
  }
  return { ...world, teams, ...more };
}

const walking: Presets = () => walk as Scheduler<unknown>;

const secondsOf = (world: World): number => timedRun(world, walking).seconds;

addPresets();
const limit = {
  per: "team",
  index: -1,
  gpus: NEVER,
  gpuMs: NEVER,
  periodMs: NEVER,
  jobs: NEVER,
} as const;
const cases: readonly (readonly [string, Given, Partial<World>])[] = [
  ["static", { quota: "static" }, {}],
  ["borrow", { quota: "borrow" }, {}],
  ["reclaim", { quota: "reclaim" }, {}],
  ["fairShare", { quota: "reclaim", reclaimTo: "fairShare" }, {}],
  ["auction", { quota: "auction" }, {}],
  [
    "limits",
    {},
    {
      limits: [
        { ...limit, gpus: 320 },
        { ...limit, per: "user", jobs: 400 },
      ],
    },
  ],
  ["window", {}, { limits: [{ ...limit, gpuMs: 24 * 64 * HOUR_MS, periodMs: 24 * HOUR_MS }] }],
];
const ratios: Record<string, number> = {};
for (const load of [0.85, 1.1]) {
  for (const backfill of ["easy", "skip"]) {
    const machine = nodes(128);
    const setting = `${load} ${backfill}`;
    if (!setting.includes(only)) continue;
    const without = secondsOf(worldOf(machine, load, { backfill }, {}));
    process.stdout.write(`${setting.padEnd(16)} without ${without.toFixed(2)} s\n`);
    for (const [name, settings, more] of cases) {
      const seconds = secondsOf(worldOf(machine, load, { backfill, ...settings }, more));
      ratios[`${setting} ${name}`] = seconds / without;
      const times = (seconds / without).toFixed(2);
      process.stdout.write(`${setting} ${name.padEnd(10)} ${seconds.toFixed(2)} s × ${times}\n`);
    }
  }
}
process.stdout.write(`${JSON.stringify({ bench: "quotas", jobs, ratios })}\n`);
