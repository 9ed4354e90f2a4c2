/**
 * What services, windows and rented nodes cost: 100,000 jobs on 128 nodes by the walk, with each of them beside the same run without. `--jobs=N`.
 */
import { addPresets } from "../../src/cli/presets.ts";
import type { World } from "../../src/model/world.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { nodes } from "../engine/machines.ts";
import { logWorld, timedRun } from "../engine/runs.ts";

const HOUR_MS = 3_600_000;
const given = process.argv.find((word) => word.startsWith("--jobs="))?.slice(7);
const jobs = Number(given ?? 100_000);
const machine = nodes(128);

const SERVICES = Array.from({ length: 4 }, (_, i) => ({
  id: `s${i}`,
  tier: "critical",
  maxReplicas: 32,
  minReplicas: 2,
  requestMs: 500,
  concurrency: 4,
  demand: { shape: "diurnal" as const, perSec: 60, swing: 0.8 },
}));
const NIGHTLY = {
  name: "nightly",
  startMs: HOUR_MS,
  durationMs: 2 * HOUR_MS,
  everyMs: 24 * HOUR_MS,
};
const PARTS: Readonly<Record<string, object>> = {
  none: {},
  services: { services: SERVICES },
  windows: { windows: [{ ...NIGHTLY, nodeCount: 8, tiers: ["critical"] }] },
  burst: {
    cluster: {
      nodeGroups: [
        { id: "own", count: 128, gpus: 8 },
        {
          id: "cloud",
          count: 16,
          gpus: 8,
          burst: { afterWaitMs: 600_000, spotMeanMs: 24 * HOUR_MS },
        },
      ],
    },
  },
};

function worldOf(part: object): World {
  const shape = { jobs, devices: machine.devices, largest: machine.largest, load: 0.85, seed: 7 };
  const document = { horizonMs: 60 * 24 * HOUR_MS, cluster: machine.cluster, ...part };
  return logWorld(document, { backfill: "reservations" }, shape);
}

function secondsOf(world: World): number {
  const lastMs = world.jobs.at.submitMs[world.jobs.count - 1]!;
  return timedRun(world, schedulerOf, lastMs).seconds;
}

addPresets();
let plain = 0;
const only = process.argv.find((word) => word.startsWith("--only="))?.slice(7);
for (const [name, part] of Object.entries(PARTS)) {
  if (only !== undefined && name !== only) continue;
  const world = worldOf(part);
  const seconds = secondsOf(world);
  if (name === "none") plain = seconds;
  process.stdout.write(`${name}: ${seconds.toFixed(2)} s, ${(seconds / plain).toFixed(2)}x\n`);
}
