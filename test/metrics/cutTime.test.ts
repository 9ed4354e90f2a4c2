/** Device time in which MIG devices were cut anew, on runs small enough for a pencil. */
import { describe, expect, test } from "vitest";
import { MetricsAccumulator } from "../../src/metrics/accumulator.ts";
import { HOUR_MS } from "../../src/model/units.ts";
import { addWalk } from "../../src/schedulers/lab/lab.ts";
import { walk } from "../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { nodeHistoryOf } from "../../src/timeline/nodeHistory.ts";
import { labPool } from "../schedulers/policyDocs.ts";
import { type Outcome, runWorld } from "../support/draw.ts";
import { worldFromText } from "../support/world.ts";

addWalk(walk);

const settings = { migPacking: "bestFit", repartitionMs: 3_000, backfill: "none" };

/** A and B wait 3 s for one of two devices; C has the other for 2 s. */
function run(untilMs = Number.POSITIVE_INFINITY): Outcome {
  const text = `1 nodes x 2 gpus
    0s A x1 5s mig 3g.40gb
    0s B x1 5s mig 3g.40gb
    0s C x1 2s`;
  return runWorld(worldFromText(text, { pools: [labPool(settings)] }), schedulerOf, untilMs);
}

function hoursOf({ world, chunks, open }: Outcome, toTheEnd: boolean) {
  const metrics = new MetricsAccumulator(world);
  for (const chunk of chunks) metrics.add(chunk);
  return metrics.finish(toTheEnd ? null : open).gpuHours;
}

describe("a MIG device that is cut anew", () => {
  test("is overhead as a whole, held by nobody, and no idle device while jobs wait for it", () => {
    const hours = hoursOf(run(), true);
    expect(hours.cutting * HOUR_MS).toBeCloseTo(3_000, 6);
    expect(hours.overhead).toBe(hours.cutting);
    // C 2 s, and two slices of three sevenths each for 5 s.
    expect(hours.allocated * HOUR_MS).toBeCloseTo(3_000 + 2_000 + (2 * 3 * 5_000) / 7, 3);
    // Until 3 s two jobs wait; the device that C has left is idle for 1 s of it.
    expect(hours.idleWhileWaiting * HOUR_MS).toBeCloseTo(1_000, 6);
  });

  test("counts up to the last end of a run that is known", () => {
    const hours = hoursOf(run(2_500), false);
    expect(hours.cutting * HOUR_MS).toBeCloseTo(2_000, 6);
  });

  test("has a stretch of its own in the history of devices", () => {
    const { chunks, open } = run();
    expect(nodeHistoryOf(chunks, open, 1).devices).toEqual([
      { kind: "cut", device: 0, fromMs: 0, toMs: 3_000 },
    ]);
  });
});
