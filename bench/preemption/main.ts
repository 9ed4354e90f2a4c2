/**
 * What preemption costs beside the same run of the walk without it: a tenth of the jobs are urgent, a fifth are normal, the rest may be stopped. `--jobs=N`,
 * `--only=TEXT`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import type { World } from "../../src/model/world.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { flat, type Machine, nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

const jobs = Number(option("jobs", "100000"));
const only = option("only", "");

function worldOf(machine: Machine, load: number, settings: Given): World {
  const shape = { jobs, devices: machine.devices, largest: machine.largest, load, seed: 7 };
  const world = logWorld({ cluster: machine.cluster }, settings, shape);
  const { tier, flags } = world.jobs.at;
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    const part = Math.imul(jobIdx, 0x9e3779b1) >>> 16;
    tier[jobIdx] = part % 10 === 0 ? 0 : part % 10 < 3 ? 2 : 3;
    flags[jobIdx] = flags[jobIdx]! | JobFlag.preemptible;
  }
  return world;
}

function run(world: World): { seconds: number; evictions: number } {
  let evictions = 0;
  const { seconds } = timedRun(world, schedulerOf, Number.POSITIVE_INFINITY, ({ runs }) => {
    for (let row = 0; row < runs.run.length; row++) if (runs.run[row]! > 1) evictions++;
  });
  return { seconds, evictions };
}

const MODELS: readonly Given[] = [
  { preemption: "requeue" },
  { preemption: "requeue", victims: "youngest" },
  { preemption: "requeue", preemptUnit: "node" },
  { preemption: "suspend" },
  { preemption: "graceful", graceMs: 60_000 },
  { preemption: "requeue", minRunMs: 600_000, cooldownMs: 3_600_000 },
];

addPresets();
const results: Record<string, number> = {};
for (const machine of [flat, nodes(128)]) {
  for (const load of [0.85, 1.1]) {
    // Work is looked for a depth that the plain passes do not know: both runs walk.
    const base = {
      order: "tiers",
      backfill: "reservations",
      reservations: 1,
      placement: "fewestNodes",
    };
    const without = run(worldOf(machine, load, base)).seconds;
    for (const model of MODELS) {
      const name = `${machine.name} ${load} ${Object.values(model).join(" ")}`;
      if (!name.includes(only)) continue;
      const { seconds, evictions } = run(worldOf(machine, load, { ...base, ...model }));
      results[name] = seconds / without;
      process.stdout.write(
        `${name.padEnd(40)} ${without.toFixed(2)} s → ${seconds.toFixed(2)} s × ${(seconds / without).toFixed(2)}, ${evictions} runs more\n`,
      );
    }
  }
}
process.stdout.write(`${JSON.stringify({ bench: "preemption", jobs, ratios: results })}\n`);
