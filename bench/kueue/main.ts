/**
 * What Kueue above kube-scheduler costs: 100,000 jobs on 1,024 × 8 GPUs, four queues of one cohort, four tiers; as processor time beside kube-scheduler alone on the same jobs.
 * `--jobs=N`, `--only=TEXT`.
 */
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
const API = "kueue.x-k8s.io/v1beta2";

function queuesYaml(spec: object, flavor: object = {}): string {
  const objects: object[] = [
    { apiVersion: API, kind: "ResourceFlavor", metadata: { name: "gpu" }, spec: flavor },
    {
      apiVersion: API,
      kind: "Topology",
      metadata: { name: "tree" },
      spec: {
        levels: [
          { nodeLabel: "cloud.provider.com/topology-rack" },
          { nodeLabel: "kubernetes.io/hostname" },
        ],
      },
    },
  ];
  for (let idx = 0; idx < QUEUES; idx++) {
    const name = `q${idx}`;
    objects.push(
      {
        apiVersion: API,
        kind: "ClusterQueue",
        metadata: { name },
        spec: {
          cohortName: "all",
          resourceGroups: [
            {
              coveredResources: ["nvidia.com/gpu"],
              flavors: [
                {
                  name: "gpu",
                  resources: [{ name: "nvidia.com/gpu", nominalQuota: machine.devices / QUEUES }],
                },
              ],
            },
          ],
          ...spec,
        },
      },
      { apiVersion: API, kind: "LocalQueue", metadata: { name }, spec: { clusterQueue: name } },
    );
  }
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}

function worldOf({ preset, load, given = {}, yaml = "", largest = 64 }: Row): World {
  const shape = { jobs, devices: machine.devices, largest, load, seed: 7, users: 64 };
  const world = logWorld({ cluster: machine.cluster }, { backfill: "easy" }, shape);
  const { at } = world.jobs;
  for (let job = 0; job < world.jobs.count; job++) {
    const draw = Math.imul(job, 0x9e3779b1) >>> 16;
    at.queue[job] = draw % QUEUES;
    at.tier[job] = draw % 10 === 0 ? 0 : draw % 10 < 3 ? 2 : 3;
  }
  const queues = Array.from({ length: QUEUES }, (_, idx) => `q${idx}`);
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

interface Row {
  readonly name: string;
  readonly preset: string;
  readonly load: number;
  readonly given?: Given;
  readonly yaml?: string;
  readonly largest?: number;
}

const cohort = queuesYaml({});
const preempting = queuesYaml({
  preemption: { reclaimWithinCohort: "Any", withinClusterQueue: "LowerPriority" },
});
const rows: readonly Row[] = [
  { name: "kube-scheduler alone, load 0.9", preset: "kube-scheduler", load: 0.9 },
  { name: "kueue, one queue, load 0.9", preset: "kueue", load: 0.9 },
  { name: "kueue, cohort, load 0.9", preset: "kueue", load: 0.9, yaml: cohort },
  { name: "kueue, cohort, load 1.5", preset: "kueue", load: 1.5, yaml: cohort },
  {
    name: "kueue, strict, load 1.5",
    preset: "kueue",
    load: 1.5,
    yaml: queuesYaml({ queueingStrategy: "StrictFIFO" }),
  },
  { name: "kueue, preemption, load 0.9", preset: "kueue", load: 0.9, yaml: preempting },
  { name: "kueue, preemption, load 1.5", preset: "kueue", load: 1.5, yaml: preempting },
  {
    name: "kueue, borrowing by preemption, load 1.5",
    preset: "kueue",
    load: 1.5,
    yaml: queuesYaml({
      preemption: {
        reclaimWithinCohort: "Any",
        withinClusterQueue: "LowerPriority",
        borrowWithinCohort: { policy: "LowerPriority", maxPriorityThreshold: 2 },
      },
    }),
  },
  {
    name: "kueue, fair sharing, load 1.5",
    preset: "kueue",
    load: 1.5,
    given: { fairSharing: true },
    yaml: preempting,
  },
  {
    name: "kueue, topology, load 0.9",
    preset: "kueue",
    load: 0.9,
    yaml: queuesYaml({}, { topologyName: "tree" }),
  },
  {
    name: "kueue, quota only, load 0.9",
    preset: "kueue",
    load: 0.9,
    given: { placement: "quotaOnly" },
    yaml: cohort,
  },
];

for (const row of rows) {
  if (!row.name.includes(only)) continue;
  const { seconds, events, digest } = timedRun(worldOf(row), schedulerOf);
  process.stdout.write(
    `${row.name.padEnd(40)} ${seconds.toFixed(1).padStart(6)} s  ${events} events  ${digest.slice(0, 8)}\n`,
  );
}
