/** The main scheduler without help: the backfill thread sleeps for a day. */
import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

const ALONE =
  "SchedulerParameters=bf_interval=86400,sched_interval=1,sched_min_interval=0,batch_sched_delay=0";
const job = (id: string, submitSec: number, more: object = {}) => ({
  id,
  submitSec,
  runtimeSec: 20,
  ...more,
});

test("a job that needs more nodes than are up blocks its partition, and its nodes for others", () => {
  const run = {
    conf: [ALONE],
    partitions: [
      "PartitionName=main Nodes=ALL Default=YES DefaultTime=10",
      "PartitionName=side Nodes=n[3-4] DefaultTime=10",
    ],
    commands: [
      [1, "scontrol update nodename=n1 state=drain reason=x"],
      [40, "scontrol update nodename=n1 state=resume"],
    ] as const,
    jobs: [job("A", 5, { nodes: 4 }), job("B", 6, { partition: "side" })],
  };
  expect(runsOf(run)).toEqual({
    A: ["40-60 n1,n2,n3,n4 completed"],
    B: ["60-80 n3 completed"],
  });
});

test("a blocked job of a reservation blocks the later ones of it, and nobody else", () => {
  const run = {
    conf: [ALONE],
    commands: [
      [
        1,
        "scontrol create reservation reservationname=r starttime=now duration=60 nodes=n[1-2] users=alice",
      ],
    ] as const,
    jobs: [
      job("A", 3, { reservation: "r", runtimeSec: 30 }),
      job("B", 4, { reservation: "r", nodes: 2 }),
      job("C", 5, { reservation: "r" }),
      job("D", 6),
    ],
  };
  expect(runsOf(run)).toEqual({
    A: ["3-33 n1 completed"],
    B: ["33-53 n1,n2 completed"],
    C: ["53-73 n1 completed"],
    D: ["6-26 n3 completed"],
  });
});

test("a job held up by a limit does not keep the nodes that it names from those behind it", () => {
  const run = {
    conf: [ALONE],
    accounting: ["modify user alice set maxjobs=1"],
    jobs: [
      job("A", 0, { nodelist: "n1" }),
      job("B", 2, { nodelist: "n2" }),
      job("C", 4, { nodelist: "n2", user: "bob" }),
      job("D", 5, { user: "bob" }),
    ],
  };
  expect(runsOf(run)).toEqual({
    A: ["0-20 n1 completed"],
    B: ["24-44 n2 completed"],
    C: ["4-24 n2 completed"],
    D: ["5-25 n3 completed"],
  });
});

test("default_queue_depth lets one job more be looked at than it says", () => {
  const depth = (most: number) => ({
    conf: [
      `SchedulerParameters=bf_interval=86400,sched_interval=600,sched_min_interval=0,batch_sched_delay=0,default_queue_depth=${most}`,
    ],
    accounting: ["modify user alice set maxjobs=1"],
    jobs: [
      job("A", 0, { runtimeSec: 100 }),
      job("B", 1),
      job("C", 2),
      job("D", 3),
      job("E", 4, { user: "bob" }),
    ],
  });
  expect(runsOf(depth(3)).E).toEqual(["4-24 n2 completed"]);
  expect(runsOf(depth(2)).E).not.toEqual(["4-24 n2 completed"]);
});

test("a job below MinPrioThreshold of its QOS holds up nobody", () => {
  const run = (threshold: string) =>
    runsOf({
      conf: [ALONE, "PriorityType=priority/multifactor", "PriorityWeightQOS=10"],
      accounting: [`modify qos normal set priority=10 ${threshold}`],
      jobs: [job("A", 0), job("B", 2, { nodes: 4 }), job("C", 4, { runtimeSec: 10 })],
    }).C;
  expect(run("")).toEqual(["40-50 n1 completed"]);
  expect(run("minpriothreshold=100")).toEqual(["4-14 n2 completed"]);
});

test("batch_sched_delay counts from the last pass: the first job of an idle cluster does not wait for it", () => {
  const runs = runsOf({
    conf: ["SchedulerParameters=batch_sched_delay=3"],
    jobs: [job("A", 0.3), job("B", 2.2)],
  });
  // slurmctld looks once a second, here at whole seconds.
  expect(runs.A).toEqual(["1-21 n1 completed"]);
  expect(runs.B).toEqual(["4-24 n2 completed"]);
});
