import { expect, test } from "vitest";
import { QOS, reasonsOf, runsOf } from "./tinyCluster.ts";

const PREEMPT_QOS = ["PreemptType=preempt/qos", "PreemptMode=REQUEUE"];
const TIERS = [
  "PartitionName=lo Nodes=ALL Default=YES DefaultTime=10 PriorityTier=1",
  "PartitionName=hi Nodes=ALL DefaultTime=10 PriorityTier=10",
];
const low = (id: string, submitSec: number, more: object = {}) => ({
  id,
  submitSec,
  qos: "low",
  runtimeSec: 60,
  ...more,
});
const high = (id: string, submitSec: number, more: object = {}) => ({
  id,
  submitSec,
  qos: "high",
  user: "bob",
  runtimeSec: 15,
  timeLimitSec: 60,
  ...more,
});
const fourLow = [low("L1", 0), low("L2", 4), low("L3", 8), low("L4", 12)];

test("the preemptor starts at its submission, its victim is held back and starts again from zero", () => {
  const runs = runsOf({ conf: PREEMPT_QOS, accounting: QOS, jobs: [...fourLow, high("H", 18)] });
  expect(runs.H).toEqual(["18-33 n1 completed"]);
  expect(runs.L1).toEqual(["0-18 n1 preempted", "33-93 n1 completed"]);
  expect(runs.L2).toEqual(["4-64 n2 completed"]);
});

test("the mode of the victim's QOS overrides the cluster's", () => {
  const runs = runsOf({
    conf: PREEMPT_QOS,
    accounting: [...QOS, "modify qos low set preemptmode=cancel"],
    jobs: [...fourLow, high("H", 18)],
  });
  expect(runs.L1).toEqual(["0-18 n1 preempted"]);
});

test("within a QOS a job of higher priority preempts one of lower, where that is allowed", () => {
  const jobs = [
    low("A", 0, { nodes: 4, priority: 100 }),
    low("B", 5, { priority: 50 }),
    low("C", 10, { priority: 200, runtimeSec: 10 }),
  ];
  const allowed = runsOf({
    conf: ["PreemptType=preempt/qos", "PreemptMode=REQUEUE,WITHIN"],
    accounting: QOS,
    jobs,
  });
  expect(allowed.A![0]).toBe("0-10 n1,n2,n3,n4 preempted");
  expect(allowed.C).toEqual(["10-20 n1 completed"]);
  // Held back until 16, A finds C gone at 20 and preempts B in turn.
  expect(allowed.B![0]).toBe("10-20 n2 preempted");
  expect(allowed.A![1]).toBe("20-80 n1,n2,n3,n4 completed");
  const forbidden = runsOf({ conf: PREEMPT_QOS, accounting: QOS, jobs });
  expect(forbidden.A).toEqual(["0-60 n1,n2,n3,n4 completed"]);
});

test("a QOS may allow it for itself alone", () => {
  const runs = runsOf({
    conf: PREEMPT_QOS,
    accounting: [...QOS, "modify qos low set preemptmode=within"],
    jobs: [low("A", 0, { nodes: 4, priority: 100 }), low("C", 10, { priority: 200 })],
  });
  expect(runs.A![0]).toBe("0-10 n1,n2,n3,n4 preempted");
});

test("two victims on one node each go before one on two nodes, whatever their age", () => {
  const jobs = [low("A", 0, { nodes: 2 }), low("B", 1), low("C", 2), high("H", 10, { nodes: 2 })];
  const runs = runsOf({ conf: PREEMPT_QOS, accounting: QOS, jobs });
  expect(runs.H).toEqual(["10-25 n3,n4 completed"]);
  expect(runs.A).toEqual(["0-60 n1,n2 completed"]);
});

test("an exempt time of the QOS holds in place of the cluster's", () => {
  const runs = runsOf({
    conf: [...PREEMPT_QOS, "PreemptExemptTime=00:00:50"],
    accounting: [...QOS, "modify qos low set preemptexempttime=00:00:30"],
    jobs: [...fourLow, high("H", 18)],
  });
  expect(runs.H).toEqual(["30-45 n1 completed"]);
  expect(runs.L1![0]).toBe("0-30 n1 preempted");
});

test("the grace time of a partition lets a victim run on, and end by itself", () => {
  const partitions = [TIERS[0]!.concat(" GraceTime=40"), TIERS[1]!];
  const conf = ["PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE"];
  const filler = { nodes: 3, runtimeSec: 200, partition: "lo" };
  const jobs = (workSec: number) => [
    { id: "L", submitSec: 0, runtimeSec: workSec, partition: "lo" },
    { id: "F", submitSec: 1, ...filler },
    { id: "H", submitSec: 10, runtimeSec: 5, partition: "hi", timeLimitSec: 60 },
  ];
  expect(runsOf({ conf, partitions, jobs: jobs(30) })).toMatchObject({
    L: ["0-30 n1 completed"],
    H: ["30-35 n1 completed"],
  });
  // The grace ends at 50; the check of limits comes at 54, the second attempt would come at 42, the third at 74.
  expect(runsOf({ conf, partitions, jobs: jobs(100) })).toMatchObject({
    L: ["0-54 n1 preempted", "60-160 n1 completed"],
    H: ["54-59 n1 completed"],
  });
});

test("without another attempt a grace ends with the check of limits, with one at the attempt", () => {
  const run = (messageTimeoutSec: number) =>
    runsOf({
      conf: [...PREEMPT_QOS, `MessageTimeout=${messageTimeoutSec}`],
      accounting: [...QOS, "modify qos low set gracetime=10"],
      jobs: [...fourLow.map((job) => ({ ...job, runtimeSec: 100 })), high("H", 25)],
    }).H;
  expect(run(30)).toEqual(["54-69 n1 completed"]);
  expect(run(10)).toEqual(["37-52 n1 completed"]);
  expect(run(3)).toEqual(["35-50 n1 completed"]);
});

test("a victim in grace is not replaced by others, and two preemptors may wait for one", () => {
  const runs = runsOf({
    conf: [...PREEMPT_QOS, "MessageTimeout=8"],
    accounting: [...QOS, "modify qos low set gracetime=10"],
    jobs: [
      ...fourLow.map((job) => ({ ...job, runtimeSec: 200 })),
      high("H", 25, { runtimeSec: 5 }),
      high("I", 26, { runtimeSec: 5 }),
    ],
  });
  expect(runs.L1![0]).toBe("0-35 n1 preempted");
  expect(runs.H).toEqual(["35-40 n1 completed"]);
});

test("CPU jobs are suspended while a job of a higher partition needs their nodes, several at a time", () => {
  const cpus = { cpusPerTask: 64, gpusPerNode: null };
  const runs = runsOf({
    conf: ["PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG"],
    partitions: TIERS.map((line) => `${line} OverSubscribe=FORCE:1`),
    jobs: [
      ...["A", "B", "C", "D"].map((id, at) => ({
        id,
        submitSec: at,
        runtimeSec: 60,
        partition: "lo",
        ...cpus,
      })),
      {
        id: "H",
        submitSec: 10,
        nodes: 2,
        runtimeSec: 20,
        partition: "hi",
        timeLimitSec: 60,
        ...cpus,
      },
    ],
  });
  expect(runs.H).toEqual(["10-30 n1,n2 completed"]);
  expect(runs.A).toEqual(["0-80 n1 completed (10-30)"]);
  expect(runs.B).toEqual(["1-81 n2 completed (10-30)"]);
  expect(runs.C).toEqual(["2-62 n3 completed"]);
});

test("a job on an idle node suspends nobody", () => {
  const cpus = { cpusPerTask: 64, gpusPerNode: null };
  const runs = runsOf({
    conf: ["PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG"],
    partitions: TIERS.map((line) => `${line} OverSubscribe=FORCE:1`),
    jobs: [
      { id: "A", submitSec: 0, runtimeSec: 60, partition: "lo", ...cpus },
      { id: "H", submitSec: 10, runtimeSec: 20, partition: "hi", timeLimitSec: 60, ...cpus },
    ],
  });
  expect(runs.H).toEqual(["10-30 n2 completed"]);
  expect(runs.A).toEqual(["0-60 n1 completed"]);
});

test("jobs of one partition take turns of a time slice, the first of the list twice at the beginning", () => {
  const cpus = { cpusPerTask: 64, gpusPerNode: null };
  const runs = runsOf({
    conf: [
      "PreemptType=preempt/partition_prio",
      "PreemptMode=SUSPEND,GANG",
      "SchedulerTimeSlice=30",
    ],
    partitions: ["PartitionName=main Nodes=n1 Default=YES DefaultTime=10 OverSubscribe=FORCE:2"],
    jobs: [
      { id: "A", submitSec: 0, runtimeSec: 60, ...cpus },
      { id: "B", submitSec: 5, runtimeSec: 60, ...cpus },
      { id: "C", submitSec: 6, runtimeSec: 10, ...cpus },
    ],
  });
  // Slices end at 24, 54, 84, …: a filler becomes active at 24, its turn ends at 54.
  expect(runs.A).toEqual(["0-90 n1 completed (54-84)"]);
  expect(runs.B).toEqual(["5-120 n1 completed (5-54) (84-90)"]);
  expect(runs.C![0]).toMatch(/^90-/);
});

test("a suspended job keeps its GPUs: nobody is suspended for them, and the waiting job has no plan", () => {
  const jobs = [
    ...["A", "B", "C", "D"].map((id, at) => ({
      id,
      submitSec: at,
      runtimeSec: 60,
      partition: "lo",
    })),
    { id: "H", submitSec: 10, runtimeSec: 20, partition: "hi", timeLimitSec: 60 },
  ];
  const run = {
    conf: ["PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG"],
    partitions: TIERS.map((line) => `${line} OverSubscribe=FORCE:1`),
    jobs,
  };
  expect(runsOf(run).H).toEqual(["60-80 n1 completed"]);
  expect(reasonsOf(run).H).toContain("Resources");
});

test("partitions with PreemptMode=OFF are safe, those of equal tier too", () => {
  const conf = ["PreemptType=preempt/partition_prio", "PreemptMode=CANCEL"];
  const jobs = [
    { id: "A", submitSec: 0, nodes: 2, runtimeSec: 60, partition: "safe" },
    { id: "B", submitSec: 1, nodes: 2, runtimeSec: 60, partition: "equal" },
    { id: "H", submitSec: 10, runtimeSec: 20, partition: "hi", timeLimitSec: 60 },
  ];
  const partitions = [
    ...TIERS,
    "PartitionName=safe Nodes=ALL PriorityTier=1 PreemptMode=OFF",
    "PartitionName=equal Nodes=ALL PriorityTier=10",
  ];
  expect(runsOf({ conf, partitions, jobs }).H).toEqual(["60-80 n1 completed"]);
});

test("with REQUEUE,GANG a CPU job in the shadow of a higher partition is requeued, not suspended", () => {
  const cpus = { cpusPerTask: 40, gpusPerNode: null };
  const runs = runsOf({
    conf: ["PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE,GANG"],
    partitions: TIERS.map((line) => line.replace("Nodes=ALL", "Nodes=n1")),
    jobs: [
      { id: "A", submitSec: 0, runtimeSec: 60, partition: "lo", ...cpus },
      { id: "B", submitSec: 1, runtimeSec: 60, partition: "lo", ...cpus, cpusPerTask: 20 },
      { id: "H", submitSec: 10, runtimeSec: 20, partition: "hi", timeLimitSec: 60, ...cpus },
    ],
  });
  expect(runs.H).toEqual(["10-30 n1 completed"]);
  expect(runs.A).toEqual(["0-10 n1 preempted", "30-90 n1 completed"]);
  expect(runs.B).toEqual(["1-61 n1 completed"]);
});

test("a QOS that suspends its victims takes turns with them in one partition", () => {
  const cpus = { cpusPerTask: 64, gpusPerNode: null };
  const runs = runsOf({
    conf: ["PreemptType=preempt/qos", "PreemptMode=SUSPEND,GANG", "SchedulerTimeSlice=30"],
    partitions: ["PartitionName=main Nodes=n1 Default=YES DefaultTime=10 OverSubscribe=FORCE:1"],
    accounting: QOS,
    jobs: [low("A", 0, cpus), high("H", 10, { ...cpus, runtimeSec: 40 })],
  });
  expect(runs.A).toEqual(["0-90 n1 completed (54-84)"]);
  expect(runs.H).toEqual(["10-100 n1 completed (10-54) (84-90)"]);
});

test("a victim that asked for a signal saves its work within the grace, leaves and goes on from there", () => {
  const run = (saveMs: number) =>
    runsOf({
      conf: PREEMPT_QOS,
      accounting: [...QOS, "modify qos low set gracetime=20"],
      jobs: [...fourLow.map((job) => ({ ...job, runtimeSec: 100 })), high("H", 25)],
      slurm: { L1: { signal: { beforeMs: 60_000, saveMs } } },
    });
  const saved = run(5_000);
  expect(saved.H).toEqual(["30-45 n1 completed"]);
  // 25 s of work are safe, 75 s are left; held back until 36.
  expect(saved.L1).toEqual(["0-30 n1 preempted", "45-120 n1 completed"]);
  const tooSlow = run(30_000);
  expect(tooSlow.H).toEqual(["54-69 n1 completed"]);
  expect(tooSlow.L1).toEqual(["0-54 n1 preempted", "69-169 n1 completed"]);
});
