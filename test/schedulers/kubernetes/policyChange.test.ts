/** What a change of policy finds: pods in their grace period, and jobs that hold only some of their pods. */
import { expect, test } from "vitest";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const TIMELESS = { watchDelayMs: 0, cycleMicros: 0, bindsPerSecond: 0, bindMs: 0, podStartMs: 0 };
const KUBE = { preset: "kube-scheduler", settings: TIMELESS };

type Jobs = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>;

function worldOf(
  nodes: number,
  jobs: Jobs,
  atMs: number,
  policy: { preset: string; settings: Record<string, number | string> },
) {
  return documentWorld({
    version: 1,
    horizonMs: 300_000,
    cluster: { nodeGroups: [{ id: "n", count: nodes, gpus: 4 }] },
    pools: [{ id: "all", policy: KUBE }],
    workload: { jobs },
    interventions: [{ kind: "policy", atMs, policy }],
  });
}

const four = (members: number) => [{ members, gpusPerMember: 4 }];

test.each(["kube-scheduler", "kueue"])(
  "%s that takes over in a grace period evicts nobody who leaves already",
  (preset) => {
    const world = worldOf(
      1,
      [
        { id: "low", submitMs: 0, workMs: 200_000, tier: "low", components: four(1) },
        { id: "high", submitMs: 10_000, workMs: 20_000, tier: "high", components: four(1) },
      ],
      20_000,
      { preset, settings: { ...TIMELESS, graceMs: 5_000 } },
    );
    const { simulation, chunk } = runAll(world);
    expect(simulation.nowMs).toBe(300_000);
    const [first] = runsOf(world, chunk, "low");
    // The 30 s of the policy that told it to leave, not the 5 s of the one that took over.
    expect(first).toEqual([0, 40_000]);
    const [high] = runsOf(world, chunk, "high");
    expect(high![0]).toBeGreaterThanOrEqual(40_000);
    expect(high![0]).toBeLessThan(60_000);
    sameWithSnapshots(world);
  },
);

test.each([{}, { backfill: "conservative" }, { order: "leastAttained" }])(
  "a job that can never run and holds some of its pods gives them back where the lab refuses it: %j",
  (settings) => {
    const world = worldOf(
      2,
      [
        { id: "part", submitMs: 0, workMs: 50_000, components: four(3) },
        { id: "next", submitMs: 5_000, workMs: 10_000, components: four(2) },
      ],
      20_000,
      { preset: "lab", settings: settings as Record<string, string> },
    );
    const { chunk } = runAll(world);
    expect(runsOf(world, chunk, "next")).toEqual([[20_000, 30_000]]);
    sameWithSnapshots(world);
  },
);

const QUEUE = (gpus: number) => `apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: { name: any }
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: { name: all }
spec:
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors: [{ name: any, resources: [{ name: nvidia.com/gpu, nominalQuota: ${gpus} }] }]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: { name: default }
spec: { clusterQueue: all }
`;
const KUEUE = { ...TIMELESS, admissionCycleMs: 0, podsReadyTimeoutMs: 60_000 };

/** Two nodes; their labels change at 20 s, which is a change of policy to the scheduler. */
function labelledWorld(gpus: number, jobs: Jobs) {
  return documentWorld({
    version: 1,
    horizonMs: 300_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    pools: [{ id: "all", policy: { preset: "kueue", settings: KUEUE, yaml: QUEUE(gpus) } }],
    workload: { jobs },
    interventions: [{ kind: "label", atMs: 20_000, nodes: ["n-000"], labels: { rack: "a" } }],
  });
}

test("a gang that lacks pods when Kueue reads its nodes anew still has to be ready in time", () => {
  const world = labelledWorld(16, [
    { id: "part", submitMs: 0, workMs: 50_000, components: four(3) },
    { id: "next", submitMs: 5_000, workMs: 10_000, components: four(2) },
  ]);
  const { chunk } = runAll(world);
  // Its timeout counts from its admission, as if nothing had changed; without one it would hold both nodes for ever.
  const [startMs = 0] = runsOf(world, chunk, "next")[0] ?? [];
  expect(startMs).toBeGreaterThanOrEqual(60_000);
  expect(startMs).toBeLessThan(80_000);
  sameWithSnapshots(world);
});

test("a workload that was cut on admission asks for no more pods when Kueue reads its nodes anew", () => {
  const world = labelledWorld(4, [
    {
      id: "cut",
      submitMs: 0,
      workMs: 100_000,
      components: [{ members: 8, minMembers: 2, gpusPerMember: 1 }],
      kubernetes: { minCount: 2 },
    },
  ]);
  const { chunk } = runAll(world);
  const mine = jobNamed(world, "cut");
  expect(
    [...chunk.runs.jobIdx].flatMap((job, i) => (job === mine ? [chunk.runs.devices[i]] : [])),
  ).toEqual([4]);
  sameWithSnapshots(world);
});
