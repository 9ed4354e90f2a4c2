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
      { id: "h", count: 1, gpus: 8, gpuModel: "H100", labels: { zone: "a" } },
      { id: "v", count: 1, gpus: 8, gpuModel: "V100", labels: { zone: "b" } },
    ],
  },
  workload: {
    jobs: [
      { id: "here", labels: { zone: "a" } },
      { id: "nowhere", labels: { zone: "c" } },
      { id: "model", gpuModels: [{ model: "B200" }] },
      { id: "both", labels: { zone: "a" }, gpuModels: [{ model: "V100" }] },
    ].map((job) => ({ ...job, submitMs: 0, workMs: 1_000, nodes: 1, gpusPerNode: 1 })),
  },
});

test.each([
  ["nowhere", "Can never run: no node has the label zone=c."],
  ["model", "Can never run: no node has GPUs of the model B200."],
  ["both", "Can never run: no node has zone=a and V100 at once."],
])("%s: %s", (name, sentence) => {
  const why = simulation.explain(jobNamed(world, name), 10_000);
  expect(why === null ? null : whyWaiting(why, CONTEXT).lead).toBe(sentence);
});

test("a job that has run is not said to be impossible", () => {
  expect(simulation.explain(jobNamed(world, "here"), 10_000)).toBeNull();
});
