import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { MIG_PART } from "../../src/engine/ledger.ts";
import { MetricsAccumulator, type MetricsWorld } from "../../src/metrics/accumulator.ts";
import { distributionSteps, drain } from "../../src/metrics/quantiles.ts";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { EndStateCode } from "../../src/model/states.ts";
import { DEVICE_PARTS, HOUR_MS, SPEED_ONE } from "../../src/model/units.ts";
import { DecisionKindCode, rectBits } from "../../src/record/shapes.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { expand } from "../../src/workload/expand.ts";
import { must, mustRead, scenario, small } from "../scenario/scenarios.ts";

const HOUR = HOUR_MS;

interface RunRow {
  readonly job: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly devices: number;
  readonly end?: keyof typeof EndStateCode;
  readonly run?: number;
  readonly part?: number;
}

/** A world of jobs given as [submit, GPUs, work]; tiers and teams take turns. */
function worldOf(
  devices: number,
  jobs: readonly (readonly [number, number, number])[],
): MetricsWorld {
  const document = mustRead({
    ...small,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: devices }] },
    teams: [{ id: "red" }, { id: "blue" }],
    workload: {
      jobs: jobs.map(([submitMs, gpus, workMs], i) => ({
        id: `j${i}`,
        submitMs,
        gpus,
        workMs,
        tier: i % 2 === 0 ? "high" : "low",
        team: i % 2 === 0 ? "red" : "blue",
      })),
    },
  });
  return must(expand(document));
}

const f64 = (values: readonly number[]) => Float64Array.from(values);

function chunkOf(
  rows: readonly RunRow[],
  series: readonly (readonly [number, number, number, number])[] = [],
  refusals: readonly number[] = [],
) {
  const starts = rows.filter((row) => row.run !== 0);
  const decided = [
    ...refusals.map((job) => ({ job, atMs: 0, kind: DecisionKindCode.refuse })),
    ...starts.map(({ job, startMs }) => ({ job, atMs: startMs, kind: DecisionKindCode.start })),
  ];
  return {
    runs: {
      startMs: f64(rows.map((row) => row.startMs)),
      endMs: f64(rows.map((row) => row.endMs)),
      jobIdx: Uint32Array.from(rows, (row) => row.job),
      run: Uint16Array.from(rows, (row) => row.run ?? 1),
      devices: Uint32Array.from(rows, (row) => row.devices),
      endState: Uint8Array.from(rows, (row) => EndStateCode[row.end ?? "completed"]),
      startReason: new Uint8Array(rows.length),
      stopReason: new Uint8Array(rows.length),
    },
    rects: {
      startMs: f64(rows.map((row) => row.startMs)),
      endMs: f64(rows.map((row) => row.endMs)),
      jobIdx: Uint32Array.from(rows, (row) => row.job),
      device: new Uint32Array(rows.length),
      deviceCount: Uint16Array.from(rows, (row) => row.devices),
      bits: Uint16Array.from(rows, (row) => rectBits(2, 0, row.part ?? 0)),
    },
    decisions: {
      atMs: f64(decided.map(({ atMs }) => atMs)),
      kind: Uint8Array.from(decided, ({ kind }) => kind),
      reason: new Uint8Array(decided.length).fill(WaitReasonCode.never),
      jobIdx: Uint32Array.from(decided, ({ job }) => job),
      value: new Float64Array(decided.length),
    },
    series: {
      atMs: f64(series.map(([atMs]) => atMs)),
      tier: Uint8Array.from(series, ([, tier]) => tier),
      heldParts: Int32Array.from(series, ([, , held]) => held * DEVICE_PARTS),
      jobsWaiting: Int32Array.from(series, ([, , , waiting]) => waiting),
      waitedParts: new Float64Array(series.length),
    },
    nodeSpans: {
      startMs: f64([]),
      endMs: f64([]),
      node: new Uint32Array(0),
      state: new Uint8Array(0),
    },
    gauges: {
      atMs: f64([]),
      kind: new Uint8Array(0),
      subject: new Uint16Array(0),
      value: f64([]),
    },
  };
}

/** The same world, of which nobody knows whether its jobs ask for whole devices. */
function withParts({ jobs: { count, at }, ...world }: MetricsWorld): MetricsWorld {
  return { ...world, jobs: { count, at } };
}

function metricsOf(world: MetricsWorld, ...chunks: ReturnType<typeof chunkOf>[]) {
  const accumulator = new MetricsAccumulator(world);
  for (const chunk of chunks) accumulator.add(chunk);
  return accumulator.finish(null);
}

describe("percentiles are by nearest rank", () => {
  test("of one to ten the median is 5, the 95th percentile 10", () => {
    expect(drain(distributionSteps(f64([3, 1, 2, 10, 9, 8, 7, 4, 5, 6])))).toEqual({
      mean: 5.5,
      p50: 5,
      p95: 10,
      p99: 10,
      max: 10,
    });
  });

  test("of nothing there is none", () => {
    expect(drain(distributionSteps(f64([])))).toEqual({
      mean: null,
      p50: null,
      p95: null,
      p99: null,
      max: null,
    });
  });

  test("as in a sorted list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300 }),
        (values) => {
          const sorted = [...values].sort((a, b) => a - b);
          const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1];
          const found = drain(distributionSteps(f64(values)));
          expect([found.p50, found.p95, found.p99, found.max]).toEqual([
            at(0.5),
            at(0.95),
            at(0.99),
            sorted.at(-1),
          ]);
        },
      ),
    );
  });
});

describe("worked by hand: two jobs on four GPUs, the second waits an hour", () => {
  // t/h   0    1    2    3        job 0: 4 GPUs 0–1     job 1: 2 GPUs, submitted 0, runs 1–3
  const world = worldOf(4, [
    [0, 4, HOUR],
    [0, 2, 2 * HOUR],
  ]);
  const high = 1;
  const low = 3;
  const metrics = metricsOf(
    world,
    chunkOf(
      [
        { job: 0, startMs: 0, endMs: HOUR, devices: 4 },
        { job: 1, startMs: HOUR, endMs: 3 * HOUR, devices: 2 },
      ],
      [
        [0, high, 4, 0],
        [0, low, 0, 1],
        [HOUR, high, 0, 0],
        [HOUR, low, 2, 0],
        [3 * HOUR, low, 0, 0],
      ],
    ),
  );

  test("waits, makespan, slowdown", () => {
    expect(metrics.waitSec).toEqual({ mean: 1_800, p50: 0, p95: 3_600, p99: 3_600, max: 3_600 });
    expect(metrics.makespanSec).toBe(3 * 3_600);
    expect(metrics.boundedSlowdown).toEqual({ mean: 1.25, p95: 1.5 });
  });

  test("GPU-hours and utilization", () => {
    expect(metrics.gpuHours).toMatchObject({
      offered: 8,
      allocated: 8,
      useful: 8,
      lost: 0,
      idleWhileWaiting: 0,
    });
    expect(metrics.utilization).toMatchObject({ allocated: 8 / 12, useful: 8 / 12 });
  });

  test("by tier and team", () => {
    expect(Object.keys(metrics.byTier)).toEqual(["high", "low"]);
    expect(metrics.byTeam).toMatchObject({
      red: { jobs: 1, gpuHoursAllocated: 4 },
      blue: { jobs: 1, waitSec: { mean: 3_600 }, gpuHoursAllocated: 4 },
    });
  });
});

describe("what counts as what", () => {
  test("GPUs that nobody holds count as idle only while a job waits, and no longer than the makespan lasts", () => {
    const world = worldOf(4, [[0, 4, HOUR]]);
    const metrics = metricsOf(
      world,
      chunkOf(
        [{ job: 0, startMs: 0, endMs: 6 * HOUR, devices: 4 }],
        [
          [0, 1, 1, 2],
          [2 * HOUR, 1, 1, 0],
          [5 * HOUR, 1, 0, 1],
          [9 * HOUR, 1, 0, 0],
        ],
      ),
    );
    expect(metrics.gpuHours.idleWhileWaiting).toBe(3 * 2 + 4 * 1);
  });

  test("a preempted run is lost, its wait counts from the first start, its slowdown to the last end", () => {
    const world = worldOf(4, [[0, 2, HOUR]]);
    const metrics = metricsOf(
      world,
      chunkOf([
        { job: 0, startMs: HOUR, endMs: 2 * HOUR, devices: 2, end: "preempted" },
        { job: 0, run: 2, startMs: 3 * HOUR, endMs: 4 * HOUR, devices: 2 },
      ]),
    );
    expect(metrics.gpuHours).toMatchObject({ allocated: 4, useful: 2, lost: 2 });
    expect([metrics.preemptions, metrics.waitSec.max, metrics.boundedSlowdown.mean]).toEqual([
      1, 3_600, 4,
    ]);
  });

  test("a job killed at its limit has finished, and its GPU-hours are neither useful nor lost", () => {
    const metrics = metricsOf(
      worldOf(4, [[0, 1, HOUR]]),
      chunkOf([{ job: 0, startMs: 0, endMs: HOUR, devices: 1, end: "timeout" }]),
    );
    expect(metrics).toMatchObject({
      finished: 1,
      completed: 0,
      gpuHours: { allocated: 1, useful: 0, lost: 0 },
    });
  });

  test("a run of less than ten seconds counts as ten in the slowdown, and none is below 1", () => {
    const world = worldOf(4, [[0, 1, 1_000]]);
    expect(
      metricsOf(world, chunkOf([{ job: 0, startMs: 39_000, endMs: 40_000, devices: 1 }]))
        .boundedSlowdown.mean,
    ).toBe(4);
    expect(
      metricsOf(world, chunkOf([{ job: 0, startMs: 0, endMs: 1_000, devices: 1 }])).boundedSlowdown
        .mean,
    ).toBe(1);
  });

  test("a refused job is counted by reason and offers nothing; a cancelled one never started", () => {
    const world = worldOf(4, [
      [0, 4, HOUR],
      [0, 2, HOUR],
    ]);
    const metrics = metricsOf(
      world,
      chunkOf(
        [
          { job: 0, run: 0, startMs: 5, endMs: 5, devices: 0, end: "refused" },
          { job: 1, run: 0, startMs: 7, endMs: 7, devices: 0, end: "cancelled" },
        ],
        [],
        [0],
      ),
    );
    expect(metrics).toMatchObject({
      refused: { never: 1 },
      started: 0,
      finished: 0,
      makespanSec: 0,
      waitSec: { mean: null },
      gpuHours: { offered: 2 },
    });
  });

  test("a share of a GPU is held as its part", () => {
    expect(
      metricsOf(
        withParts(worldOf(4, [[0, 1, HOUR]])),
        chunkOf([{ job: 0, startMs: 0, endMs: HOUR, devices: 1, part: 250 }]),
      ).gpuHours.allocated,
    ).toBe(0.25);
  });

  test("a MIG slice is held as one seventh of its GPU", () => {
    const rows = [{ job: 0, startMs: 0, endMs: 7 * HOUR, devices: 1, part: MIG_PART + 4 }];
    const metrics = metricsOf(withParts(worldOf(4, [[0, 1, HOUR]])), chunkOf(rows));
    expect(metrics.gpuHours.allocated).toBeCloseTo(1, 9);
  });

  test("what still runs at the end of the record is held until then", () => {
    const accumulator = new MetricsAccumulator(worldOf(4, [[0, 2, 9 * HOUR]]));
    const { rects, decisions } = chunkOf([
      { job: 0, startMs: HOUR, endMs: Number.POSITIVE_INFINITY, devices: 2 },
    ]);
    accumulator.add({ ...chunkOf([]), decisions });
    const metrics = accumulator.finish({
      atMs: 3 * HOUR,
      rects,
      waits: { fromMs: f64([]), toMs: f64([]), jobIdx: new Uint32Array() },
      nodeSpans: {
        startMs: f64([]),
        endMs: f64([]),
        node: new Uint32Array(),
        state: new Uint8Array(),
      },
    });
    expect(metrics).toMatchObject({
      started: 1,
      finished: 0,
      makespanSec: 3 * 3_600,
      waitSec: { max: 3_600 },
      gpuHours: { allocated: 4 },
    });
  });
});

/** The same scenario with all jobs as gangs: their members start together, so no GPU is held without work going on. */
function gangsOnly(original: Scenario): Scenario {
  const asGang = <J extends { readonly gang: boolean }>(job: J): J => ({ ...job, gang: true });
  return {
    ...original,
    workload: { ...original.workload, jobs: original.workload.jobs.map(asGang) },
    interventions: original.interventions.map((entry) =>
      entry.kind === "inject" ? { ...entry, job: asGang(entry.job) } : entry,
    ),
  };
}

test("gangs that hold half of the machine each and wait for the other half have not started, and their wait is none", () => {
  const document = mustRead({
    ...small,
    horizonMs: 10 * HOUR,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    pools: [{ id: "all", policy: { settings: { backfill: "none", gangTogether: false } } }],
    workload: {
      jobs: [
        { id: "z", submitMs: 0, gpus: 2, workMs: HOUR },
        { id: "a", submitMs: 1, gpus: 3, workMs: HOUR },
        { id: "b", submitMs: 2, gpus: 4, workMs: HOUR },
      ],
    },
    interventions: [],
  });
  const { metrics } = simulate(document, undefined, { checks: true });
  // z runs 0–1 h; a holds two GPUs from 1 ms and makes progress with the third at 1 h; b has four at 2 h.
  expect(metrics).toMatchObject({ started: 3, finished: 3, makespanSec: 3 * 3_600 });
  expect(metrics.waitSec.max).toBe(2 * 3_600 - 0.002);
  expect(metrics.waitSec.p50).toBe(3_600 - 0.001);
  const both = { ...document, workload: { ...document.workload } };
  both.workload.jobs = [1, 2].map((n) => ({
    ...document.workload.jobs[1]!,
    id: `g${n}`,
    submitMs: 0,
  }));
  const stuck = simulate(both, undefined, { checks: true }).metrics;
  expect(stuck).toMatchObject({
    started: 0,
    waitSec: { mean: null },
    byTier: { normal: { started: 0 } },
  });
  expect(stuck.gpuHours.allocated).toBe(40);
});

test("metrics do not depend on how the record is cut into chunks", () => {
  const rows = fc.uniqueArray(
    fc.record({
      job: fc.nat(9),
      startMs: fc.nat(1_000),
      length: fc.nat(1_000),
      devices: fc.integer({ min: 1, max: 4 }),
      end: fc.constantFrom("completed", "preempted", "timeout"),
    }),
    { minLength: 1, maxLength: 10, selector: (row) => row.job },
  );
  const world = worldOf(
    4,
    Array.from({ length: 10 }, (_, i) => [i, 1, 1_000] as const),
  );
  fc.assert(
    fc.property(rows, fc.nat(), (drawn, cut) => {
      const runs = drawn.map(({ length, ...row }) => ({
        ...row,
        endMs: row.startMs + length,
        end: row.end as "completed",
      }));
      runs.sort((a, b) => a.endMs - b.endMs);
      const at = cut % runs.length;
      const whole = metricsOf(world, chunkOf(runs));
      const parts = metricsOf(world, chunkOf(runs.slice(0, at)), chunkOf(runs.slice(at)));
      expect(parts).toEqual(whole);
    }),
  );
});

test("whatever gangs are simulated, held GPU-hours cover useful and lost ones, and no GPU is held twice", () => {
  fc.assert(
    fc.property(scenario, (original) => {
      const { metrics } = simulate(gangsOnly(original), undefined, { checks: false });
      const { allocated, useful, lost, offered } = metrics.gpuHours;
      expect(allocated).toBeGreaterThanOrEqual((useful + lost) * (1 - 1e-12));
      expect(metrics.utilization.allocated).toBeLessThanOrEqual(1 + 1e-12);
      if (metrics.completed === metrics.jobs && lost === 0) expect(useful).toBeCloseTo(offered, 9);
      expect(
        metrics.started + Object.values(metrics.refused).reduce((sum, count) => sum + count, 0),
      ).toBeLessThanOrEqual(metrics.jobs);
    }),
    { numRuns: 50, endOnFailure: true },
  );
});

test("the world of these tests has work in 1/65,536 ms", () => {
  expect(worldOf(4, [[0, 1, 7]]).jobs.at.workQ16[0]).toBe(7 * SPEED_ONE);
});
