/** Pods without GPUs are told what stands against them, not that GPUs are short. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const told = (preset: string, job: object, interventions: ScenarioInput["interventions"] = []) => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: {
      nodeGroups: [
        { id: "n", count: 3, gpus: 2, cpus: 4 },
        { id: "m", count: 1, gpus: 2, cpus: 4, labels: { rack: "b" } },
      ],
    },
    pools: [{ id: "all", policy: { preset } }],
    workload: { jobs: [{ id: "job", submitMs: 1_000, workMs: 5_000, ...job }] },
    interventions,
  });
  const told = runAll(world).simulation.explain(0, 50_000);
  return [kubeReasonOf(told?.reason ?? 0), told?.counted];
};
const pods = (members: number, more: object = {}) => ({
  components: [{ members, gpusPerMember: 0, ...more }],
});

test("Volcano: a pod that asks for nothing and fits no label says so", () => {
  expect(told("volcano", { ...pods(1), labels: { rack: "a" } })).toEqual([
    "noNode",
    "0 of 4 nodes have room for one: 4 of another model or label.",
  ]);
});

test("Volcano: pods that ask for nothing but for nodes of their own are told how many are there", () => {
  const drain = [{ kind: "drain" as const, atMs: 0, nodes: ["n-000"] }];
  expect(told("volcano", pods(4, { ownNode: true }), drain)).toEqual([
    "groupShort",
    "4 members must start together; 3 of 4 nodes have room for one: 1 closed.",
  ]);
});

test.for(["volcano", "kai"])(
  "%s: a pod that asks for more CPUs than a node has is not told of GPUs",
  (preset) => {
    expect(told(preset, pods(1, { cpusPerMember: 6 }))).toEqual([
      "noNode",
      "0 of 4 nodes have room for one: 4 of too few CPUs, even empty.",
    ]);
  },
);
