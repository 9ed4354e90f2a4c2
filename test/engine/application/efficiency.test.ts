import { describe, expect, test } from "vitest";
import { randomStream } from "../../../src/base/random.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { youngMs } from "../../../src/model/lab/checkpointInterval.ts";
import type { Change } from "../../../src/model/world.ts";
import { testPresets } from "../../support/testScheduler.ts";
import { SAVES, worldOfLives } from "./lives.ts";

const HOUR_MS = 3_600_000;
const SEGMENTS = 150;

interface Setting {
  readonly costMs: number;
  readonly mtbfMs: number;
  readonly restoreMs: number;
  /** Of `checkpoint_young_daly`: M e^{R/M} (e^{(τ+δ)/M} − 1) a segment. */
  readonly efficiency: number;
}

/** Rows of the golden table, at Young's interval. */
const SETTINGS: readonly Setting[] = [
  { costMs: 30_000, mtbfMs: 1.8 * HOUR_MS, restoreMs: 0, efficiency: 0.9067921024969 },
  { costMs: 300_000, mtbfMs: 1.8 * HOUR_MS, restoreMs: 240_000, efficiency: 0.6983241037959 },
  { costMs: 120_000, mtbfMs: 7.9 * HOUR_MS, restoreMs: 240_000, efficiency: 0.9032349501821 },
];

/** How long a job of so many segments takes on a node that fails without memory and is back at once. */
function lengthMs({ costMs, mtbfMs, restoreMs }: Setting, seed: number): number {
  const everyMs = Math.round(youngMs(costMs, mtbfMs));
  const workMs = SEGMENTS * everyMs;
  const changes: Change[] = [];
  const dice = randomStream(seed, "failures", "node");
  for (let atMs = 0; atMs < 4 * workMs; ) {
    atMs += Math.max(1, Math.round(-Math.log(1 - dice()) * mtbfMs));
    changes.push({ atMs, source: 0, kind: "fail", nodes: [0] });
    changes.push({ atMs, source: 0, kind: "resume", nodes: [0] });
  }
  const world = worldOfLives(`1 nodes x 1 gpus\n0s A x1 ${workMs / 1_000}s`, {
    A: { checkpoint: { ...SAVES, everyMs, costMs, restoreMs } },
  });
  const simulation = new Simulation({ ...world, changes }, testPresets);
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  const { runs } = simulation.takeChunk();
  return runs.endMs.at(-1)!;
}

describe("efficiency under failures", () => {
  test.each(SETTINGS)(
    "reaches the exact curve of Young and Daly: $costMs ms a checkpoint, $mtbfMs ms between failures, $restoreMs ms to restore",
    (setting) => {
      const lengths = Array.from({ length: 60 }, (_, seed) => lengthMs(setting, seed + 1));
      const mean = lengths.reduce((sum, ms) => sum + ms, 0) / lengths.length;
      const variance =
        lengths.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (lengths.length - 1);
      const error = Math.sqrt(variance / lengths.length);
      const segmentMs = youngMs(setting.costMs, setting.mtbfMs) / setting.efficiency;
      // The last segment needs no checkpoint, and failures before the first one no restore: both are less than one part in a hundred.
      const expected = SEGMENTS * segmentMs;
      expect(error / expected).toBeLessThan(0.01);
      expect(Math.abs(mean - expected)).toBeLessThan(3 * error + 0.005 * expected);
    },
  );
});
