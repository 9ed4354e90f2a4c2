/** What kube-scheduler, Volcano, KAI and Ray cost: 100,000 jobs on 1,024 × 8 GPUs, four queues, four tiers; as processor time and beside plain EASY on the same jobs. `--jobs=N`, `--only=TEXT`. */
import { addPresets } from "../../src/cli/presets.ts";
import type { World } from "../../src/model/world.ts";
import { readKubernetes } from "../../src/scenario/kubernetes/readKubernetes.ts";
import { presetOf } from "../../src/scenario/settings.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

addPresets();
const jobs = Number(option("jobs", "100000"));
const only = option("only", "");
const machine = nodes(1_024);
const QUEUES = 4;

function worldOf(preset: string, load: number, given: Given, yaml: string, largest: number): World {
  const shape = { jobs, devices: machine.devices, largest, load, seed: 7, users: 64 };
  const world = logWorld({ cluster: machine.cluster }, { backfill: "easy" }, shape);
  const { at } = world.jobs;
  for (let job = 0; job < world.jobs.count; job++) {
    const draw = Math.imul(job, 0x9e3779b1) >>> 16;
    at.queue[job] = draw % QUEUES;
    at.tier[job] = draw % 10 === 0 ? 0 : draw % 10 < 3 ? 2 : 3;
  }
  const queues = Array.from({ length: QUEUES }, (_, idx) => `q${idx}`);
  if (preset === "lab") return { ...world, queues };
  const standard = presetOf(preset)!.settings.map((spec) => [spec.key, spec.standard] as const);
  const read = readKubernetes(yaml, "");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const settings = {
    preset,
    settings: { ...Object.fromEntries(standard), ...given },
    kubernetes: read.value,
  };
  return { ...world, queues, pools: [{ id: "all", settings }] };
}

/** Two departments of two queues each. */
const KAI_TREE = ["a", "b"]
  .flatMap((top, dep) => [
    `apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: { name: ${top} }\nspec: { resources: { gpu: { quota: ${3_072 + dep * 2_048}, limit: -1, overQuotaWeight: ${1 + dep} } } }`,
    ...[0, 1].map(
      (at) =>
        `apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: { name: q${dep * 2 + at} }\nspec: { parentQueue: ${top}, resources: { gpu: { quota: ${1_024 + at * 512}, limit: -1, overQuotaWeight: ${1 + at} } } }`,
    ),
  ])
  .join("\n---\n");

const SCALING = `
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: all}
spec: {enableInTreeAutoscaling: true, workerGroupSpecs: [{groupName: gpu}]}
`;

interface Row {
  readonly name: string;
  readonly preset: string;
  readonly load: number;
  readonly given?: Given;
  readonly yaml?: string;
  readonly largest?: number;
}

const rows: readonly Row[] = [
  { name: "EASY, load 0.9", preset: "lab", load: 0.9 },
  { name: "kube-scheduler, load 0.9", preset: "kube-scheduler", load: 0.9 },
  { name: "kube-scheduler, load 1.5", preset: "kube-scheduler", load: 1.5 },
  {
    name: "kube-scheduler, no preemption, load 1.5",
    preset: "kube-scheduler",
    load: 1.5,
    given: { preemption: false },
  },
  ...[0.9, 1.5].map((load) => ({
    name: `kube-scheduler, sets of up to 512, load ${load}`,
    preset: "kube-scheduler",
    load,
    largest: 512,
  })),
  {
    name: "kube-scheduler, no preemption, sets of up to 512, load 1.5",
    preset: "kube-scheduler",
    load: 1.5,
    given: { preemption: false },
    largest: 512,
  },
  ...[0.9, 1.5].flatMap((load) =>
    [64, 512].flatMap((largest): Row[] => [
      {
        name: `volcano, gangs of up to ${largest}, load ${load}`,
        preset: "volcano",
        load,
        largest,
      },
      {
        name: `volcano, preempt and reclaim, gangs of up to ${largest}, load ${load}`,
        preset: "volcano",
        load,
        largest,
        given: { preempt: true, reclaim: true, gangSpares: false },
      },
      { name: `kai, gangs of up to ${largest}, load ${load}`, preset: "kai", load, largest },
      {
        name: `kai, quotas and a tree, gangs of up to ${largest}, load ${load}`,
        preset: "kai",
        load,
        largest,
        yaml: KAI_TREE,
      },
    ]),
  ),
  {
    name: "volcano, no enqueue, load 1.5",
    preset: "volcano",
    load: 1.5,
    given: { enqueue: false },
  },
  {
    name: "volcano, bin packing, gangs of up to 512, load 1.5",
    preset: "volcano",
    load: 1.5,
    given: { binpackWeight: 1, binpackGpu: 5 },
    largest: 512,
  },
  {
    name: "kai, no evictions, load 1.5",
    preset: "kai",
    load: 1.5,
    given: { consolidate: false, reclaim: false, preempt: false },
  },
  { name: "ray, load 0.9", preset: "ray", load: 0.9 },
  { name: "ray, load 1.5", preset: "ray", load: 1.5 },
  { name: "ray, groups of up to 512, load 1.5", preset: "ray", load: 1.5, largest: 512 },
  { name: "ray, a scaling worker group, load 0.9", preset: "ray", load: 0.9, yaml: SCALING },
  { name: "ray, a scaling worker group, load 1.5", preset: "ray", load: 1.5, yaml: SCALING },
];

for (const { name, preset, load, given = {}, yaml = "", largest = 64 } of rows) {
  if (!name.includes(only)) continue;
  const world = worldOf(preset, load, given, yaml, largest);
  const { seconds, events, digest } = timedRun(world, schedulerOf);
  process.stdout.write(
    `${name.padEnd(56)} ${seconds.toFixed(1).padStart(6)} s  ${events} events  ${digest}\n`,
  );
}
