/** The preview of a workload is what the run will draw: the same jobs, sizes and work. */
import { expect, test } from "vitest";
import { drain } from "../../src/metrics/quantiles.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import { expand } from "../../src/workload/expand.ts";
import { DURATION_ENDS, previewSteps } from "../../src/workload/preview.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const HOUR = 3_600_000;

const drawn = {
  ...small,
  seed: 7,
  horizonMs: 48 * HOUR,
  cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
  workload: {
    jobs: [
      { id: "a", submitMs: HOUR, nodes: 2, workMs: HOUR },
      { id: "b", submitMs: 0, gpus: 3, workMs: HOUR, array: { count: 4 } },
    ],
    synthetic: [
      {
        id: "day",
        arrivals: { perHour: 6, pattern: "diurnal" },
        gpus: [
          { value: 3, weight: 2 },
          { value: 12, weight: 1 },
        ],
        wholeNodesFrom: 8,
        work: { medianMs: HOUR },
      },
      {
        id: "storm",
        untilMs: 12 * HOUR,
        arrivals: { perHour: 4, pattern: "bursts" },
        gpus: [{ value: 1, weight: 1 }],
        work: { medianMs: HOUR / 4, shape: "exponential" },
      },
    ],
  },
};

test("jobs, devices and work of the preview are those that the run is given", () => {
  const scenario = mustRead(drawn);
  const preview = drain(previewSteps(scenario, 24));
  const world = expand(scenario);
  if (!world.ok) throw new Error("the document can be run");
  const { count, at } = world.value.jobs;
  expect(preview.jobs).toBe(count);
  let deviceMs = 0;
  const bySize = new Map<number, number>();
  for (let job = 0; job < count; job++) {
    deviceMs += at.gpuTotal[job]! * (at.workQ16[job]! / SPEED_ONE);
    bySize.set(at.gpuTotal[job]!, (bySize.get(at.gpuTotal[job]!) ?? 0) + 1);
  }
  expect(preview.deviceMs).toBe(deviceMs);
  expect(new Map(preview.sizes.map(({ devices, jobs }) => [devices, jobs]))).toEqual(bySize);
  expect(preview.arrivals.reduce((sum, jobs) => sum + jobs, 0)).toBe(count);
  expect(preview.durations.reduce((sum, jobs) => sum + jobs, 0)).toBe(count);
  expect(preview.load).toBeCloseTo(deviceMs / (32 * 48 * HOUR), 12);
  expect(preview.sources.map(({ id }) => id)).toEqual(["", "day", "storm"]);
});

test("single jobs without an end of the run have no load; their run times fall into their bins", () => {
  const preview = drain(
    previewSteps(
      mustRead({ ...small, workload: { jobs: [{ id: "a", submitMs: 0, gpus: 2, workMs: HOUR }] } }),
      4,
    ),
  );
  expect(preview.load).toBeNull();
  expect(preview.durations[DURATION_ENDS.indexOf(2 * HOUR)]).toBe(1);
  expect([...preview.arrivals]).toEqual([1, 0, 0, 0]);
});
