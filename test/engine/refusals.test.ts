/** What a job that was refused asked of its nodes and none has, from a document to the sentence. */
import { expect, test } from "vitest";
import { whyWaiting } from "../../src/model/sentences.ts";
import { runDocument } from "../schedulers/scenarioDocs.ts";
import { jobNamed } from "../support/world.ts";

const CONTEXT = {
  nowMs: 10_000,
  waitedMs: 0,
  deviceWord: "GPU" as const,
  clusterDevices: 16,
  devicesPerNode: 8,
  beginMs: 0,
  jobLabel: (jobIdx: number) => String(jobIdx),
};

const { simulation, world } = runDocument({
  version: 1,
  cluster: {
    nodeGroups: [
      { id: "h", count: 1, gpus: 8, gpuModel: "H100", labels: { zone: "a" }, memGiB: 2_048 },
      { id: "v", count: 1, gpus: 8, gpuModel: "V100", labels: { zone: "b" } },
    ],
  },
  workload: {
    jobs: [
      { id: "here", labels: { zone: "a" } },
      { id: "nowhere", labels: { zone: "c" } },
      { id: "model", gpuModels: [{ model: "B200" }] },
      { id: "both", labels: { zone: "a" }, gpuModels: [{ model: "V100" }] },
      { id: "wide", nodes: 3, gpusPerNode: 8 },
      { id: "tall", gpusPerNode: 9 },
      { id: "thirsty", components: [{ members: 1, gpusPerMember: 1, memGiBPerMember: 900_000 }] },
    ].map((job) => ({
      ...(job.components ? {} : { nodes: 1, gpusPerNode: 1 }),
      ...job,
      submitMs: 0,
      workMs: 1_000,
    })),
  },
});

test.each([
  ["nowhere", "Can never run: no node has the label zone=c."],
  ["model", "Can never run: no node has GPUs of the model B200."],
  ["both", "Can never run: no node has zone=a and V100 at once."],
  ["wide", "Can never run: asks for 24\u00a0GPUs, the cluster has 16."],
  ["tall", "Can never run: no node has 9 GPUs: the largest has 8."],
  ["thirsty", "Can never run: no node has 900000 GiB: the largest has 2048."],
])("%s: %s", (name, sentence) => {
  const why = simulation.explain(jobNamed(world, name), 10_000);
  expect(why === null ? null : whyWaiting(why, CONTEXT).lead).toBe(sentence);
});

test("a job that has run is not said to be impossible", () => {
  expect(simulation.explain(jobNamed(world, "here"), 10_000)).toBeNull();
});
