/** What the benches of the lab share: options of the command line, a world from a made-up log, and a run to its end on the processor's clock. */
import type { Presets } from "../../src/engine/pool.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { JobTable } from "../../src/model/jobs.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { expand } from "../../src/workload/expand.ts";
import { makeWorkload, type WorkloadShape } from "./workload.ts";

/** Settings of a policy. */
export type Given = Readonly<Record<string, SettingValue>>;

/** The value of `--name=…`. */
export const option = (name: string, standard: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard;

/** One pool of the lab under these settings, with the jobs of a made-up log. `document`: fields that stand over its own. Throws on a fault in it. */
export function logWorld(document: object, settings: Given, shape: WorkloadShape): World {
  const scenario = readScenario({
    version: 1,
    pools: [{ id: "all", policy: { settings } }],
    workload: { trace: { name: "bench", format: "swf", sha256: "0".repeat(64), bytes: 0 } },
    ...document,
  });
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error[0]));
  const world = expand(scenario.value, makeWorkload(shape));
  if (!world.ok) throw new Error(world.error[0]?.message);
  const { jobs } = world.value;
  return { ...world.value, jobs: { ...jobs, at: ownColumns(jobs.at) } };
}

/** Equal columns of a table are one: benches write over some of them. */
function ownColumns(at: JobTable["at"]): JobTable["at"] {
  const own = Object.entries(at).map(([name, column]) => [name, column.slice()]);
  return Object.fromEntries(own) as JobTable["at"];
}

/** Runs a world until nothing is left to happen, or to `untilMs`: seconds of the processor, and events. Chunks are seen and dropped. */
export function timedRun(
  world: World,
  presets: Presets,
  untilMs = Number.POSITIVE_INFINITY,
  seen: (chunk: Chunk) => void = () => undefined,
): { seconds: number; events: number; digest: string } {
  const from = process.cpuUsage();
  const simulation = new Simulation(world, presets, { snapshots: false });
  for (let before = -1; before < simulation.events; seen(simulation.takeChunk())) {
    before = simulation.events;
    simulation.advance({ untilMs, maxEvents: 50_000 });
  }
  const spent = process.cpuUsage(from);
  return {
    seconds: (spent.user + spent.system) / 1e6,
    events: simulation.events,
    digest: simulation.digest(),
  };
}
