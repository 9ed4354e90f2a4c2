import { expect, test } from "vitest";
import { outcomeOf } from "./tinyCluster.ts";

const conf = [
  "PriorityType=priority/multifactor",
  "PriorityWeightFairshare=1000",
  "PriorityCalcPeriod=1",
  "PriorityDecayHalfLife=00:10:00",
];

/** Priorities that squeue shows, by job. */
function prioritiesAt(sec: number, jobs: Parameters<typeof outcomeOf>[0]["jobs"]) {
  const { answers, names } = outcomeOf({ conf, jobs, commands: [[sec, "squeue"]] });
  return Object.fromEntries(
    answers[0]!.tables.squeue.map((row) => [names[row.jobIdx], row.priority]),
  );
}

test("a tick gives new priorities also to jobs that wait for others or for their time, not to held ones", () => {
  const jobs = [
    { id: "A", submitSec: 0, nodes: 4, runtimeSec: 200 },
    { id: "after", submitSec: 1, dependency: "afterok:@A", runtimeSec: 5 },
    { id: "later", submitSec: 1, begin: "now+1000", runtimeSec: 5 },
    { id: "held", submitSec: 1, hold: true, runtimeSec: 5 },
    { id: "queued", submitSec: 1, runtimeSec: 5 },
  ];
  const before = prioritiesAt(2, jobs);
  const after = prioritiesAt(150, jobs);
  expect(before.after).toBe(before.queued);
  expect(after.queued).toBeLessThan(before.queued!);
  expect(after).toMatchObject({ after: after.queued, later: after.queued, held: 0 });
});

test("a tick counts for jobs that wait for others even while nobody is queued", () => {
  const jobs = [
    { id: "A", submitSec: 0, nodes: 4, runtimeSec: 100 },
    { id: "after", submitSec: 1, dependency: "afterok:@A", nodes: 4, runtimeSec: 5 },
    { id: "fresh", submitSec: 99, user: "bob", nodes: 4, runtimeSec: 5 },
  ];
  const { jobs: came } = outcomeOf({ conf, jobs });
  const startOf = (id: string) => came.get(id)!.runs[0]!.startMs;
  expect(startOf("fresh")).toBeLessThan(startOf("after"));
});

test("only as many waiting jobs grow old as GrpJobsAccrue lets", () => {
  const jobs = [
    { id: "A", submitSec: 0, nodes: 4, runtimeSec: 70 },
    { id: "B", submitSec: 1, nodes: 4, runtimeSec: 200 },
    { id: "C", submitSec: 2, nodes: 4, runtimeSec: 5 },
  ];
  const tablesOf = (accounting: readonly string[]) => {
    const aged = [
      "PriorityType=priority/multifactor",
      "PriorityWeightAge=100000",
      "PriorityCalcPeriod=1",
    ];
    const commands = [
      [60, "squeue"],
      [200, "squeue"],
    ] as const;
    const { answers, names } = outcomeOf({ conf: aged, jobs, accounting, commands });
    return answers.map(({ tables }) =>
      Object.fromEntries(tables.squeue.map((row) => [names[row.jobIdx], row.priority > 1])),
    );
  };
  expect(tablesOf([])).toEqual([{ B: true, C: true }, { C: true }]);
  const limited = ["modify account acct set GrpJobsAccrue=1"];
  expect(tablesOf(limited)).toEqual([{ B: true, C: false }, { C: true }]);
});

test("a job that names no time limit has DefaultTime, else the MaxWall of its QOS", () => {
  const limitOf = (partition: string, accounting: readonly string[]) => {
    const jobs = [{ id: "A", submitSec: 0, timeLimitSec: null, hold: true, runtimeSec: 5 }];
    const commands = [[2, "squeue"]] as const;
    const partitions = [`PartitionName=main Nodes=ALL Default=YES ${partition}`];
    return outcomeOf({ jobs, partitions, accounting, commands }).answers[0]!.tables.squeue[0]!
      .limitMs;
  };
  const wall = ["modify qos normal set maxwall=7"];
  expect(limitOf("DefaultTime=10", wall)).toBe(600_000);
  expect(limitOf("MaxTime=30", wall)).toBe(420_000);
  expect(limitOf("MaxTime=5", wall)).toBe(300_000);
  expect(limitOf("MaxTime=30", [])).toBe(1_800_000);
});
