import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

const CLUSTER = {
  conf: ["TopologyPlugin=topology/tree"],
  topology: [
    "SwitchName=leaf1 Nodes=n[1-2]",
    "SwitchName=leaf2 Nodes=n[3-4]",
    "SwitchName=spine Switches=leaf[1-2]",
  ],
};
/** Half of each leaf is taken, leaf 2 for 40 s. */
const TAKEN = [
  { id: "A", submitSec: 0, nodelist: "n1", runtimeSec: 100 },
  { id: "B", submitSec: 0, nodelist: "n3", runtimeSec: 40 },
];
const wish = (switches: string, nodes = 2) => ({
  id: "S",
  submitSec: 5,
  nodes,
  switches,
  runtimeSec: 10,
});
const runsWith = (switches: string, nodes?: number) =>
  runsOf({ ...CLUSTER, jobs: [...TAKEN, wish(switches, nodes)] }).S;

test("a job waits for its one switch, though nodes on two are free", () => {
  expect(runsWith("1")).toEqual(["40-50 n3,n4 completed"]);
});

test("when its wait is over it takes any nodes, at that second, without any other event", () => {
  expect(runsWith("1@00:00:15")).toEqual(["20-30 n2,n4 completed"]);
});

test("max_switch_wait shortens the wait", () => {
  const conf = [
    ...CLUSTER.conf,
    "SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,sched_min_interval=0,batch_sched_delay=0,max_switch_wait=12",
  ];
  const jobs = [...TAKEN, wish("1@10:00")];
  expect(runsOf({ ...CLUSTER, conf, jobs }).S).toEqual(["17-27 n2,n4 completed"]);
});

test("more than one switch is not waited for", () => {
  const topology = [
    "SwitchName=leaf1 Nodes=n1",
    "SwitchName=leaf2 Nodes=n2",
    "SwitchName=leaf3 Nodes=n[3-4]",
    "SwitchName=spine Switches=leaf[1-3]",
  ];
  const run = { ...CLUSTER, topology, jobs: [wish("2", 4)] };
  expect(runsOf(run).S).toEqual(["5-15 n1,n2,n3,n4 completed"]);
});

test("a job that never fits below one switch is not refused, also while another waits for its switch", () => {
  const jobs = [wish("1@00:00:20", 3), { ...wish("1@00:00:30", 3), id: "T", submitSec: 6 }];
  const runs = runsOf({ ...CLUSTER, jobs });
  // No event: the pass after the second in which the wait is over.
  expect(runs.S).toEqual(["25-35 n1,n2,n3 completed"]);
  expect(runs.T).toEqual(["36-46 n1,n2,n3 completed"]);
});
