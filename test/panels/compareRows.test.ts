import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunMetrics } from "../../src/metrics/runMetrics.ts";
import { compareRows } from "../../src/panels/inspector/compareRows.ts";

const TIERS = [{ id: "high", name: "High", letter: "H" }];

function metrics(waitSec: number, allocated: number, idle: number): RunMetrics {
  const wait = { mean: waitSec, p50: waitSec, p95: waitSec, p99: waitSec, max: waitSec };
  return {
    jobs: 1,
    completed: 1,
    finished: 1,
    started: 1,
    refused: {},
    makespanSec: 1,
    waitSec: wait,
    turnaroundSec: wait,
    boundedSlowdown: { mean: 1, p95: 1 },
    boundedSlowdown10Min: { mean: 1, p95: 1 },
    throughput: { jobsPerHour: 1, usefulGpuHoursPerHour: 1 },
    gpuHours: {
      offered: 1,
      allocated: 1,
      useful: 1,
      lost: 0,
      idleWhileWaiting: idle,
      lostWork: 0,
      unfinished: 0,
      overhead: 0,
      startup: 0,
      checkpoint: 0,
      restore: 0,
      grace: 0,
      cutting: 0,
      withoutProgress: 0,
      communication: 0,
    },
    utilization: {
      allocated,
      useful: allocated,
      lost: 0,
      overhead: 0,
      communication: 0,
      idleWhileWaiting: 0,
    },
    goodput: 1,
    fragmentation: null,
    fairness: { jain: null, shareError: null, finishTime: wait },
    slo: { services: {}, deadlinesMet: 0, deadlinesMissed: 0 },
    preemptions: 0,
    suspensions: 0,
    shrinks: 0,
    evictions: {},
    promises: { kept: 0, broken: 0 },
    cost: null,
    auctionPaid: null,
    byTier: {
      high: {
        jobs: 1,
        started: 1,
        finished: 1,
        waitSec: wait,
        gpuHoursAllocated: 1,
        targetWaitMet: null,
      },
    },
    byTeam: {},
  };
}

/** Reads a shown amount back in its smallest unit: minutes for durations, the number itself otherwise. */
function read(text: string): number {
  const clean = text
    .replaceAll("\u00a0", " ")
    .replaceAll("\u202f", "")
    .replace("−", "-")
    .replace("±", "")
    .replace("+", "");
  const sign = clean.startsWith("-") ? -1 : 1;
  const units: Record<string, number> = { d: 1_440, h: 60, m: 1, s: 1 / 60 };
  const parts = [...clean.matchAll(/([\d.]+) ?([dhms%])?/g)];
  return (
    sign *
    parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 1), 0)
  );
}

describe("before and now", () => {
  test("before plus change is now, in the digits that are shown", () => {
    const run = fc.tuple(
      fc.double({ min: 0, max: 400_000, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 5_000, noNaN: true }),
    );
    fc.assert(
      fc.property(run, run, (before, now) => {
        for (const row of compareRows(metrics(...before), metrics(...now), TIERS, "GPU")) {
          expect(read(row.before) + read(row.change)).toBeCloseTo(read(row.now), 6);
          if (row.verdict === "same") expect(row.before).toBe(row.now);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("less waiting is better, less allocation is worse", () => {
    const rows = compareRows(metrics(840, 0.9, 10), metrics(228, 0.8, 10), TIERS, "GPU");
    const first = rows.filter((row) => !row.further);
    expect(first.map((row) => [row.key, row.verdict])).toEqual([
      ["wait high", "better"],
      ["p95", "better"],
      ["allocated", "worse"],
      ["idle", "same"],
    ]);
    expect(rows[0]?.change.replaceAll("\u00a0", " ")).toBe("−10.2 m");
  });

  test("lost work is a row only where there is some, and processors are not called GPUs", () => {
    const lost = { ...metrics(1, 1, 1), gpuHours: { ...metrics(1, 1, 1).gpuHours, lostWork: 3 } };
    expect(
      compareRows(null, lost, TIERS, "processor").find(({ key }) => key === "lost")?.label,
    ).toBe("processor-h lost");
  });

  test("what docs/metrics.md defines besides is folded away, in its own units", () => {
    const run: RunMetrics = {
      ...metrics(90, 0.5, 1),
      boundedSlowdown: { mean: 3.456, p95: 9 },
      goodput: 0.875,
      promises: { kept: 9, broken: 0 },
      cost: { total: 10, perUsefulGpuHour: 2.5 },
    };
    const further = compareRows(null, run, TIERS, "GPU").filter((row) => row.further);
    const text = (amount: string) => amount.replaceAll("\u00a0", " ");
    expect(further.map(({ key, now }) => [key, text(now)])).toEqual([
      ["turnaround", "1.5 m"],
      ["slowdown", "3.46"],
      ["slowdown10", "1.00"],
      ["jobsPerHour", "1.00"],
      ["usefulPerHour", "1.00"],
      ["useful", "50.0 %"],
      ["goodput", "87.5 %"],
      ["finishTime", "90.00"],
      ["kept", "9"],
      ["costPerHour", "2.50"],
    ]);
  });

  test("what means nothing for a run has no row", () => {
    const plain = metrics(1, 1, 1);
    const lab: RunMetrics = {
      ...plain,
      gpuHours: { ...plain.gpuHours, overhead: 2, communication: 5 },
      fairness: { ...plain.fairness, jain: 0.825, shareError: 0.125 },
      fragmentation: 0.5,
      slo: { services: { chat: 0.5, code: 1, quiet: null }, deadlinesMet: 3, deadlinesMissed: 1 },
      preemptions: 12,
      suspensions: 4,
      shrinks: 2,
      promises: { kept: 9, broken: 1 },
      cost: { total: 1_234.4, perUsefulGpuHour: 2 },
      byTier: { high: { ...plain.byTier["high"]!, targetWaitMet: 0.75 } },
    };
    const first = (run: RunMetrics) =>
      compareRows(null, run, TIERS, "GPU").filter(({ further }) => !further);
    const keys = (run: RunMetrics) => first(run).map(({ key }) => key);
    expect(keys(plain)).toEqual(["wait high", "p95", "allocated", "idle"]);
    const shown = first(lab).map(({ key, now }) => [
      key,
      now.replaceAll("\u00a0", " ").replaceAll("\u202f", ""),
    ]);
    expect(shown.slice(1).filter(([key]) => !["p95", "allocated", "idle"].includes(key!))).toEqual([
      ["target high", "75.0 %"],
      ["overhead", "2.0"],
      ["communication", "5.0"],
      ["preemptions", "12"],
      ["suspensions", "4"],
      ["shrinks", "2"],
      ["broken", "1"],
      ["services", "75.0 %"],
      ["deadlines", "75.0 %"],
      ["shareError", "12.5 %"],
      ["jain", "0.83"],
      ["fragmentation", "50.0 %"],
      ["cost", "1234"],
    ]);
  });

  test("a row stays where the change took the last of it away", () => {
    const before = { ...metrics(1, 1, 1), preemptions: 3 };
    const row = compareRows(before, metrics(1, 1, 1), TIERS, "GPU").find(
      ({ key }) => key === "preemptions",
    );
    expect(row).toMatchObject({ before: "3", now: "0", verdict: "better" });
  });
});
