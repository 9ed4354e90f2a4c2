/**
 * What an order costs: 100,000 jobs of 300 users on nodes of eight GPUs, EASY, each order against first come, first served by the same walk, so that the
 * ratios hold on any machine. `--jobs=N`; `--order=NAME` for one; `--load=0.9`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import type { World } from "../../src/model/world.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";
import { nodes } from "../engine/machines.ts";
import { makeWorkload } from "../engine/workload.ts";

type Given = Readonly<Record<string, SettingValue>>;

const option = (name: string, standard: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard;
const jobs = Number(option("jobs", "100000"));
const load = Number(option("load", "0.9"));
const only = option("order", "");

const ORDERS: readonly (readonly [string, Given])[] = [
  ["fcfs", {}],
  ["smallest", {}],
  ["aging", {}],
  ["leastSlack", {}],
  ["multifactor", { shareOf: "user" }],
  ["fairShare", { shareOf: "user" }],
  ["fairTree", {}],
  ["leastUsage", {}],
  ["drf", { shareOf: "user" }],
  ["maxMin", { shareOf: "user" }],
  ["leastAttained", { roundMs: 3_600_000 }],
  ["tiresias", { roundMs: 3_600_000 }],
  ["themis", { roundMs: 3_600_000 }],
  ["gavel", { roundMs: 3_600_000 }],
];

function worldOf(order: string, more: Given): World {
  const machine = nodes(64);
  const shape = { jobs, devices: machine.devices, largest: 64, load, seed: 7, users: 300 };
  const settings = { order, backfill: "easy", tiersFirst: true, ...more };
  const scenario = readScenario({
    version: 1,
    cluster: machine.cluster,
    pools: [{ id: "all", policy: { settings } }],
    workload: { trace: { name: "bench", format: "swf", sha256: "0".repeat(64), bytes: 0 } },
  });
  if (!scenario.ok) throw new Error(scenario.error[0]?.message);
  const world = expand(scenario.value, makeWorkload(shape));
  if (!world.ok) throw new Error(world.error[0]?.message);
  return world.value;
}

function secondsOf(world: World): { seconds: number; events: number } {
  const { user, system } = process.cpuUsage();
  const simulation = new Simulation(world, schedulerOf, { snapshots: false });
  let more = true;
  while (more) {
    more = simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 50_000 }) === "more";
    simulation.takeChunk();
  }
  const spent = process.cpuUsage({ user, system });
  return { seconds: (spent.user + spent.system) / 1e6, events: simulation.events };
}

addPresets();
let base = 0;
const results: Record<string, number> = {};
for (const [order, more] of ORDERS) {
  if (order !== "fcfs" && only !== "" && order !== only) continue;
  const { seconds, events } = secondsOf(worldOf(order, more));
  if (order === "fcfs") base = seconds;
  results[order] = seconds / base;
  process.stdout.write(
    `${order.padEnd(14)} ${seconds.toFixed(2).padStart(7)} s  × ${(seconds / base).toFixed(2)}  ${events} events\n`,
  );
}
process.stdout.write(`${JSON.stringify({ bench: "orders", jobs, load, ratios: results })}\n`);
