import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

test("a job signalled before its limit saves its work, leaves, and goes on from there", () => {
  const runs = runsOf({
    jobs: [{ id: "a", submitSec: 0, runtimeSec: 160, timeLimitSec: 120 }],
    slurm: { a: { signal: { beforeMs: 30_000, saveMs: 10_000 } } },
  }).a;
  expect(runs?.[0]).toMatch(/^0-100 n1 requeued/);
  // 90 s of its work are done; 6 s of hold-back.
  expect(runs?.[1]).toMatch(/^106-176 n1 completed/);
});
