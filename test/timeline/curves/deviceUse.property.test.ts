/** What became of devices over time adds up to the numbers of the run, however jobs end, stop, save and start again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { drain } from "../../../src/metrics/quantiles.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import { deviceUseSteps } from "../../../src/timeline/curves/deviceUse.ts";
import { integralUntil } from "../../../src/timeline/curves/steps.ts";
import { labScenarioInput } from "../../scenario/labScenarios.ts";
import { mustRead, small } from "../../scenario/scenarios.ts";

const HOUR = 3_600_000;

function usesOf(scenario: ReturnType<typeof mustRead>) {
  const chunks: Chunk[] = [];
  const { open, world, metrics } = simulate(scenario, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const endMs = Math.max(open.atMs, metrics.makespanSec * 1_000);
  const uses = drain(deviceUseSteps(world, { chunks, open, endMs }));
  // The curve of idle devices goes on while jobs wait; its number ends with the makespan.
  const untilMs = (use: keyof typeof uses) =>
    use === "idle" ? metrics.makespanSec * 1_000 : endMs;
  const hours = (use: keyof typeof uses) => integralUntil(uses[use], untilMs(use)) / HOUR;
  return { uses, hours, metrics };
}

test("useful, unfinished, overhead, stalled, lost and idle device-hours integrate to those of the metrics", () => {
  let ran = 0;
  let lost = 0;
  fc.assert(
    fc.property(labScenarioInput, (input) => {
      const read = readScenario(input);
      if (!read.ok) return;
      const { hours, metrics } = usesOf(read.value);
      const { gpuHours } = metrics;
      expect(hours("useful")).toBeCloseTo(gpuHours.useful, 6);
      expect(hours("unfinished")).toBeCloseTo(gpuHours.unfinished, 6);
      expect(hours("overhead")).toBeCloseTo(gpuHours.overhead, 6);
      expect(hours("stalled")).toBeCloseTo(gpuHours.withoutProgress, 6);
      expect(hours("lost")).toBeCloseTo(gpuHours.lostWork, 6);
      expect(hours("idle")).toBeCloseTo(gpuHours.idleWhileWaiting, 6);
      ran++;
      if (gpuHours.lostWork > 0) lost++;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(20);
  expect(lost).toBeGreaterThan(0);
}, 240_000);

test("work of a run that a failure ends is lost where it lay, and the second run is useful", () => {
  const scenario = mustRead({
    ...small,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 4, workMs: HOUR }] },
    interventions: [
      { kind: "fail", atMs: HOUR / 2, nodes: ["n-000"], noticed: true },
      { kind: "resume", atMs: HOUR, nodes: ["n-000"] },
    ],
  });
  const { uses } = usesOf(scenario);
  expect(integralUntil(uses.lost, HOUR / 2)).toBe(4 * (HOUR / 2));
  expect(integralUntil(uses.lost, 3 * HOUR)).toBe(4 * (HOUR / 2));
  expect(integralUntil(uses.useful, HOUR)).toBe(0);
  expect(integralUntil(uses.useful, 2 * HOUR)).toBe(4 * HOUR);
  expect(integralUntil(uses.idle, 3 * HOUR)).toBe(4 * (HOUR / 2));
});
