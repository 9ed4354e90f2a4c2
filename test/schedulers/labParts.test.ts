/** Parts of devices and slow ends of runs, where rules once met and broke the physics of the engine: each crowd runs to its end with all invariants. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { type Crowd, crowd } from "../support/labCrowds.ts";

const MINUTE_MS = 60_000;
type Settings = Parameters<typeof crowd>[2];

const MEETINGS: readonly (readonly [title: string, kind: Crowd, settings: Settings])[] = [
  ["a share finds a device that is free now and later", "parts", { placement: "gpuPacking" }],
  ["two slices of one job get a device each", "parts", { placement: "worstFit" }],
  [
    "shares and slices keep off each other's devices",
    "parts",
    { placement: "fgd", migPacking: "search" },
  ],
  [
    "a member alone waits for its device to be cut",
    "parts",
    { migPacking: "firstFit", repartitionMs: 10 * MINUTE_MS },
  ],
  [
    "a burst ends while its job is slow to end",
    "plain",
    { quota: "auction", auctionEveryMs: 5 * MINUTE_MS, burstMs: 20 * MINUTE_MS },
  ],
  [
    "a round gives nobody the room of a job that is slow to end",
    "models",
    { order: "gavel", speedsKnown: false },
  ],
];

describe("crowds in which rules meet", () => {
  test.each(MEETINGS)("%s", (_title, kind, settings) => {
    for (const number of [1, 2, 3, 4, 5, 8]) {
      const read = readScenario(crowd(kind, number, settings));
      if (!read.ok) throw new Error(JSON.stringify(read.error));
      const { metrics } = simulate(read.value, undefined, { checks: true });
      expect(metrics.started).toBeGreaterThan(30);
    }
  });
});

test("rounds that start jobs themselves obey ceilings", () => {
  const input = crowd("models", 1, { order: "gavel" });
  const read = readScenario({ ...input, limits: [{ per: "tier", gpus: 3 }] });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const chunks: Chunk[] = [];
  const onChunk = (chunk: Chunk) => void chunks.push(chunk);
  const { world } = simulate(read.value, undefined, { checks: true, onChunk });
  const changes = chunks.flatMap(({ rects }) =>
    [...rects.jobIdx].flatMap((jobIdx, row): [atMs: number, tier: number, gpus: number][] => {
      const tier = world.jobs.at.tier[jobIdx]!;
      const gpus = rects.deviceCount[row]!;
      return [
        [rects.startMs[row]!, tier, gpus],
        [rects.endMs[row]!, tier, -gpus],
      ];
    }),
  );
  const held = world.tiers.map(() => 0);
  let most = 0;
  for (const [, tier, gpus] of changes.sort((a, b) => a[0] - b[0] || a[2] - b[2])) {
    held[tier]! += gpus;
    most = Math.max(most, held[tier]!);
  }
  expect(most).toBe(3);
});
