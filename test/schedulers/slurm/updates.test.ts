import { expect, test } from "vitest";
import { outcomeOf, reasonsOf, runsOf } from "./tinyCluster.ts";

/** A holds everything until 20 s; B and C wait for one node each. */
const JOBS = [
  { id: "A", submitSec: 0, nodes: 4, runtimeSec: 20 },
  { id: "B", submitSec: 3, runtimeSec: 5 },
  { id: "C", submitSec: 4, runtimeSec: 5 },
];
const updated = (change: string, more: object = {}) => ({
  jobs: JOBS,
  commands: [[6, `scontrol update jobid=@B ${change}`]] as const,
  ...more,
});

test("a start time keeps a waiting job back, and starts it at its second", () => {
  const run = updated("starttime=now+30");
  expect(runsOf(run)).toMatchObject({ B: ["36-41 n1 completed"], C: ["20-25 n1 completed"] });
  expect(reasonsOf(run).B).toEqual(["Resources", "BeginTime"]);
});

test("other nodes, features and partitions hold from the next pass on", () => {
  expect(runsOf(updated("reqnodelist=n3")).B).toEqual(["20-25 n3 completed"]);
  expect(runsOf(updated("excnodelist=n[1-2]")).B).toEqual(["20-25 n3 completed"]);
  const nodes = [
    "NodeName=n[1-3] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:8",
    "NodeName=n4 CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:8 Features=big",
  ];
  expect(runsOf(updated("features=big", { nodes })).B).toEqual(["20-25 n4 completed"]);
  const partitions = [
    "PartitionName=main Nodes=ALL Default=YES DefaultTime=10",
    "PartitionName=side Nodes=n2 PriorityTier=5",
  ];
  const { jobs } = outcomeOf(updated("partition=side", { partitions }));
  expect(jobs.get("B")!.runs.map((run) => [run.partition, ...run.gpuIdx.keys()])).toEqual([
    ["side", "n2"],
  ]);
});

test("under multifactor another QOS gives another priority at once, not at the next tick", () => {
  const conf = ["PriorityType=priority/multifactor", "PriorityWeightQOS=1000"];
  const accounting = [
    "add qos high",
    "modify qos normal set priority=1",
    "modify qos high set priority=10",
    "modify user alice set qos=normal,high defaultqos=normal",
  ];
  const commands = [[6, "scontrol update jobid=@C qos=high"]] as const;
  const jobs = JOBS.map((job) => (job.id === "A" ? job : { ...job, nodes: 3 }));
  expect(runsOf({ conf, accounting, jobs, commands })).toMatchObject({
    B: ["25-30 n1,n2,n3 completed"],
    C: ["20-25 n1,n2,n3 completed"],
  });
});

test("fewer tasks of an array at once", () => {
  const jobs = [{ id: "R", submitSec: 0, array: "0-3", nodes: 2, runtimeSec: 10 }];
  const commands = [[5, "scontrol update jobid=@R arraytaskthrottle=1"]] as const;
  expect(Object.values(runsOf({ jobs, commands })).map(([run]) => run?.split(" ")[0])).toEqual([
    "0-10",
    "0-10",
    "10-20",
    "20-30",
  ]);
});

test("what was changed stays changed when the configuration changes", () => {
  const commands = [
    [6, "scontrol update jobid=@B reqnodelist=n3"],
    [8, "sacctmgr modify qos normal set priority=5"],
  ] as const;
  expect(runsOf({ jobs: JOBS, commands }).B).toEqual(["20-25 n3 completed"]);
});

test("a job that names a drained node says so from its submission on, also behind a blocked one", () => {
  const jobs = [
    { id: "A", submitSec: 0, nodes: 2, runtimeSec: 20 },
    { id: "B", submitSec: 5, nodes: 4, runtimeSec: 5 },
    { id: "C", submitSec: 6, nodelist: "n4", runtimeSec: 5 },
  ];
  const commands = [[2, "scontrol update nodename=n4 state=drain reason=fan"]] as const;
  expect(reasonsOf({ jobs, commands }).C).toEqual(["ReqNodeNotAvail"]);
});
