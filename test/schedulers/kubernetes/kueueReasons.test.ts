/** What Kueue says of a head that does not fit, and whose quota is free when a user keeps a job back. */
import { expect, test } from "vitest";
import { kubeReasonCode } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const YAML = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: { name: any }
${["a", "b"]
  .map(
    (name) => `---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: { name: ${name} }
spec:
  cohortName: all
  preemption: { reclaimWithinCohort: Any }
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors: [{ name: any, resources: [{ name: nvidia.com/gpu, nominalQuota: 4 }] }]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: { name: ${name} }
spec: { clusterQueue: ${name} }
`,
  )
  .join("")}`;

test("more than a queue owns but no more than it may borrow is short, not impossible", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    queues: ["a", "b"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml: YAML } }],
    workload: {
      jobs: [
        { id: "first", queue: "a", submitMs: 0, workMs: 20_000, gpus: 4 },
        { id: "wide", queue: "b", submitMs: 1_000, workMs: 5_000, gpus: 6 },
        { id: "vast", queue: "b", submitMs: 2_000, workMs: 5_000, gpus: 9 },
      ],
    },
  });
  const { decisions } = runAll(world).chunk;
  const toldOf = (name: string) => {
    const mine = jobNamed(world, name);
    return new Set(
      [...decisions.jobIdx].flatMap((job, i) => (job === mine ? [decisions.reason[i]!] : [])),
    );
  };
  const [never, short] = [kubeReasonCode("quotaNever"), kubeReasonCode("quotaShort")];
  expect(toldOf("wide").has(short)).toBe(true);
  expect(toldOf("wide").has(never)).toBe(false);
  expect(toldOf("vast").has(never)).toBe(true);
});

test("a job that a user requeues and holds gives its quota back, and asks for it anew when it is released", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 9_000_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    queues: ["a", "b"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml: YAML } }],
    workload: {
      jobs: [
        { id: "kept", queue: "a", submitMs: 0, workMs: 100_000, gpus: 8 },
        { id: "next", queue: "b", submitMs: 5_000, workMs: 100_000, gpus: 8 },
      ],
    },
    interventions: [
      { kind: "requeue", atMs: 20_000, job: "kept", hold: true },
      // Later than the 30 min in which its pods would have had to be ready.
      { kind: "release", atMs: 4_000_000, job: "kept" },
    ],
  });
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "next")[0]![0]).toBeLessThan(100_000);
  const [, again] = runsOf(world, chunk, "kept");
  expect(again![0]).toBeGreaterThanOrEqual(4_000_000);
  expect(again![0]).toBeLessThan(4_010_000);
});

test("one that comes back while its shape is parked is told why that is, though nobody of it waits any more", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    queues: ["a", "b"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml: YAML } }],
    workload: {
      jobs: [
        {
          id: "share",
          queue: "a",
          submitMs: 0,
          workMs: 5_000,
          components: [{ gpuShareMilli: 100 }],
        },
      ],
    },
    interventions: [
      { kind: "hold", atMs: 20_000, job: "share", by: "admin" },
      { kind: "release", atMs: 30_000, job: "share" },
    ],
  });
  const reasonAt = (atMs: number) => runAll(world).simulation.explain(0, atMs)?.reason;
  expect([10_000, 50_000].map(reasonAt)).toEqual([
    kubeReasonCode("noFlavor"),
    kubeReasonCode("noFlavor"),
  ]);
  sameWithSnapshots(world);
});

test("a pod that its flavor keeps off the nodes with room says so", () => {
  const yaml = YAML.replace(
    "metadata: { name: any }",
    "metadata: { name: any }\nspec: { nodeLabels: { rack: c } }",
  );
  const world = documentWorld({
    version: 1,
    horizonMs: 30_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, labels: { rack: "a" } }] },
    queues: ["a"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml } }],
    workload: { jobs: [{ id: "one", queue: "a", submitMs: 0, workMs: 5_000, gpus: 1 }] },
  });
  expect(runAll(world).simulation.explain(0, 20_000)).toMatchObject({
    reason: kubeReasonCode("unplaceable"),
    counted:
      "1 pod waits; 0 of 2 nodes have room for one: 2 outside the flavor or the domain of its quota.",
  });
});

test("who asks for more than its queue can ever have is told how much that is, and a pod larger than any node that none holds it even empty", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 30_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    queues: ["a"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml: YAML } }],
    workload: {
      jobs: [
        { id: "wide", queue: "a", submitMs: 0, workMs: 5_000, components: [{ gpusPerMember: 5 }] },
        { id: "more", queue: "a", submitMs: 0, workMs: 5_000, components: [{ members: 9 }] },
      ],
    },
  });
  const { simulation } = runAll(world);
  expect(simulation.explain(0, 20_000)?.counted).toBe(
    "1 pod waits; 0 of 2 nodes have room for one: 2 of too few GPUs, even empty.",
  );
  expect(simulation.explain(1, 20_000)).toMatchObject({
    reason: kubeReasonCode("quotaNever"),
    counted:
      "ClusterQueue a asks 9 nvidia.com/gpu of flavor any for it; 8 is the most that it can ever have (owns 4).",
  });
});

test("who names no LocalQueue is admitted by nobody: its pods wait for nodes as any do, across a change of Kueue's objects too", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 200_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    queues: ["a", "default"],
    pools: [{ id: "all", policy: { preset: "kueue", yaml: YAML } }],
    workload: {
      jobs: [
        {
          id: "mine",
          queue: "a",
          submitMs: 0,
          workMs: 60_000,
          components: [{ members: 2, gpusPerMember: 4 }],
        },
        { id: "loose", queue: "default", submitMs: 1_000, workMs: 5_000, gpus: 1 },
      ],
    },
    interventions: [
      {
        kind: "policy",
        atMs: 30_000,
        policy: { preset: "kueue", yaml: YAML.replaceAll("nominalQuota: 4", "nominalQuota: 5") },
      },
    ],
  });
  const { chunk, simulation } = runAll(world);
  const loose = jobNamed(world, "loose");
  const { jobIdx, kind } = chunk.decisions;
  const admits = (job: number) =>
    kind.filter((what, i) => jobIdx[i] === job && what === DecisionKindCode.admit).length;
  expect([admits(jobNamed(world, "mine")), admits(loose)]).toEqual([1, 0]);
  for (const ms of [20_000, 50_000]) {
    expect(simulation.explain(loose, ms)?.reason).toBe(kubeReasonCode("noNode"));
    expect(simulation.jobFacts(loose, ms)?.kueue).toMatchObject({ stage: "unmanaged" });
  }
  expect(runsOf(world, chunk, "loose")).toHaveLength(1);
  sameWithSnapshots(world);
});
