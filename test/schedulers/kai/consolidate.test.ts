/** Consolidation ends: whoever had to move does not take the old place again before the job for which it moved. */
import { expect, test } from "vitest";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";

/** S spreads its five members over all four nodes, again each time it is started; B needs a whole node. */
const document = (graceMs: number): ScenarioInput => ({
  version: 1,
  horizonMs: 120_000,
  cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 4 }] },
  queues: ["red", "blue"],
  pools: [{ id: "all", policy: { preset: "kai", settings: { placement: "spread", graceMs } } }],
  workload: {
    jobs: [
      {
        id: "S",
        submitMs: 0,
        workMs: 20_000,
        queue: "red",
        gang: false,
        components: [{ members: 5 }],
      },
      {
        id: "B",
        submitMs: 3_000,
        workMs: 8_000,
        queue: "blue",
        components: [{ gpusPerMember: 4 }],
      },
    ],
  },
});

test.each([0, 2_000])(
  "the job for which others move runs after one move, with a grace of %i ms",
  (graceMs) => {
    const world = documentWorld(document(graceMs));
    const { simulation, chunk } = runAll(world);
    expect(simulation.jobsDone).toBe(2);
    expect(chunk.runs.jobIdx.length).toBe(3);
    sameWithSnapshots(world);
  },
);

test("a job that reclaims is not kept from its room by the job it took it from, whatever stands at the head of its queue", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 120_000,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 2 }] },
    queues: ["red", "blue"],
    pools: [{ id: "all", policy: { preset: "kai", settings: { graceMs: 0 } } }],
    workload: {
      jobs: [
        { id: "H", submitMs: 0, workMs: 1_000, queue: "blue", components: [{ members: 9 }] },
        { id: "B", submitMs: 1_000, workMs: 5_000, queue: "blue", components: [{ members: 4 }] },
        { id: "R", submitMs: 1_000, workMs: 5_000, queue: "red", components: [{ members: 5 }] },
      ],
    },
  });
  expect(runAll(world).simulation.jobsDone).toBe(2);
  sameWithSnapshots(world);
});

test("members for which others are reclaimed take their places before these come back", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 400_000,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 2 }] },
    queues: ["red", "green", "blue"],
    pools: [{ id: "all", policy: { preset: "kai", settings: { graceMs: 2_500 } } }],
    workload: {
      jobs: [
        { id: "R", submitMs: 24_000, workMs: 14_000, components: [{ members: 3 }] },
        {
          id: "G",
          submitMs: 3_000,
          beginMs: 17_000,
          workMs: 20_000,
          queue: "red",
          components: [{ members: 2, gpusPerMember: 2 }],
        },
        {
          id: "H",
          submitMs: 17_000,
          workMs: 4_000,
          queue: "green",
          components: [{ members: 2, gpusPerMember: 2 }, {}],
        },
        {
          id: "E",
          submitMs: 26_000,
          workMs: 14_000,
          queue: "green",
          gang: false,
          components: [{ members: 3 }],
        },
      ],
    },
  });
  const { simulation, chunk } = runAll(world);
  expect(simulation.jobsDone).toBe(4);
  expect(chunk.runs.jobIdx.length).toBeLessThan(10);
  sameWithSnapshots(world);
});
