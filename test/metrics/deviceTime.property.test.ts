/** Device time of random documents of the lab, taken apart: the parts add up to what was held, as whole numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { DeviceTime } from "../../src/metrics/deviceTime.ts";
import { makePerJob } from "../../src/metrics/perJob.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { labScenarioInput } from "../scenario/labScenarios.ts";

/** Devices × time of all rectangles, where every job holds whole devices; counted without looking at states, runs or decisions. */
function heldMs(rects: Chunk["rects"], atMs: number): number {
  let sum = 0;
  for (let row = 0; row < rects.jobIdx.length; row++)
    sum += (Math.min(rects.endMs[row]!, atMs) - rects.startMs[row]!) * rects.deviceCount[row]!;
  return sum;
}

function timeOf(input: Parameters<typeof readScenario>[0]) {
  const scenario = readScenario(input);
  if (!scenario.ok) return null;
  const chunks: Chunk[] = [];
  const outcome = simulate(scenario.value, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const { open, world } = outcome;
  const per = makePerJob(world.jobs.count);
  const time = new DeviceTime(world.jobs, per);
  for (const chunk of chunks) time.add(chunk);
  time.addRects(open.rects, 0, open.rects.jobIdx.length, open.atMs);
  const { unfinished, overhead, withoutProgress } = time.finish();
  const parts = [time.useful, time.lostWork, unfinished, overhead, withoutProgress];
  for (const part of [...parts, time.lost]) {
    expect(Number.isSafeInteger(part)).toBe(true);
    expect(part).toBeGreaterThanOrEqual(0);
  }
  const sum = parts.reduce((all, each) => all + each, 0);
  expect(per.held.reduce((all, each) => all + each, 0)).toBe(sum);
  const held = chunks.reduce((all, { rects }) => all + heldMs(rects, open.atMs), 0);
  if (time.unit === 1) expect(sum).toBe(held + heldMs(open.rects, open.atMs));
  return { world, per, time, metrics: outcome.metrics };
}

test("what is held is useful, lost, unfinished, overhead or without progress, to the device-millisecond", () => {
  let ran = 0;
  fc.assert(
    fc.property(labScenarioInput, (input) => {
      const measured = timeOf(input);
      if (measured === null) return;
      const { lost, lostWork } = measured.metrics.gpuHours;
      expect(lost).toBeGreaterThanOrEqual(lostWork * (1 - 1e-12));
      ran++;
    }),
    { numRuns: 30, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(15);
}, 240_000);

const duration = fc.integer({ min: 1, max: 200_000 });
const restless = fc.record({
  preemption: fc.constantFrom("none", "requeue", "suspend", "graceful"),
  failures: fc.option(fc.integer({ min: 50_000, max: 500_000 })),
  jobs: fc.array(
    fc.record({
      submitMs: duration,
      workMs: duration,
      gpus: fc.integer({ min: 1, max: 8 }),
      high: fc.boolean(),
      startupMs: fc.constantFrom(0, 1_500),
      everyMs: fc.option(fc.integer({ min: 500, max: 50_000 })),
    }),
    { minLength: 3, maxLength: 12 },
  ),
});

test("through preemptions, failures and checkpoints no job's useful work is more or less than what was asked", () => {
  let judged = 0;
  let stopped = 0;
  fc.assert(
    fc.property(restless, ({ preemption, failures, jobs }) => {
      const measured = timeOf({
        version: 1,
        horizonMs: 40_000_000,
        killAtLimit: false,
        cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
        pools: [
          { id: "all", policy: { settings: { order: "tiers", preemption, graceMs: 2_000 } } },
        ],
        ...(failures === null
          ? {}
          : { failures: [{ of: "node", mtbfMs: failures, repairMs: 9_000 }] }),
        workload: {
          jobs: jobs.map(({ high, everyMs, ...job }, index) => ({
            id: `job ${index}`,
            ...job,
            tier: high ? "high" : "low",
            ...(everyMs === null
              ? {}
              : { checkpoint: { every: everyMs, costMs: 700, restoreMs: 300, onSignal: true } }),
          })),
        },
      } as Parameters<typeof readScenario>[0]);
      if (measured === null) throw new Error("the document is not valid");
      const { world, per, metrics } = measured;
      for (let job = 0; job < world.jobs.count; job++) {
        if (per.usefulOfJob[job] === 0) continue;
        const asked = (world.jobs.at.gpuTotal[job]! * world.jobs.at.workQ16[job]!) / SPEED_ONE;
        expect(per.usefulOfJob[job]).toBe(asked);
        judged++;
      }
      stopped += Object.values(metrics.evictions).reduce((sum, count) => sum + count, 0);
      if (preemption === "none" && failures === null) expect(metrics.gpuHours.lost).toBe(0);
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(judged).toBeGreaterThan(100);
  expect(stopped).toBeGreaterThan(20);
}, 240_000);
