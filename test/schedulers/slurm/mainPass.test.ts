import { expect, test } from "vitest";
import { reasonsOf, runsOf } from "./tinyCluster.ts";

const TWO_PARTITIONS = [
  "PartitionName=main Nodes=ALL Default=YES DefaultTime=10",
  "PartitionName=side Nodes=ALL DefaultTime=10",
];
const BUILTIN = ["SchedulerType=sched/builtin"];
const RESERVED =
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

test("a job for which nodes are missing blocks the jobs behind it, even on idle nodes", () => {
  const runs = runsOf({
    conf: BUILTIN,
    jobs: [
      { id: "wide", submitSec: 0, nodes: 3, runtimeSec: 40 },
      { id: "head", submitSec: 2, nodes: 4, runtimeSec: 10 },
      { id: "small", submitSec: 4, runtimeSec: 10 },
    ],
  });
  expect(runs.small?.[0]).toMatch(/^50-60 n1 /);
});

test("a blocked job keeps its nodes from other partitions too, and its own partition shows Priority", () => {
  const reasons = reasonsOf({
    conf: BUILTIN,
    partitions: TWO_PARTITIONS,
    jobs: [
      { id: "wide", submitSec: 0, nodes: 2, runtimeSec: 40 },
      { id: "head", submitSec: 2, nodes: 4, runtimeSec: 10 },
      { id: "behind", submitSec: 4, runtimeSec: 10 },
      { id: "beside", submitSec: 6, partition: "side", runtimeSec: 10 },
    ],
  });
  expect(reasons.head).toEqual(["Resources"]);
  expect(reasons.behind?.[0]).toBe("Priority");
  expect(reasons.beside).toContain(RESERVED);
});

test("a partition of a higher tier is looked at first", () => {
  const runs = runsOf({
    partitions: [
      "PartitionName=main Nodes=ALL Default=YES PriorityTier=1",
      "PartitionName=hi Nodes=ALL PriorityTier=10",
    ],
    jobs: [
      { id: "wide", submitSec: 0, nodes: 4, runtimeSec: 20 },
      { id: "low", submitSec: 2, nodes: 4, runtimeSec: 10 },
      { id: "high", submitSec: 4, nodes: 4, partition: "hi", runtimeSec: 10 },
    ],
  });
  expect(runs.high?.[0]).toMatch(/^20-30 /);
  expect(runs.low?.[0]).toMatch(/^30-40 /);
});

test("a job that waits for its begin time blocks nobody and starts at the second", () => {
  const run = {
    jobs: [
      { id: "later", submitSec: 0, nodes: 4, runtimeSec: 5, begin: "now+30" },
      { id: "now", submitSec: 2, nodes: 4, runtimeSec: 5 },
    ],
  };
  expect(runsOf(run).later?.[0]).toMatch(/^30-35 /);
  expect(runsOf(run).now?.[0]).toMatch(/^2-7 /);
  expect(reasonsOf(run).later).toEqual(["BeginTime"]);
});

test("a requeued job is held back for the life of a credential and a second, then starts anew", () => {
  const run = {
    jobs: [{ id: "a", submitSec: 0, runtimeSec: 30 }],
    commands: [[10, "scontrol requeue @a"]] as const,
  };
  const runs = runsOf(run).a ?? [];
  expect(runs[0]).toMatch(/^0-10 n1 requeued/);
  expect(runs[1]).toMatch(/^16-46 n1 completed/);
  expect(reasonsOf(run).a).toEqual(["BeginTime"]);
});

test("a job released from a hold has lost its place", () => {
  const runs = runsOf({
    jobs: [
      { id: "x", submitSec: 0, nodes: 4, runtimeSec: 30 },
      { id: "a", submitSec: 2, nodes: 4, runtimeSec: 5 },
      { id: "b", submitSec: 4, nodes: 4, runtimeSec: 5 },
    ],
    commands: [
      [10, "scontrol hold @a"],
      [12, "scontrol release @a"],
    ],
  });
  expect(runs.b?.[0]).toMatch(/^30-35 /);
  expect(runs.a?.[0]).toMatch(/^35-40 /);
});

test("an array runs as many tasks as it may, in the order of their numbers, and blocks nobody", () => {
  const run = {
    jobs: [
      { id: "r", submitSec: 0, runtimeSec: 10, array: "0-3%1" },
      { id: "b", submitSec: 1, runtimeSec: 5 },
    ],
  };
  const runs = runsOf(run);
  expect(["r_0", "r_1", "r_2", "r_3"].map((id) => runs[id]?.[0]?.split("-")[0])).toEqual([
    "0",
    "10",
    "20",
    "30",
  ]);
  expect(runs.b?.[0]).toMatch(/^1-6 n2 /);
  expect(reasonsOf(run).r_3).toContain("JobArrayTaskLimit");
});
