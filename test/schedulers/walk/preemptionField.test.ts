/** Field cases of preemption: problems that people reported, as the smallest scenario that shows them. Minutes stand as seconds. */
import { expect, test } from "vitest";
import { type JobLife, PLAIN_LIFE } from "../../../src/model/lab/jobLife.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { addWalk } from "../../../src/schedulers/lab/lab.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";
import { jobNamed, worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

addWalk(walk);

function worldWith(settings: Readonly<Record<string, SettingValue>>, text: string): World {
  return worldFromText(text, { pools: [labPool({ backfill: "skip", ...settings })] });
}

/** Runs of each named job, in seconds. */
function runs(world: World, ...names: string[]): [number, number][][] {
  const { chunk } = runAll(world);
  return names.map((name) =>
    runsOf(world, chunk, name).map(([start, end]) => [start / 1_000, end / 1_000]),
  );
}

const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

test("one job of ten members goes, not one member of each of ten jobs", () => {
  const world = worldWith(
    { preemption: "requeue", placement: "spread" },
    `10 nodes x 10 gpus
     ${times(10, (i) => `0s t${i} 10*1 1000s tier 3`)}
     100s HI 10*1 60s tier 0`,
  );
  expect(runs(world, "HI", "t0", "t1", "t9")).toEqual([
    [[100, 160]],
    [
      [0, 100],
      [160, 1_160],
    ],
    [[0, 1_000]],
    [[0, 1_000]],
  ]);
});

test("what is free already counts: one victim, not a wait of hours", () => {
  const world = worldWith(
    { preemption: "requeue", placement: "firstFit" },
    `2 nodes x 8 gpus
     0s low 1x8 500s tier 3
     10s HI 2x8 60s tier 0`,
  );
  expect(runs(world, "HI", "low")).toEqual([
    [[10, 70]],
    [
      [0, 10],
      [70, 570],
    ],
  ]);
});

test("eight scattered devices are no node: nobody is stopped for a job that could not start", () => {
  const world = worldWith(
    { preemption: "requeue", placement: "spread", backfill: "easy", victims: "youngest" },
    `4 nodes x 8 gpus
     ${times(24, (i) => `0s h${i} 1*1 1000s tier 0 limit 1000s`)}
     ${times(8, (i) => `1s l${i} 1*1 900s tier 3 limit 900s`)}
     10s BIG 1*8 60s tier 0 limit 60s
     20s H1 1*1 60s tier 0 limit 60s`,
  );
  expect(runs(world, "BIG", "H1")).toEqual([[[1_000, 1_060]], [[20, 80]]]);
  expect(runs(world, ...Array.from({ length: 8 }, (_, i) => `l${i}`)).flat()).toHaveLength(9);
});

test("stopped by counts alone, eight jobs go for one that then does not fit", () => {
  const world = worldWith(
    { preemption: "requeue", placement: "spread", onlyIfUseful: false, cooldownMs: 2_000_000 },
    `4 nodes x 8 gpus
     ${times(24, (i) => `0s h${i} 1*1 1000s tier 0 limit 1000s`)}
     ${times(8, (i) => `1s l${i} 1*1 900s tier 3 limit 900s`)}
     10s BIG 1*8 60s tier 0 limit 60s`,
  );
  expect(runs(world, "BIG")[0]![0]![0]).toBeGreaterThanOrEqual(1_000);
  expect(runs(world, ...Array.from({ length: 8 }, (_, i) => `l${i}`)).flat()).toHaveLength(16);
});

test("a victim that never leaves is given up, and another one goes", () => {
  const text = `2 nodes x 8 gpus
    0s low0 1x8 500s tier 3
    0s low1 1x8 500s tier 3
    10s HI 1x8 60s tier 0`;
  const settings = { preemption: "graceful", graceMs: 5_000, placement: "firstFit" };
  const hanging = (giveUpMs: number): World => {
    const world = worldWith({ ...settings, giveUpMs }, text);
    const life: JobLife = { ...PLAIN_LIFE, hangsOnEndMs: 10_000_000 };
    const lab = new Map([[jobNamed(world, "low0"), life]]);
    return { ...world, jobs: { ...world.jobs, lab } };
  };
  expect(runs(hanging(5_000), "HI")).toEqual([[[25, 85]]]);
  expect(runs(hanging(0), "HI")[0]![0]![0]).toBe(500);
});
