import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

const HEAD = [
  { id: "a", submitSec: 0, nodes: 2, runtimeSec: 50, timeLimitSec: 120 },
  { id: "head", submitSec: 2, nodes: 4, runtimeSec: 10, timeLimitSec: 60 },
];
const startOf = (runs: Record<string, string[]>, id: string): number =>
  Number(runs[id]?.[0]?.split("-")[0]);

test("what ends by its limit before the planned start of the head starts at once; what does not, waits", () => {
  const runs = runsOf({
    jobs: [
      ...HEAD,
      { id: "long", submitSec: 4, runtimeSec: 10, timeLimitSec: 180 },
      { id: "short", submitSec: 6, runtimeSec: 10, timeLimitSec: 60 },
    ],
  });
  expect(startOf(runs, "short")).toBeLessThan(8);
  expect(startOf(runs, "head")).toBe(50);
  expect(startOf(runs, "long")).toBeGreaterThanOrEqual(60);
});

test("plans take whole nodes: a job with half of a node's GPUs is in the way like any other", () => {
  const runs = runsOf({
    jobs: [
      ...HEAD,
      { id: "half", submitSec: 4, gpusPerNode: 4, runtimeSec: 10, timeLimitSec: 180 },
    ],
  });
  expect(startOf(runs, "half")).toBeGreaterThanOrEqual(60);
});

test("the second job's plan is kept as well as the first's; bf_job_part_count_reserve=1 keeps the first only", () => {
  const jobs = [
    { id: "a", submitSec: 0, nodes: 2, runtimeSec: 40, timeLimitSec: 60 },
    { id: "b", submitSec: 2, nodes: 3, runtimeSec: 10, timeLimitSec: 60 },
    { id: "c", submitSec: 4, nodes: 4, runtimeSec: 10, timeLimitSec: 60 },
    { id: "d", submitSec: 6, runtimeSec: 60, timeLimitSec: 180 },
  ];
  const easy =
    "SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,batch_sched_delay=0,bf_job_part_count_reserve=1";
  expect(startOf(runsOf({ jobs }), "d")).toBeGreaterThanOrEqual(60);
  expect(startOf(runsOf({ jobs, conf: [easy] }), "d")).toBeLessThan(8);
});

test("bf_max_job_test counts the head", () => {
  const conf = [
    "SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,batch_sched_delay=0,bf_max_job_test=2",
  ];
  const jobs = [
    ...HEAD,
    { id: "first", submitSec: 4, runtimeSec: 60, timeLimitSec: 600 },
    { id: "second", submitSec: 6, runtimeSec: 10, timeLimitSec: 60 },
  ];
  expect(startOf(runsOf({ jobs }), "second")).toBeLessThan(8);
  expect(startOf(runsOf({ jobs, conf }), "second")).toBeGreaterThanOrEqual(50);
});

test("with --time-min a job starts at once with a limit that ends by the planned start of the head", () => {
  const long = { runtimeSec: 400, timeLimitSec: 600 };
  const runs = runsOf({
    jobs: [
      { id: "a", submitSec: 0, nodes: 2, runtimeSec: 200, timeLimitSec: 180 },
      { id: "head", submitSec: 2, nodes: 4, runtimeSec: 10, timeLimitSec: 60 },
      { id: "min", submitSec: 4, timeMinSec: 60, ...long },
      { id: "plain", submitSec: 6, ...long },
    ],
  });
  // Two whole minutes fit before 180 s; the limit is checked at 144 s.
  expect(runs.min?.[0]).toMatch(/^4(\.\d+)?-144 n3 timeout/);
  expect(startOf(runs, "plain")).toBeGreaterThan(180);
});

test("with bf_interval=30 a job behind a blocked head waits for the next pass", () => {
  const runs = runsOf({
    conf: ["SchedulerParameters=bf_interval=30"],
    jobs: [...HEAD, { id: "short", submitSec: 4, runtimeSec: 10, timeLimitSec: 60 }],
  });
  expect(startOf(runs, "short")).toBe(24);
});
