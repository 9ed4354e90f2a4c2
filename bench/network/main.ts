/**
 * What communication costs: 100,000 jobs that all-reduce, beside the same jobs without a network, on machines whose uplinks are
 * wide, and narrow enough that most gangs across leaves share one. `--jobs=N`, `--only=TEXT`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import { PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { Network } from "../../src/model/lab/services.ts";
import type { World } from "../../src/model/world.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { type Machine, nodes } from "../engine/machines.ts";
import { logWorld, option, timedRun } from "../engine/runs.ts";

const jobs = Number(option("jobs", "100000"));
const only = option("only", "");

const NETWORK: Network = {
  nvlinkGBps: 450,
  nvlinkMicros: 3,
  nicGBps: 50,
  nicMicros: 5,
  nicsPerNode: 8,
  rails: true,
  oversubscription: 1,
};
const TRAFFIC = {
  stepMs: 500,
  allReduceGiB: 4,
  algorithm: "ring",
  order: "ranked",
  overlap: 0.3,
} as const;

function worldOf(machine: Machine, load: number, network: Network | null, order: string): World {
  const largest = Math.floor(machine.devices / 8);
  const shape = { jobs, devices: machine.devices, largest, load, seed: 7 };
  const cluster = { ...machine.cluster, fabric: { nodesPerLeaf: 8 } };
  const world = logWorld({ cluster }, { backfill: "easy" }, shape);
  const life = {
    ...PLAIN_LIFE,
    traffic: { ...TRAFFIC, order: order === "random" ? ("random" as const) : ("ranked" as const) },
  };
  const lab = new Map(Array.from({ length: jobs }, (_, jobIdx) => [jobIdx, life] as const));
  return { ...world, jobs: { ...world.jobs, lab }, network };
}

const secondsOf = (world: World): number => timedRun(world, schedulerOf).seconds;

addPresets();
// The first run of all pays for compiling.
secondsOf(worldOf(nodes(128), 0.85, NETWORK, "ranked"));
const ratios: Record<string, number> = {};
for (const count of [128, 1_024]) {
  for (const load of [0.7, 0.85]) {
    const machine = nodes(count);
    const setting = `${count} nodes ${load}`;
    if (!setting.includes(only)) continue;
    const without = secondsOf(worldOf(machine, load, null, "ranked"));
    process.stdout.write(`${setting.padEnd(16)} without ${without.toFixed(2)} s\n`);
    for (const oversubscription of [1, 8]) {
      for (const order of ["ranked", "random"]) {
        const network = { ...NETWORK, oversubscription };
        const seconds = secondsOf(worldOf(machine, load, network, order));
        const name = `${setting} ${oversubscription}:1 ${order}`;
        ratios[name] = seconds / without;
        process.stdout.write(
          `${name.padEnd(30)} ${seconds.toFixed(2)} s × ${(seconds / without).toFixed(2)}\n`,
        );
      }
    }
  }
}
process.stdout.write(`${JSON.stringify({ bench: "network", jobs, ratios })}\n`);
