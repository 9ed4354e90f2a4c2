import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

test("a node that died gets no new work, also before anybody has noticed", () => {
  const run = {
    jobs: [
      { id: "A", submitSec: 0, nodes: 2, runtimeSec: 60 },
      { id: "B", submitSec: 2, nodes: 3, runtimeSec: 3 },
    ],
    commands: [[50, "kill slurmd of n3"]] as const,
  };
  expect(runsOf(run).B).toEqual(["60-63 n1,n2,n4 completed"]);
});
