/**
 * What the walk costs beside the plain passes of the lab, on the same jobs under the same settings, so that the ratios hold on any machine; then
 * skip-ahead and several reservations, beside plain EASY. `--jobs=N`, `--only=TEXT`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import type { Presets } from "../../src/engine/pool.ts";
import type { Scheduler } from "../../src/engine/view.ts";
import type { World } from "../../src/model/world.ts";
import { walk } from "../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { flat, type Machine, nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

const jobs = Number(option("jobs", "100000"));
const only = option("only", "");

function worldOf(machine: Machine, load: number, settings: Given): World {
  const shape = { jobs, devices: machine.devices, largest: machine.largest, load, seed: 7 };
  return logWorld({ cluster: machine.cluster }, settings, shape);
}

const secondsOf = (world: World, presets: Presets): number => timedRun(world, presets).seconds;

addPresets();
const walking: Presets = () => walk as Scheduler<unknown>;
const results: Record<string, number> = {};
for (const machine of [flat, nodes(128)]) {
  for (const load of [0.85, 1.1]) {
    for (const backfill of ["none", "easy"]) {
      const name = `${machine.name} ${load} ${backfill}`;
      if (!name.includes(only)) continue;
      const world = worldOf(machine, load, { backfill });
      const plain = secondsOf(world, schedulerOf);
      const walked = secondsOf(world, walking);
      results[name] = walked / plain;
      let line = `${name.padEnd(20)} plain ${plain.toFixed(2)} s, walk ${walked.toFixed(2)} s × ${(walked / plain).toFixed(2)}`;
      if (backfill === "easy") {
        for (const more of [{ backfill: "skip" }, { backfill: "reservations", reservations: 10 }]) {
          const seconds = secondsOf(worldOf(machine, load, more), walking);
          line += `, ${more.backfill} ${seconds.toFixed(2)} s × ${(seconds / plain).toFixed(2)}`;
        }
      }
      process.stdout.write(`${line}\n`);
    }
  }
}
process.stdout.write(`${JSON.stringify({ bench: "walk", jobs, ratios: results })}\n`);
