import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

test("the components of a heterogeneous job start together, once there is room for all of them", () => {
  const runs = runsOf({
    jobs: [
      { id: "busy", submitSec: 0, nodes: 3, runtimeSec: 40 },
      { id: "one", submitSec: 2, nodes: 1, runtimeSec: 10 },
      { id: "two", submitSec: 2, nodes: 2, runtimeSec: 10 },
    ],
    slurm: { one: { het: "pair" }, two: { het: "pair" } },
  });
  const starts = [runs.one, runs.two].map((run) => Number(run?.[0]?.split("-")[0]));
  expect(starts[0]).toBe(starts[1]);
  expect(starts[0]).toBeGreaterThanOrEqual(40);
  expect(starts[0]).toBeLessThanOrEqual(42);
});
