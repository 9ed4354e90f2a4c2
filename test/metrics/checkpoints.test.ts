import { describe, expect, test } from "vitest";
import { MetricsAccumulator } from "../../src/metrics/accumulator.ts";
import { HOUR_MS } from "../../src/model/units.ts";
import { type Outcome, runWorld } from "../support/draw.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

const ALL = Number.POSITIVE_INFINITY;

/** Useful, lost and allocated GPU-seconds of a run, taken in chunk by chunk. */
function gpuSeconds(text: string, steps: Record<number, Step>, eventsPerChunk: number) {
  const world = worldFromText(text);
  const outcome: Outcome = runWorld(world, () => scripted(steps), ALL, eventsPerChunk);
  const accumulator = new MetricsAccumulator(world);
  for (const chunk of outcome.chunks) accumulator.add(chunk);
  const { useful, lost, allocated } = accumulator.finish(outcome.open).gpuHours;
  const seconds = (hours: number) => Math.round((hours * HOUR_MS) / 1_000);
  return { useful: seconds(useful), lost: seconds(lost), allocated: seconds(allocated) };
}

describe.each([1, 2, ALL])("work that a checkpoint kept, in chunks of %d events", (events) => {
  test("is useful once the job completes; what its run held beyond that, the time of the checkpoint too, is lost", () => {
    const steps: Record<number, Step> = {
      4000: (_, act) => act.checkpoint(0, 2_000),
      9000: (_, act) => act.evict(0, "requeue", 0, -1),
    };
    // 4 s safe, 2 s of checkpoint, 3 s lost, 6 s more: on two GPUs.
    expect(gpuSeconds("2 gpus\n0s A x2 10s", steps, events)).toEqual({
      useful: 20,
      lost: 10,
      allocated: 30,
    });
  });

  test("is kept through two failures, the second before any new checkpoint", () => {
    const text = "3 nodes x 1 gpus\n0s A 1x1 10s\n6s ! fail 0\n9s ! fail 1";
    const steps: Record<number, Step> = { 4000: (_, act) => act.checkpoint(0, 0) };
    expect(gpuSeconds(text, steps, events)).toEqual({ useful: 10, lost: 5, allocated: 15 });
  });

  test("is counted once where a run writes several", () => {
    const steps: Record<number, Step> = {
      2000: (_, act) => act.checkpoint(0, 0),
      5000: (_, act) => act.checkpoint(0, 0),
      6000: (_, act) => act.evict(0, "requeue", 0, -1),
    };
    expect(gpuSeconds("1 gpus\n0s A x1 10s\n1s B x1 1s", steps, events)).toEqual({
      useful: 11,
      lost: 1,
      allocated: 12,
    });
  });
});
