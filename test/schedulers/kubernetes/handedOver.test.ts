/** Pools that change hands in the middle of a run. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

test("a suspended job whose devices others have meanwhile is queued again at once, even one that is slow to end", () => {
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset: "lab", settings: { preemption: "suspend" } } }],
    workload: {
      jobs: [
        { id: "low", submitMs: 0, workMs: 60_000, gpus: 2, tier: "low", hangsOnEndMs: 1_000 },
        { id: "high", submitMs: 10_000, workMs: 60_000, gpus: 2, tier: "critical" },
      ],
    },
    interventions: [{ kind: "policy", atMs: 20_000, pool: "all", policy: { preset: "volcano" } }],
  });
  expect(runAll(world).simulation.jobsDone).toBe(2);
  sameWithSnapshots(world);
});

const kueue = (strategy: string) => {
  const objects = [
    { kind: "Topology", metadata: { name: "tree" }, spec: { levels: [{ nodeLabel: "rack" }] } },
    {
      kind: "ResourceFlavor",
      metadata: { name: "f" },
      spec: { nodeLabels: { rack: "a" }, topologyName: "tree" },
    },
    {
      kind: "ClusterQueue",
      metadata: { name: "c" },
      spec: {
        queueingStrategy: strategy,
        resourceGroups: [
          {
            coveredResources: ["nvidia.com/gpu"],
            flavors: [{ name: "f", resources: [{ name: "nvidia.com/gpu", nominalQuota: 8 }] }],
          },
        ],
      },
    },
    { kind: "LocalQueue", metadata: { name: "default" }, spec: { clusterQueue: "c" } },
  ];
  return objects
    .map((one) => JSON.stringify({ apiVersion: "kueue.x-k8s.io/v1beta2", ...one }))
    .join("\n---\n");
};

test.for([
  ["StrictFIFO", ["noDomain", "quotaOrder"]],
  ["BestEffortFIFO", ["noDomain", null]],
] as const)(
  "taken over from KAI, %s: who stands behind a head that no domain holds",
  ([strategy, told]) => {
    const world = documentWorld({
      version: 1,
      horizonMs: 60_000,
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 2, labels: { rack: "a" } }] },
      pools: [{ id: "all", policy: { preset: "kai" } }],
      workload: {
        jobs: [
          { id: "runs", submitMs: 0, workMs: 25_000, gpus: 2 },
          { id: "head", submitMs: 1_000, workMs: 5_000, components: [{ members: 5 }] },
          { id: "next", submitMs: 2_000, workMs: 90_000, components: [{ members: 3 }] },
        ],
      },
      interventions: [
        {
          kind: "policy",
          atMs: 20_000,
          pool: "all",
          policy: { preset: "kueue", yaml: kueue(strategy) },
        },
      ],
    });
    const { simulation } = runAll(world);
    const reasonOf = (name: string) =>
      kubeReasonOf(simulation.explain(jobNamed(world, name), 50_000)?.reason ?? 0);
    expect(["head", "next"].map(reasonOf)).toEqual(told);
    sameWithSnapshots(world);
  },
);

test("nobody joins a workload under Volcano that Kueue has evicted at the same moment", () => {
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 2 }] },
    pools: [
      {
        id: "all",
        policy: {
          preset: "kueue",
          settings: { podsReadyTimeoutMs: 1_000, enqueue: false, placement: "volcano" },
        },
      },
    ],
    workload: {
      jobs: [
        {
          id: "grows",
          submitMs: 16_000,
          workMs: 0,
          components: [{ members: 3, ownNode: true, minMembers: 1 }],
        },
        { id: "wide", submitMs: 4_000, workMs: 13_000, components: [{ gpusPerMember: 2 }] },
      ],
    },
  });
  // The engine refuses a member for a job that ends.
  expect(() => runAll(world)).not.toThrow();
  sameWithSnapshots(world);
});
