import { expect, test } from "vitest";
import { outcomeOf } from "./tinyCluster.ts";

const conf = [
  "PriorityType=priority/multifactor",
  "PriorityWeightFairshare=1000",
  "PriorityCalcPeriod=00:00:10",
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
