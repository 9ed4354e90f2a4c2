/** A pod that was told to leave is nobody's victim again: upstream looks at running tasks only. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const work = (id: string, submitMs: number, more: object) => ({
  id,
  submitMs,
  workMs: 60_000,
  ...more,
});

test("two preemptors, one after the other, get the pods of two nodes, not one pod twice", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 40_000,
    cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 1 }] },
    pools: [
      {
        id: "all",
        policy: {
          preset: "volcano",
          settings: {
            preempt: true,
            enqueue: false,
            graceMs: 10_000,
            podCreateMs: 0,
            podStartMs: 0,
          },
        },
      },
    ],
    workload: {
      jobs: [
        work("A", 0, { tier: "low", components: [{ members: 3, minMembers: 1 }] }),
        work("one", 5_000, { tier: "high", gpus: 1 }),
        work("two", 8_000, { tier: "high", gpus: 1 }),
      ],
    },
  });
  const { simulation } = runAll(world);
  const { jobIdx, startMs } = simulation.openSet().rects;
  const startOf = (name: string) => startMs[jobIdx.indexOf(jobNamed(world, name))];
  // Each starts as the grace of its own victim ends.
  expect([startOf("one"), startOf("two")]).toEqual([15_000, 18_000]);
  expect(jobIdx).toHaveLength(3);
  sameWithSnapshots(world);
});
