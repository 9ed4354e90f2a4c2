/** Nobody is evicted for a group that its queue may not have whole: the victims would return, and leave again, for ever. */
import { expect, test } from "vitest";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";

const RED = `
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: { name: red }
spec: { weight: 1, capability: { nvidia.com/gpu: 5 }, deserved: { nvidia.com/gpu: 3 } }
`;

type Jobs = Extract<ScenarioInput["workload"], { jobs?: unknown }>["jobs"];

const document = (
  settings: Record<string, boolean | number | string>,
  jobs: Jobs,
): ScenarioInput => ({
  version: 1,
  horizonMs: 120_000,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
  queues: ["red", "blue"],
  pools: [
    {
      id: "all",
      policy: {
        preset: "volcano",
        yaml: RED,
        settings: { enqueue: false, graceMs: 0, ...settings },
      },
    },
  ],
  workload: { jobs },
});

function worldOf(input: ScenarioInput) {
  return documentWorld(input);
}

test("reclaim takes nothing back for a group above its queue's capability", () => {
  const world = worldOf(
    document({ reclaim: true, queuePlugin: "capacity" }, [
      {
        id: "B",
        submitMs: 0,
        workMs: 20_000,
        queue: "blue",
        gang: false,
        components: [{ members: 8 }],
      },
      {
        id: "R",
        submitMs: 3_000,
        workMs: 5_000,
        queue: "red",
        components: [{ members: 2, gpusPerMember: 3 }],
      },
    ]),
  );
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "B")).toHaveLength(1);
  expect(runsOf(world, chunk, "R")).toEqual([]);
  sameWithSnapshots(world);
});

test("preempt evicts nobody for a group above its queue's capability", () => {
  const world = worldOf(
    document({ preempt: true, gangSpares: false }, [
      {
        id: "L",
        submitMs: 0,
        workMs: 20_000,
        queue: "red",
        tier: "low",
        components: [{ members: 2, gpusPerMember: 2, ownNode: true }],
      },
      {
        id: "H",
        submitMs: 3_000,
        workMs: 5_000,
        queue: "red",
        tier: "critical",
        components: [{ members: 2, gpusPerMember: 3 }],
      },
    ]),
  );
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "L")).toHaveLength(1);
  expect(runsOf(world, chunk, "H")).toEqual([]);
  sameWithSnapshots(world);
});

test("preempt goes on until the queue, not only the node, has room", () => {
  const world = worldOf(
    document({ preempt: true, gangSpares: false }, [
      {
        id: "L",
        submitMs: 0,
        workMs: 20_000,
        queue: "red",
        tier: "low",
        components: [{ gpusPerMember: 2 }],
      },
      {
        id: "M",
        submitMs: 0,
        workMs: 20_000,
        queue: "red",
        tier: "low",
        components: [{ gpusPerMember: 3 }],
      },
      {
        id: "H",
        submitMs: 3_000,
        workMs: 5_000,
        queue: "red",
        tier: "critical",
        components: [{ gpusPerMember: 4 }],
      },
    ]),
  );
  const { simulation, chunk } = runAll(world);
  expect(runsOf(world, chunk, "H")).toHaveLength(1);
  expect(simulation.jobsDone).toBe(3);
  expect(chunk.runs.jobIdx.length).toBeLessThan(6);
  sameWithSnapshots(world);
});
