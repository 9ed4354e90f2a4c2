/** Under Kubernetes the autoscaler of a service is independent of the scheduler: replicas follow demand under each preset of the family and under Ray. */
import { expect, test } from "vitest";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { gaugeOf, runAll, sameWithSnapshots } from "../../support/labRuns.ts";

/** A wave of demand: one replica serves the trough, five the crest; the crests are from 0 to 5, 15 to 25 and 35 to 40 minutes. */
const document = (policy: object, more: Partial<ScenarioInput> = {}): ScenarioInput => ({
  version: 1,
  horizonMs: 40 * 60_000,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, cpus: 32 }] },
  pools: [{ id: "all", policy: policy as { preset: string } }],
  services: [
    {
      id: "chat",
      minReplicas: 1,
      maxReplicas: 8,
      coldStartMs: 5_000,
      requestMs: 1_000,
      autoscale: { target: 0.5, everyMs: 15_000, downDelayMs: 30_000, tolerance: 0 },
      demand: { shape: "square", perSec: 0.5, highPerSec: 2.5, periodMs: 20 * 60_000 },
    },
  ],
  ...more,
});

const serving = (input: ScenarioInput): number[] =>
  gaugeOf(runAll(documentWorld(input)).chunk, "replicasServing").map(([, value]) => value);

const QUOTA = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: c}
spec: {resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu, nominalQuota: 3}]}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: default}
spec: {clusterQueue: c}
`;

const all = "{quota: -1, limit: -1, overQuotaWeight: 1}";
const QUEUE = `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: default}
spec: {resources: {gpu: {quota: 4, limit: -1, overQuotaWeight: 1}, cpu: ${all}, memory: ${all}}}
`;

test.for([
  { preset: "kube-scheduler" },
  { preset: "kueue" },
  { preset: "kueue", settings: { placement: "volcano" } },
  { preset: "volcano" },
  { preset: "kai", yaml: QUEUE },
  { preset: "ray" },
])("under $preset replicas come with the crest and go with it", (policy) => {
  const counts = serving(document(policy));
  expect(Math.max(...counts)).toBe(5);
  expect(counts.slice(counts.indexOf(5))).toContain(1);
  sameWithSnapshots(documentWorld(document(policy)));
});

test("Kueue: a replica is a workload like any other, and those beyond the quota wait for it", () => {
  const input = document({ preset: "kueue", yaml: QUOTA });
  expect(Math.max(...serving(input))).toBe(3);
  const { simulation } = runAll(documentWorld({ ...input, horizonMs: 20 * 60_000 }));
  const [queue] = simulation.queues(0, simulation.nowMs);
  expect(queue).toMatchObject({ admitted: 3, pending: 2 });
  // The crest is over: nobody who is not wanted holds quota.
  const after = runAll(documentWorld({ ...input, horizonMs: 27 * 60_000 })).simulation;
  expect(after.queues(0, after.nowMs)[0]).toMatchObject({ admitted: 1, pending: 0 });
});

test("a pool that goes from one scheduler to another at the crest keeps its replicas and its autoscaler", () => {
  const presets = ["kueue", "volcano", "kai", "ray", "kube-scheduler", "lab"];
  const input = document(
    { preset: "kueue" },
    {
      interventions: presets.map((preset, at) => ({
        kind: "policy" as const,
        atMs: (16 + at) * 60_000,
        pool: "all",
        policy: { preset },
      })),
    },
  );
  const counts = serving(input);
  expect(Math.max(...counts)).toBe(5);
  expect(counts.at(-1)).toBe(5);
  expect(counts.slice(counts.indexOf(5))).toContain(1);
  sameWithSnapshots(documentWorld(input));
});
