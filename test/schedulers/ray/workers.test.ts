/** Which nodes are workers of which group, and what a job of several tenants is told. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runWorld } from "../../support/draw.ts";

const SEC = 1_000;
const PROMPT = { rpcMs: 0, broadcastMs: 0, workerStartMs: 0, nodeStartMs: 0 };
type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];

const job = (id: string, more: Partial<Job>): Job => ({
  id,
  submitMs: 0,
  workMs: 9 * SEC,
  ...more,
});

function run(
  cluster: ScenarioInput["cluster"],
  yaml: string,
  jobs: readonly Job[],
  settings: Record<string, number> = PROMPT,
) {
  const document: ScenarioInput = {
    version: 1,
    horizonMs: 5 * SEC,
    cluster,
    pools: [{ id: "all", policy: { preset: "ray", settings, yaml } }],
    workload: { jobs: [...jobs] },
  };
  const world = documentWorld(JSON.parse(JSON.stringify(document)));
  return runWorld(world, schedulerOf);
}

function told({ simulation }: ReturnType<typeof run>, jobIdx: number) {
  const why = simulation.explain(jobIdx, 4 * SEC);
  return { reason: kubeReasonOf(why!.reason), counted: why!.counted };
}

const raycluster = (groups: string) =>
  `apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: t}\nspec: {workerGroupSpecs: [${groups}]}`;

test("a pending placement group says what it is, how many workers could take a bundle, and what the others lack", () => {
  const outcome = run({ nodeGroups: [{ id: "n", count: 3, gpus: 4 }] }, "", [
    job("x", { gpus: 2 }),
    job("y", { components: [{ members: 2, gpusPerMember: 4 }] }),
    job("z", { submitMs: SEC, components: [{ members: 2, gpusPerMember: 3 }] }),
  ]);
  expect(told(outcome, 2)).toEqual({
    reason: "rayGroup",
    counted:
      "A placement group of 2 bundles, PACK; 0 of 3 workers can start one now: 3 with too few GPUs free.",
  });
});

test("what no worker is large enough for is told apart from what has to wait", () => {
  const outcome = run({ nodeGroups: [{ id: "n", count: 2, gpus: 2 }] }, "", [
    job("a", { components: [{ members: 1, gpusPerMember: 3 }] }),
    job("b", { components: [{ members: 3, gpusPerMember: 1, ownNode: true }] }),
    job("c", { components: [{ members: 1, gpusPerMember: 2 }] }),
    job("d", { components: [{ members: 1, gpusPerMember: 2 }] }),
    job("e", { submitMs: SEC, components: [{ members: 1, gpusPerMember: 1 }] }),
  ]);
  expect([0, 1, 4].map((jobIdx) => told(outcome, jobIdx).reason)).toEqual([
    "rayInfeasible",
    "rayGroupNever",
    "rayBusy",
  ]);
  expect(told(outcome, 1).counted).toBe(
    "A placement group of 3 bundles, STRICT_SPREAD; each on a worker of its own, and there are 2 workers.",
  );
});

test("bundles that have to share a worker are told that none is that large", () => {
  const ray = { kind: "placementGroup" as const, strategy: "STRICT_PACK" as const };
  const outcome = run({ nodeGroups: [{ id: "n", count: 2, gpus: 2 }] }, "", [
    job("a", { components: [{ members: 3, gpusPerMember: 1 }], ray }),
  ]);
  expect(told(outcome, 0)).toEqual({
    reason: "rayGroupNever",
    counted:
      "A placement group of 3 bundles, STRICT_PACK; all of them on one worker ask for 3 GPUs, and no worker has all that they ask for, even empty.",
  });
});

test("a worker that is given a part of its node has no more than that", () => {
  const outcome = run(
    { nodeGroups: [{ id: "n", count: 1, gpus: 8, cpus: 64 }] },
    raycluster('{groupName: g, replicas: 1, rayStartParams: {num-gpus: "2"}}'),
    [
      job("a", { components: [{ members: 1, gpusPerMember: 2 }] }),
      job("b", { submitMs: SEC, components: [{ members: 1, gpusPerMember: 1 }] }),
    ],
  );
  expect(told(outcome, 1).counted).toBe(
    "1 task waits; 0 of 1 workers can start one now: 1 with too few GPUs free.",
  );
});

test("a group goes to the nodes of its selector, and nodes of no group have no worker", () => {
  const outcome = run(
    {
      nodeGroups: [
        { id: "a", count: 2, gpus: 1, labels: { zone: "a" } },
        { id: "b", count: 2, gpus: 1, labels: { zone: "b" } },
      ],
    },
    raycluster("{groupName: g, replicas: 2, template: {spec: {nodeSelector: {zone: b}}}}"),
    [0, 1, 2].map((idx) => job(`j${idx}`, { gpus: 1 })),
  );
  expect(told(outcome, 2).counted).toContain("0 of 2 workers");
});

test("without the autoscaler there are as many workers as replicas, for good", () => {
  const outcome = run(
    { nodeGroups: [{ id: "n", count: 4, gpus: 1 }] },
    raycluster("{groupName: g, replicas: 1, maxReplicas: 4}"),
    [job("a", { gpus: 1 }), job("b", { gpus: 1 })],
  );
  expect(told(outcome, 1)).toEqual({
    reason: "rayBusy",
    counted: "1 task waits; 0 of 1 workers can start one now: 1 with too few GPUs free.",
  });
});

test("a call that workers are started for says so, until they are there", () => {
  const outcome = run(
    { nodeGroups: [{ id: "n", count: 2, gpus: 1 }] },
    raycluster("{groupName: g, maxReplicas: 2}").replace(
      "spec: {",
      "spec: {enableInTreeAutoscaling: true, ",
    ),
    [job("a", { gpus: 1 })],
    { ...PROMPT, nodeStartMs: 60 * SEC },
  );
  expect(told(outcome, 0)).toEqual({
    reason: "rayWorkers",
    counted: "1 task waits; no worker is there. 1 worker is on the way.",
  });
});

test("nodes that a bundle was weighed against: those left, and what stood against the others", () => {
  const { simulation } = run({ nodeGroups: [{ id: "n", count: 4, gpus: 4 }] }, "", [
    job("x", { components: [{ members: 1, gpusPerMember: 4 }] }),
    job("y", {
      components: [{ members: 2, gpusPerMember: 3 }],
      ray: { strategy: "STRICT_SPREAD" },
    }),
    job("z", {
      submitMs: SEC,
      components: [{ members: 2, gpusPerMember: 2 }],
      ray: { strategy: "STRICT_SPREAD" },
    }),
  ]);
  const found = simulation.candidates(2, 4 * SEC)!;
  const [row] = found.rows;
  expect({ ...row, removed: row!.removed.filter((nodes) => nodes > 0) }).toMatchObject({
    nodes: 4,
    removed: [1, 2],
    left: 1,
    members: 1,
  });
  expect(found.membersNeeded).toBe(2);
});

test("retries are counted by nodes that go down; what is put back by hand has used none", () => {
  const ended = (interventions: readonly object[], ray: object) => {
    const document = {
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 1 }] },
      pools: [{ id: "all", policy: { preset: "ray", settings: PROMPT } }],
      workload: { jobs: [job("a", { gpus: 1, workMs: 4 * SEC, ray })] },
      interventions,
    };
    const world = documentWorld(JSON.parse(JSON.stringify(document)));
    // A job that is refused has a run without length.
    return runWorld(world, schedulerOf).chunks.flatMap(({ runs }) =>
      [...runs.endMs.entries()].flatMap(([run, endMs]) =>
        runs.startMs[run]! < endMs ? [endMs / SEC] : [],
      ),
    );
  };
  const down = (atSec: number, node: number) => ({
    atMs: atSec * SEC,
    kind: "fail",
    nodes: [`n-00${node}`],
    noticed: true,
  });
  expect(ended([down(1, 0), down(2, 1)], { maxRetries: 1 })).toEqual([1, 2]);
  expect(ended([down(1, 0), down(2, 1)], { maxRetries: 2 })).toEqual([1, 2, 6]);
  expect(ended([down(1, 0), down(2, 1), down(3, 2)], { maxRetries: -1 })).toEqual([1, 2, 3, 7]);
  expect(ended([down(1, 0)], { kind: "actors" })).toEqual([1]);
  const requeue = { atMs: SEC, kind: "requeue", job: "a" };
  expect(ended([requeue], { maxRetries: 0 })).toEqual([1, 5]);
});

test("workers on their way are told to whom they could serve, not to a call that none of them is large enough for", () => {
  const yaml = raycluster("{groupName: n, replicas: 0, minReplicas: 0, maxReplicas: 2}").replace(
    "spec: {",
    "spec: {enableInTreeAutoscaling: true, ",
  );
  const outcome = run(
    { nodeGroups: [{ id: "n", count: 2, gpus: 2 }] },
    yaml,
    [
      job("fits", { components: [{ members: 1, gpusPerMember: 2 }] }),
      job("large", { components: [{ members: 1, gpusPerMember: 3 }] }),
    ],
    { ...PROMPT, nodeStartMs: 10 * SEC, autoscalerPeriodMs: SEC },
  );
  expect([told(outcome, 0).reason, told(outcome, 1).reason]).toEqual([
    "rayWorkers",
    "rayInfeasible",
  ]);
});
