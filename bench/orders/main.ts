/**
 * What an order costs: 100,000 jobs of 300 users on nodes of eight GPUs, EASY, each order against first come, first served by the same walk, so that the
 * ratios hold on any machine. `--jobs=N`; `--order=NAME` for one; `--load=0.9`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import type { World } from "../../src/model/world.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

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
  return logWorld({ cluster: machine.cluster }, settings, shape);
}

addPresets();
let base = 0;
const results: Record<string, number> = {};
for (const [order, more] of ORDERS) {
  if (order !== "fcfs" && only !== "" && order !== only) continue;
  const { seconds, events } = timedRun(worldOf(order, more), schedulerOf);
  if (order === "fcfs") base = seconds;
  results[order] = seconds / base;
  process.stdout.write(
    `${order.padEnd(14)} ${seconds.toFixed(2).padStart(7)} s  × ${(seconds / base).toFixed(2)}  ${events} events\n`,
  );
}
process.stdout.write(`${JSON.stringify({ bench: "orders", jobs, load, ratios: results })}\n`);
