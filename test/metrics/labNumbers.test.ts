/** Numbers of the lab on runs small enough for a pencil. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { Cost } from "../../src/metrics/cost.ts";
import { GaugeSums } from "../../src/metrics/gaugeSums.ts";
import { GaugeCode } from "../../src/model/lab/gauges.ts";
import { NodeStateCode } from "../../src/model/states.ts";
import { HOUR_MS } from "../../src/model/units.ts";
import { expand } from "../../src/workload/expand.ts";
import { must, mustRead } from "../scenario/scenarios.ts";

/** Two GPUs, two jobs that need both, one after the other; each field may be replaced. */
function twoJobs(more: object = {}, red: object = {}, blue: object = {}, settings: object = {}) {
  const job = { gpus: 2, submitMs: 0, workMs: 100_000, limitMs: 100_000 };
  const scenario = mustRead({
    version: 1,
    cluster: { flat: true, nodeGroups: [{ id: "n", count: 1, gpus: 2, pricePerGpuHour: 3 }] },
    teams: [{ id: "red" }, { id: "blue" }],
    pools: [{ id: "all", policy: { settings } }],
    workload: {
      jobs: [
        { id: "r", ...job, team: "red", ...red },
        { id: "b", ...job, team: "blue", ...blue },
      ],
    },
    ...more,
  } as Parameters<typeof mustRead>[0]);
  return simulate(scenario, undefined, { checks: true }).metrics;
}

describe("fairness", () => {
  test("who waits alone is due the whole machine: 100 s shared and 100 s alone make 300 GPU-seconds of which it held 200", () => {
    const { fairness } = twoJobs();
    // Held ÷ due: 200 ÷ 100 and 200 ÷ 300.
    expect(fairness.jain).toBeCloseTo((2 + 2 / 3) ** 2 / (2 * (4 + 4 / 9)), 12);
    expect(fairness.shareError).toBeCloseTo(0.25, 12);
  });

  test("three shares of four are due to a team while the other has demand too", () => {
    const teams = [
      { id: "red", shares: 3 },
      { id: "blue", shares: 1 },
    ];
    // Due 150 and 50 + 200; held 200 each.
    expect(twoJobs({ teams }).fairness.shareError).toBeCloseTo(0.5 - 150 / 400, 12);
  });

  test("one and a half jobs in the system on average: alone on two thirds of the machine each takes 150 s", () => {
    const { finishTime } = twoJobs().fairness;
    expect(finishTime.p50).toBeCloseTo(100 / 150, 12);
    expect(finishTime.max).toBeCloseTo(200 / 150, 12);
  });

  test("with one team there is nothing to share", () => {
    const { fairness } = twoJobs({}, {}, { team: "red" });
    expect(fairness).toMatchObject({ jain: null, shareError: null });
  });
});

describe("what was promised", () => {
  test("a deadline is met by the millisecond and missed after it", () => {
    expect(twoJobs({}, { deadlineInMs: 100_000 }, { deadlineInMs: 199_999 }).slo).toMatchObject({
      deadlinesMet: 1,
      deadlinesMissed: 1,
    });
  });

  test("half of the jobs start within a target wait of 50 s", () => {
    const tiers = [{ id: "normal", name: "Normal", letter: "N", targetWaitMs: 50_000 }];
    expect(twoJobs({ tiers }).byTier["normal"]!.targetWaitMet).toBe(0.5);
    expect(twoJobs().byTier["normal"]!.targetWaitMet).toBeNull();
  });

  test("EASY keeps the start it promised where the job before ends at its limit", () => {
    expect(twoJobs().promises).toEqual({ kept: 1, broken: 0 });
  });

  test("EASY breaks its promise where the job before runs past its limit", () => {
    const metrics = twoJobs({ killAtLimit: false }, { limitMs: 60_000 });
    expect(metrics.promises).toEqual({ kept: 0, broken: 1 });
  });

  test("without reservations nothing is promised", () => {
    expect(twoJobs({}, {}, {}, { backfill: "none" }).promises).toEqual({ kept: 0, broken: 0 });
  });
});

describe("where the time goes", () => {
  test("start-up holds GPUs and is overhead, in each run", () => {
    const { gpuHours, goodput } = twoJobs({}, { startupMs: 20_000, limitMs: 200_000 });
    expect(gpuHours.startup * HOUR_MS).toBeCloseTo(40_000, 6);
    expect(gpuHours.overhead).toBe(gpuHours.startup);
    expect(goodput).toBeCloseTo(400 / 440, 12);
  });

  test("a job killed at its limit leaves unfinished work", () => {
    const { gpuHours, throughput } = twoJobs({}, { limitMs: 60_000 });
    expect(gpuHours.unfinished * HOUR_MS).toBeCloseTo(120_000, 6);
    expect(gpuHours.useful * HOUR_MS).toBeCloseTo(200_000, 6);
    // Two jobs in 160 s.
    expect(throughput.jobsPerHour).toBeCloseTo(45, 9);
  });

  test("ten minutes bound the slowdown of a short job", () => {
    const { boundedSlowdown, boundedSlowdown10Min } = twoJobs();
    expect(boundedSlowdown.p95).toBe(2);
    expect(boundedSlowdown10Min.p95).toBe(1);
  });
});

describe("money", () => {
  test("owned GPUs cost for the whole makespan", () => {
    expect(twoJobs().cost!.total).toBeCloseTo((2 * 3 * 200) / 3_600, 12);
    expect(twoJobs().cost!.perUsefulGpuHour).toBeCloseTo(3, 12);
  });

  test("a rented node costs while it is there, a failed one too", () => {
    const world = must(
      expand(
        mustRead({
          version: 1,
          cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, pricePerGpuHour: 1 }] },
          pools: [{ id: "all" }],
          workload: { jobs: [{ id: "j", gpus: 1, submitMs: 0, workMs: 1 }] },
        } as Parameters<typeof mustRead>[0]),
      ),
    );
    const cost = new Cost(world.cluster);
    const spans = {
      startMs: Float64Array.of(0, HOUR_MS),
      endMs: Float64Array.of(3 * HOUR_MS, Number.POSITIVE_INFINITY),
      node: Uint32Array.of(0, 1),
      state: Uint8Array.of(NodeStateCode.unborn, NodeStateCode.down),
    };
    cost.add(spans, 10 * HOUR_MS);
    expect(cost.total(10 * HOUR_MS)).toBeCloseTo(4 * 7 + 4 * 10, 9);
  });
});

describe("gauges", () => {
  const rows = (
    ...list: readonly (readonly [number, keyof typeof GaugeCode, number, number])[]
  ) => ({
    atMs: Float64Array.from(list, ([atMs]) => atMs),
    kind: Uint8Array.from(list, ([, kind]) => GaugeCode[kind]),
    subject: Uint16Array.from(list, ([, , subject]) => subject),
    value: Float64Array.from(list, ([, , , value]) => value),
  });

  test("attainment goes by requests and not by time", () => {
    const sums = new GaugeSums([{ id: "chat", targetMs: 200 }]);
    sums.add(rows([0, "demand", 0, 10], [0, "latency", 0, 100], [60_000, "latency", 0, 300]));
    sums.add(rows([60_000, "demand", 0, 30]));
    expect(sums.attainment(100_000)).toEqual({ chat: 600 / (600 + 1_200) });
  });

  test("a service that nobody asked anything has no attainment", () => {
    expect(new GaugeSums([{ id: "chat", targetMs: 200 }]).attainment(1_000)).toEqual({
      chat: null,
    });
  });

  test("what teams paid is what their credits fell by, refills left out", () => {
    const sums = new GaugeSums([]);
    sums.add(rows([0, "credits", 1, 100], [1, "credits", 1, 70], [2, "credits", 1, 100]));
    sums.add(rows([3, "credits", 1, 40]));
    expect(sums.paid.get(1)).toBe(90);
  });

  test("fragmentation is a mean over time, then over pools", () => {
    const sums = new GaugeSums([]);
    sums.add(rows([0, "fragmentation", 0, 1], [250, "fragmentation", 0, 0]));
    sums.add(rows([500, "fragmentation", 1, 0.5]));
    expect(sums.fragmentation(1_000)).toBeCloseTo((0.25 + 0.5) / 2, 12);
  });
});

test("what a gang had done when it lost a member is lost with it when it has hung long enough", () => {
  const settings = { order: "tiers", preemption: "requeue", preemptUnit: "device" };
  const gang = { tier: "low", collectiveTimeoutMs: 20_000 };
  const urgent = { tier: "critical", gpus: 1, submitMs: 40_000, workMs: 10_000 };
  const { gpuHours } = twoJobs({}, gang, urgent, settings);
  // Two GPUs worked 40 s; one hung 20 s more.
  expect(gpuHours.lostWork * 3_600).toBeCloseTo(80, 9);
  expect(gpuHours.lost * 3_600).toBeCloseTo(100, 9);
});
