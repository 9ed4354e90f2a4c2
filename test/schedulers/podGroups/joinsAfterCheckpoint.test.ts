/** A member that finds room while its job writes a checkpoint joins in the first session after it. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

test.each(["volcano", "kai"])("%s: nobody joins a job while it writes a checkpoint", (preset) => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset, settings: { podStartMs: 0 } } }],
    workload: {
      jobs: [
        { id: "short", submitMs: 0, workMs: 12_500, gpus: 1 },
        {
          id: "grows",
          submitMs: 0,
          workMs: 40_000,
          components: [{ members: 2, minMembers: 1 }],
          // It writes from about 11 to 15 s; the other ends within.
          checkpoint: { every: 10_000, costMs: 4_000, restoreMs: 0 },
        },
      ],
    },
  });
  const { chunk, simulation } = runAll(world);
  const grows = jobNamed(world, "grows");
  const devicesAt = (ms: number) =>
    [chunk.rects, simulation.openSet().rects]
      .flatMap((rects) =>
        [...rects.jobIdx].map((job, i) => {
          const isOpen = rects.endMs[i]! > ms || Number.isNaN(rects.endMs[i]);
          return job === grows && rects.startMs[i]! <= ms && isOpen ? rects.deviceCount[i]! : 0;
        }),
      )
      .reduce((sum, devices) => sum + devices, 0);
  expect([9_000, 13_900, 16_500].map(devicesAt)).toEqual([1, 1, 2]);
  sameWithSnapshots(world);
});
