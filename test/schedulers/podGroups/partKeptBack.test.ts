/** A job that holds some of its members is told what keeps the others back: its queue where that is so, the nodes only where they are. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const all = { quota: -1, limit: -1, overQuotaWeight: 1 };
const kaiQueue = (gpu: object) =>
  JSON.stringify({
    apiVersion: "scheduling.run.ai/v2",
    kind: "Queue",
    metadata: { name: "a" },
    spec: { resources: { gpu: { ...all, ...gpu }, cpu: all, memory: all } },
  });
const volcanoQueue = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "Queue",
    metadata: { name },
    spec,
  });

/** Two members of two GPUs, each started as it finds room, on a cluster with room for both. */
function partOf(policy: object, job: object = {}, others: readonly object[] = []) {
  const world = documentWorld({
    version: 1,
    horizonMs: 40_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, cpus: 16, memGiB: 64 }] },
    queues: ["a", "b"],
    pools: [{ id: "all", policy }],
    workload: {
      jobs: [
        {
          id: "pair",
          submitMs: 5_000,
          workMs: 50_000,
          queue: "a",
          gang: false,
          components: [{ members: 2, gpusPerMember: 2 }],
          ...job,
        },
        ...(others as { id: string; submitMs: number; workMs: number }[]),
      ],
    },
  });
  const jobIdx = jobNamed(world, "pair");
  const { chunk, simulation } = runAll(world);
  const { decisions } = chunk;
  const told = [...decisions.kind.keys()].filter(
    (row) => decisions.kind[row] === DecisionKindCode.wait && decisions.jobIdx[row] === jobIdx,
  );
  const asked = simulation.explain(jobIdx, 30_000);
  return {
    told: kubeReasonOf(decisions.reason[told.at(-1)!]!),
    asked: kubeReasonOf(asked?.reason ?? 0),
    counted: asked?.counted,
  };
}

test("KAI: the limit of its queue", () => {
  expect(partOf({ preset: "kai", yaml: kaiQueue({ limit: 3 }) })).toEqual({
    told: "queueMost",
    asked: "queueMost",
    counted: "Queue a has 2 of the 3 GPUs of its limit; it asks for 2.",
  });
});

test("KAI: the quota of its queue for work that is never preempted", () => {
  expect(partOf({ preset: "kai", yaml: kaiQueue({ quota: 2 }) }, { preemptible: false })).toEqual({
    told: "fixedQuota",
    asked: "fixedQuota",
    counted:
      "Work that is never preempted holds 2 of the 2 GPUs of queue a’s quota; it asks for 2.",
  });
});

test.each(["proportion", "capacity"])("Volcano, %s: the capability of its queue", (plugin) => {
  const settings = { queuePlugin: plugin };
  const yaml = volcanoQueue("a", {
    capability: { "nvidia.com/gpu": 3 },
    deserved: { "nvidia.com/gpu": 3 },
  });
  expect(partOf({ preset: "volcano", yaml, settings })).toEqual({
    told: "queueMost",
    asked: "queueMost",
    counted: "Queue a has or was promised 2 of the 3 GPUs that it can have; it asks for 2.",
  });
});

test("Volcano: its queue's part by weight, while another queue uses the rest", () => {
  const yaml = ["a", "b"].map((name) => volcanoQueue(name, { weight: 1 })).join("\n---\n");
  const job = { components: [{ members: 3, gpusPerMember: 2 }] };
  const other = { id: "other", submitMs: 0, workMs: 50_000, queue: "b", gpus: 4 };
  expect(partOf({ preset: "volcano", yaml }, job, [other])).toEqual({
    told: "queueDeserved",
    asked: "queueDeserved",
    counted: "Queue a has 4 of the 4 GPUs that are its part by weight now; it asks for 2.",
  });
});

test.each(["kai", "volcano"])("%s: no node has room for the rest", (preset) => {
  const job = { components: [{ members: 5, gpusPerMember: 2 }] };
  expect(partOf({ preset }, job)).toMatchObject({ told: "partBound", asked: "partBound" });
});
