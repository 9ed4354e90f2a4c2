/** Nobody who waits under Volcano is left without a reason after the sessions that could have served him. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const plain = { id: "plain", submitMs: 2_000, workMs: 5_000, components: [{ gpusPerMember: 0 }] };
const one = { id: "one", submitMs: 2_000, workMs: 5_000, gpus: 1 };

const told = (policy: object, job: object, interventions: ScenarioInput["interventions"] = []) => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset: "volcano", ...policy } }],
    workload: { jobs: [job as typeof one] },
    interventions,
  });
  return kubeReasonOf(runAll(world).simulation.explain(0, 50_000)?.reason ?? 0);
};

const GUARANTEE = `apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: other}
spec: {guarantee: {resource: {nvidia.com/gpu: 4}}}
`;

test("a queue that deserves nothing because all is guaranteed to another tells its jobs", () => {
  expect(told({ yaml: GUARANTEE, settings: { enqueue: false } }, one)).toBe("queueMost");
});

test("where all nodes are closed a job is told that its queue can have nothing", () => {
  const drain = [{ kind: "drain" as const, atMs: 1_500, nodes: ["n-000", "n-001"] }];
  expect(told({ settings: { enqueue: false } }, one, drain)).toBe("queueMost");
});

test("a pod that asks for nothing is told where backfill is switched off", () => {
  expect(told({ settings: { backfill: false } }, plain)).toBe("noAction");
  expect(told({}, plain)).toBe(null);
});

test("and one that asks for something where the list has no allocate", () => {
  const conf = 'actions: "enqueue, backfill"\ntiers:\n- plugins:\n  - name: gang\n';
  const yaml = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "volcano-scheduler-configmap" },
    data: { "volcano-scheduler.conf": conf },
  });
  expect(told({ yaml }, one)).toBe("noAction");
});
