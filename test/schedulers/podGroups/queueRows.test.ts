/** Rows of queues with others below them. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const all = { quota: -1, limit: -1, overQuotaWeight: 1 };
const kai = (name: string, parentQueue?: string) => ({
  apiVersion: "scheduling.run.ai/v2",
  kind: "Queue",
  metadata: { name },
  spec: {
    ...(parentQueue === undefined ? {} : { parentQueue }),
    resources: { gpu: { ...all, quota: 2 }, cpu: all, memory: all },
  },
});
const volcano = (name: string, parent?: string) => ({
  apiVersion: "scheduling.volcano.sh/v1beta1",
  kind: "Queue",
  metadata: { name },
  spec: { deserved: { "nvidia.com/gpu": 2 }, ...(parent === undefined ? {} : { parent }) },
});

test.for([
  ["kai", [kai("dep"), kai("a", "dep"), kai("b", "dep")], {}],
  [
    "volcano",
    [volcano("dep"), volcano("a", "dep"), volcano("b", "dep")],
    { queuePlugin: "capacity" },
  ],
] as const)(
  "%s: a department has the jobs and the GPUs of the queues below it",
  ([preset, objects, settings]) => {
    const yaml = objects.map((one) => JSON.stringify(one)).join("\n---\n");
    const world = documentWorld({
      version: 1,
      horizonMs: 10_000,
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 2 }] },
      queues: ["a", "b"],
      pools: [{ id: "all", policy: { preset, yaml, settings } }],
      workload: {
        jobs: [
          { id: "x", submitMs: 0, workMs: 60_000, gpus: 1, queue: "a" },
          {
            id: "y",
            submitMs: 0,
            workMs: 60_000,
            queue: "b",
            components: [{ gpuShareMilli: 100 }],
          },
          {
            id: "z",
            submitMs: 0,
            workMs: 60_000,
            queue: "b",
            components: [{ gpuShareMilli: 200 }],
          },
        ],
      },
    });
    const rows = runAll(world).simulation.queues(0, 9_000);
    const used = rows.map(({ name, admitted, quotas }) => [name, admitted, quotas[0]?.used]);
    expect(used).toContainEqual(["dep", 3, 1.3]);
    expect(used).toContainEqual(["b", 2, 0.3]);
  },
);
