/** Curves of hand-computed runs, and their sums against the numbers of the run. */
import { expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { drain } from "../../../src/metrics/quantiles.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { lineAt, lineOver, lineTotal } from "../../../src/timeline/curves/curve.ts";
import type { CurveId } from "../../../src/timeline/curves/curveIds.ts";
import { curveChoices } from "../../../src/timeline/curves/curveList.ts";
import { curveSteps } from "../../../src/timeline/curves/curveSteps.ts";
import { mustRead, small } from "../../scenario/scenarios.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;

function runOf(more: object) {
  const chunks: Chunk[] = [];
  const { open, world, metrics } = simulate(
    mustRead({
      ...small,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4, pricePerGpuHour: 3 }] },
      ...more,
    }),
    undefined,
    { checks: false, onChunk: (chunk) => chunks.push(chunk) },
  );
  const endMs = Math.max(open.atMs, metrics.makespanSec * 1_000);
  const stage = { ...world, poolIds: world.pools.map(({ id }) => id) };
  const curve = (id: CurveId) => drain(curveSteps(id, stage, { chunks, open, endMs }))!;
  return { curve, metrics, endMs, stage, chunks };
}

const job = (id: string, submitMin: number, gpus: number, workMin: number, more: object = {}) => ({
  id,
  submitMs: submitMin * MINUTE,
  gpus,
  workMs: workMin * MINUTE,
  limitMs: workMin * MINUTE,
  ...more,
});

const two = {
  tiers: [
    { id: "hi", name: "High", letter: "H" },
    { id: "lo", name: "Low", letter: "L" },
  ],
  workload: {
    jobs: [
      job("a", 0, 4, 60, { tier: "lo", team: "red" }),
      job("b", 10, 2, 60, { tier: "hi", team: "blue" }),
      job("c", 20, 4, 30, { tier: "lo", team: "red" }),
    ],
  },
  teams: [
    { id: "red", shares: 1 },
    { id: "blue", shares: 3 },
  ],
  pools: [{ id: "all", policy: { preset: "lab", settings: { order: "fcfs", backfill: "none" } } }],
};

test("held, waiting and waited-for devices stand by tier, and over a window as device-hours", () => {
  const { curve } = runOf(two);
  const held = curve("held");
  expect(held.lines.map(({ label }) => label)).toEqual(["High", "Low"]);
  expect(held.lines.map((line) => lineAt(line, 30 * MINUTE))).toEqual([0, 4]);
  expect(held.lines.map((line) => lineAt(line, 90 * MINUTE))).toEqual([2, 0]);
  expect(held.lines.map((line) => lineTotal(held, line, 0, 3 * HOUR))).toEqual([2, 6]);
  const waiting = curve("waiting");
  expect(waiting.lines.map((line) => lineAt(line, 30 * MINUTE))).toEqual([1, 1]);
  const waited = curve("waitedTiers");
  expect(lineTotal(waited, waited.lines[0]!, 0, 3 * HOUR)).toBeCloseTo((2 * 50) / 60, 9);
});

test("free devices are told from those that are free on nodes in use, out of service or failed ones left out", () => {
  const { curve } = runOf({
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    workload: { jobs: [job("a", 0, 3, 60), job("b", 10, 4, 20), job("c", 90, 2, 30)] },
    interventions: [{ kind: "drain", atMs: 60 * MINUTE, nodes: ["n-001"] }],
    horizonMs: 3 * HOUR,
  });
  const free = curve("free");
  const at = (minute: number) => free.lines.map((line) => lineAt(line, minute * MINUTE));
  expect(free.lines.map(({ label }) => label)).toEqual(["free on part-used nodes", "free"]);
  // a holds 3 of the first node; b the second from 10 to 30; from 60 on the second is drained; c holds 2 of the first.
  expect(at(5)).toEqual([1, 5]);
  expect(at(20)).toEqual([1, 1]);
  expect(at(40)).toEqual([1, 5]);
  expect(at(70)).toEqual([0, 4]);
  expect(at(100)).toEqual([2, 2]);
});

test("demand is what is held and waited for over what is in service; a drained cluster has no such number", () => {
  const { curve } = runOf({
    ...two,
    interventions: [{ kind: "drain", atMs: 130 * MINUTE, nodes: ["n-000"] }],
    horizonMs: 4 * HOUR,
  });
  const [line] = curve("demand").lines;
  expect(lineAt(line!, 30 * MINUTE)).toBe((4 + 2 + 4) / 4);
  expect(lineAt(line!, 90 * MINUTE)).toBe((2 + 4) / 4);
  expect(lineAt(line!, 140 * MINUTE)).toBeNaN();
});

test("percentiles of a bin are those of the jobs that start in it, by nearest rank; a bin without a start has none", () => {
  const { curve } = runOf(two);
  const waits = curve("waits");
  expect(waits.binMs).toBe(10 * MINUTE);
  const [p95, p50] = waits.lines;
  expect(lineAt(p95!, 60 * MINUTE)).toBe(50 * MINUTE);
  expect(lineAt(p50!, 125 * MINUTE)).toBe(100 * MINUTE);
  expect(lineAt(p50!, 90 * MINUTE)).toBeNaN();
  expect(lineOver(p95!, 0, 3 * HOUR).most).toBe(100 * MINUTE);
});

test("a team's devices stand against what is due to it: its quota, or its part of the shares of teams with jobs", () => {
  const { curve } = runOf(two);
  const red = curve("team:0");
  const team = (index: number, atMin: number) => lineAt(red.lines[index]!, atMin * MINUTE);
  const names = runOf(two).stage.teams.map(({ id }) => id);
  expect(names[0]).toBe("red");
  expect([team(0, 5), team(1, 5)]).toEqual([4, 4]);
  expect([team(0, 30), team(1, 30)]).toEqual([4, 1]);
  const all = curve("teams");
  const redLine = all.lines.find(({ label }) => label === "red")!;
  expect(lineAt(redLine, 30 * MINUTE)).toBe(4);
  const withQuota = runOf({ ...two, teams: [{ id: "red", quotaGpus: 2 }, { id: "blue" }] });
  expect(lineAt(withQuota.curve("team:0").lines[1]!, 30 * MINUTE)).toBe(2);
});

test("cost so far ends at the cost of the run, and per useful device-hour at that of the metrics", () => {
  const { curve, metrics, endMs } = runOf(two);
  const [cost] = curve("cost").lines;
  expect(lineAt(cost!, HOUR)).toBe(12);
  expect(lineAt(cost!, endMs)).toBeCloseTo(metrics.cost!.total, 9);
  const [each] = curve("costPerHour").lines;
  expect(lineAt(each!, endMs)).toBeCloseTo(metrics.cost!.perUsefulGpuHour!, 9);
  expect(lineAt(each!, HOUR)).toBe(3);
});

test("preemptions are counted in bins, and in all as the metrics count them", () => {
  const settings = { order: "tiers", backfill: "none", preemption: "requeue" };
  const { curve, metrics, endMs } = runOf({
    ...two,
    pools: [{ id: "all", policy: { preset: "lab", settings } }],
  });
  const stops = curve("stops");
  expect(metrics.preemptions).toBe(1);
  expect(
    lineTotal(stops, stops.lines[0]!, 0, Math.ceil(endMs / stops.binMs!) * stops.binMs!),
  ).toBeCloseTo(1, 9);
  expect(lineAt(stops.lines[0]!, 15 * MINUTE)).toBe(1);
  const use = curve("use");
  const total = (label: string) => {
    const line = use.lines.find((one) => one.label === label)!;
    return lineTotal(use, line, 0, endMs);
  };
  expect(total("lost")).toBeCloseTo(metrics.gpuHours.lostWork, 9);
  expect(total("useful")).toBeCloseTo(metrics.gpuHours.useful, 9);
});

test("only what a run has can be chosen: teams, prices, fragmentation", () => {
  const { stage, chunks } = runOf(two);
  const ids = curveChoices(stage, chunks).map(({ id }) => id);
  expect(ids).toContain("cost");
  expect(ids).toContain("team:1");
  const plain = runOf({
    workload: { jobs: [job("a", 0, 1, 1)] },
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
  });
  const few = curveChoices(plain.stage, plain.chunks).map(({ id }) => id);
  expect(few).not.toContain("cost");
  expect(few).not.toContain("teams");
  expect(few).not.toContain("fragmentation");
});
