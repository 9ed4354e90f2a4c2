import { expect, test } from "vitest";
import { documentWorld } from "../support/documentWorld.ts";
import { runAll, runsOf } from "../support/labRuns.ts";

/** Ends (s) of A and of B on a node with a fast and one with a slow model of two devices each. */
function ends(a: object, b: object): number[] {
  const nodeGroups = [
    { id: "fast", count: 1, gpus: 2, gpuModel: "V100" },
    { id: "slow", count: 1, gpus: 2, gpuModel: "K80" },
  ];
  const speeds = [
    { model: "V100", speed: 2 },
    { model: "K80", speed: 0.5 },
  ];
  const jobs = [
    { id: "A", submitMs: 0, workMs: 10_000, gpuModels: speeds, ...a },
    { id: "B", submitMs: 0, workMs: 10_000, gpuModels: speeds, ...b },
  ];
  const world = documentWorld({ version: 1, cluster: { nodeGroups }, workload: { jobs } });
  const { chunk } = runAll(world);
  return ["A", "B"].map((name) => runsOf(world, chunk, name)[0]![1] / 1_000);
}

test("a job runs at the speed that it names for the model it got", () =>
  expect(ends({ gpus: 2 }, { gpus: 2 })).toEqual([5, 20]));

test("a gang on two models goes at the speed of the slower", () =>
  expect(ends({ gpus: 1 }, { gpus: 3 })).toEqual([5, 20]));
