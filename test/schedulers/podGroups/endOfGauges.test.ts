/** Gauges of queues end with the policy that had them, and say "no value" once. */
import { expect, test } from "vitest";
import { GaugeCode } from "../../../src/model/lab/gauges.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { gaugeOf, runAll, sameWithSnapshots } from "../../support/labRuns.ts";

const KUEUE = `apiVersion: kueue.x-k8s.io/v1beta2
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
const VOLCANO = `apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: default}
`;
const unlimited = "{quota: -1, limit: -1, overQuotaWeight: 1}";
const KAI = `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: default}
spec: {resources: {gpu: ${unlimited}, cpu: ${unlimited}, memory: ${unlimited}}}
`;

const worldOf = (preset: string, yaml: string, interventions: ScenarioInput["interventions"]) =>
  documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset, yaml } }],
    workload: {
      jobs: [0, 1, 2, 3].map((at) => ({
        id: `j${at}`,
        submitMs: at * 1_000,
        workMs: 40_000,
        gpus: 1,
      })),
    },
    interventions,
  });

test.for([
  ["kueue", KUEUE],
  ["volcano", VOLCANO],
  ["kai", KAI],
] as const)("gauges of %s end when the pool goes to another scheduler", ([preset, yaml]) => {
  const world = worldOf(preset, yaml, [
    { kind: "policy", atMs: 20_000, pool: "all", policy: { preset: "kube-scheduler" } },
  ]);
  const used = gaugeOf(runAll(world).chunk, "quotaUsed");
  expect(used.length).toBeGreaterThan(2);
  expect(used.at(-1)).toEqual([20_000, Number.NaN]);
  sameWithSnapshots(world);
});

test("a change to a policy that has the same queue goes on where the gauge was", () => {
  const world = worldOf("kueue", KUEUE, [
    {
      kind: "policy",
      atMs: 20_000,
      pool: "all",
      policy: { preset: "kueue", yaml: KUEUE.replace("nominalQuota: 3", "nominalQuota: 2") },
    },
  ]);
  const { chunk } = runAll(world);
  expect(gaugeOf(chunk, "quotaNominal").at(-1)).toEqual([20_000, 2]);
  expect(gaugeOf(chunk, "quotaUsed").filter(([atMs]) => atMs === 20_000)).toEqual([]);
});

test("an unlimited quota of KAI has no number, and is not told anew in every pass", () => {
  const { gauges } = runAll(worldOf("kai", KAI, [])).chunk;
  expect([...gauges.kind]).not.toContain(GaugeCode.quotaNominal);
});
