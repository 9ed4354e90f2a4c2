/** Pods of kube-scheduler that leave while others of their job stay. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const settings = { watchDelayMs: 0, cycleMicros: 0, bindsPerSecond: 0, bindMs: 0, podStartMs: 0 };

test("two pods of one kind on one node that leave at the same time are both gone, and who they left for starts", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 600_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4, cpus: 16 }] },
    pools: [{ id: "all", policy: { preset: "kube-scheduler", settings } }],
    workload: {
      jobs: [
        {
          id: "mixed",
          tier: "low",
          submitMs: 0,
          workMs: 500_000,
          components: [{ gpusPerMember: 0 }, { members: 2, gpusPerMember: 2 }],
        },
        {
          id: "first",
          tier: "critical",
          submitMs: 10_000,
          workMs: 20_000,
          components: [{ gpusPerMember: 3 }],
        },
      ],
    },
  });
  const { chunk } = runAll(world);
  // At the end of the grace period of 30 s.
  expect(runsOf(world, chunk, "first")).toEqual([[40_000, 60_000]]);
  sameWithSnapshots(world);
});

test("a rented node is not taken away whose pod may not stand beside the others of its job", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 3_600_000,
    cluster: {
      nodeGroups: [
        { id: "n", count: 2, gpus: 4, cpus: 16 },
        { id: "c", count: 1, gpus: 4, cpus: 16, burst: { startupMs: 10_000 } },
      ],
    },
    pools: [{ id: "all", policy: { preset: "kube-scheduler", settings } }],
    workload: {
      jobs: [
        {
          id: "apart",
          submitMs: 0,
          workMs: 3_000_000,
          components: [{ members: 3, gpusPerMember: 1, ownNode: true }],
        },
      ],
    },
  });
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "apart")).toHaveLength(1);
});

test("room that was kept for a pod whose nomination is void is looked at again by those who found it taken", () => {
  const cpus = (count: number, gpusPerMember: number, cpusPerMember: number) => [
    { members: count, gpusPerMember, cpusPerMember },
  ];
  const world = documentWorld({
    version: 1,
    seed: 2018,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, cpus: 16, memGiB: 64 }] },
    pools: [{ id: "all", policy: { preset: "kube-scheduler", settings: { graceMs: 2_000 } } }],
    workload: {
      jobs: [
        {
          id: "wide",
          submitMs: 36_000,
          workMs: 103_000,
          tier: "critical",
          components: cpus(4, 3, 3),
        },
        {
          id: "long",
          submitMs: 17_000,
          workMs: 111_000,
          tier: "critical",
          components: cpus(4, 1, 0),
        },
        { id: "plain", submitMs: 71_000, workMs: 53_000, tier: "low", components: cpus(4, 0, 6) },
        {
          id: "mixed",
          submitMs: 109_000,
          workMs: 8_000,
          components: [...cpus(1, 1, 6), ...cpus(4, 1, 0)],
        },
      ],
    },
  });
  const { simulation } = runAll(world);
  expect(simulation.explain(jobNamed(world, "plain"), simulation.nowMs)).toBeNull();
});
