import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

const overLimit = (termMs: number, killWait: number): string =>
  runsOf({
    conf: [`KillWait=${killWait}`],
    jobs: [{ id: "a", submitSec: 0, runtimeSec: 300, timeLimitSec: 60 }],
    slurm: { a: { termMs } },
  }).a![0]!;

test("a job that lives on after SIGTERM is gone when it is done with that, at KillWait at the latest", () => {
  // The limit of 60 s is found passed at the check at 84 s.
  expect(overLimit(0, 30)).toMatch(/^0-84 n1 timeout/);
  expect(overLimit(10_000, 30)).toMatch(/^0-94 n1 timeout/);
  expect(overLimit(100_000, 30)).toMatch(/^0-114 n1 timeout/);
});
