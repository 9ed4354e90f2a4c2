import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { expand } from "../../../src/workload/expand.ts";
import { scenarioFor, type TinyRun } from "./tinyCluster.ts";

/** What is said of the last job at a second. */
function explained(run: TinyRun, atSec: number) {
  const world = expand(scenarioFor(run).scenario);
  if (!world.ok) throw new Error("the scenario is wrong");
  const simulation = new Simulation(world.value, schedulerOf, { checks: true, snapshots: false });
  simulation.advance({ untilMs: atSec * 1_000, maxEvents: Number.POSITIVE_INFINITY });
  return simulation.explain(run.jobs.length - 1, atSec * 1_000);
}

test("runs that end are named until the job fits, and only those on nodes of its partition", () => {
  const partitions = [
    "PartitionName=main Nodes=n[1-3] Default=YES DefaultTime=10",
    "PartitionName=side Nodes=n4",
  ];
  const jobs = [
    { id: "side", submitSec: 0, partition: "side", timeLimitSec: 60, runtimeSec: 50 },
    { id: "A", submitSec: 0, timeLimitSec: 120, runtimeSec: 100 },
    { id: "B", submitSec: 0, timeLimitSec: 180, runtimeSec: 100 },
    { id: "C", submitSec: 0, timeLimitSec: 240, runtimeSec: 100 },
    { id: "W", submitSec: 5, nodes: 2, runtimeSec: 5 },
  ];
  const why = explained({ jobs, partitions }, 10);
  expect(why).toMatchObject({ unitsNeeded: 2, unitsFree: 0 });
  expect(why?.frees).toEqual([
    { jobIdx: 1, atMs: 120_000, units: 1 },
    { jobIdx: 2, atMs: 180_000, units: 1 },
  ]);
});
