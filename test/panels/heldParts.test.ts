/** Parts of devices in everything that tells what is held and waited for: the strip, the curves, their tables and the files. */
import { tableFromIPC } from "@uwdata/flechette";
import { expect, test } from "vitest";
import { arrowFile } from "../../src/app/share/tables/arrowFile.ts";
import { csvFile } from "../../src/app/share/tables/csvFile.ts";
import { runTable } from "../../src/app/share/tables/runTables.ts";
import { amountText } from "../../src/base/format.ts";
import { addPresets } from "../../src/cli/presets.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import { waitAccountSteps } from "../../src/metrics/waitAccount.ts";
import { curveText } from "../../src/panels/curves/curveWords.ts";
import { LaneGutter } from "../../src/panels/queues/laneGutter.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { lineAt } from "../../src/timeline/curves/curve.ts";
import type { CurveId } from "../../src/timeline/curves/curveIds.ts";
import { curveSteps } from "../../src/timeline/curves/curveSteps.ts";
import { StepWalk, stepSeriesOf } from "../../src/timeline/stepSeries.ts";
import { mustRead } from "../scenario/scenarios.ts";

addPresets();

const SECOND = 1_000;
/** When the page reads; slices take a while to be cut. */
const AT_MS = 400 * SECOND;
const open = { quota: -1, limit: -1, overQuotaWeight: 1 };
const kaiQueue = JSON.stringify({
  apiVersion: "scheduling.run.ai/v2",
  kind: "Queue",
  metadata: { name: "a" },
  spec: { resources: { gpu: open, cpu: open, memory: open } },
});
const lab = { preset: "lab", settings: {} };
const kai = { preset: "kai", yaml: kaiQueue, settings: {} };

const job = (id: string, part: object, workSec = 600) => ({
  id,
  submitMs: 0,
  workMs: workSec * SECOND,
  limitMs: workSec * SECOND,
  queue: "a",
  ...part,
});
const share = (milli: number) => ({ components: [{ gpuShareMilli: milli }] });

/** The run, with the page's readers of it set to 400 s. */
function runOf(policy: object, jobs: readonly object[]) {
  const scenario = mustRead({
    version: 1,
    cluster: {
      nodeGroups: [{ id: "n", count: 1, gpus: 4 }],
    },
    queues: ["a"],
    tiers: [{ id: "t", name: "T", letter: "T" }],
    pools: [{ id: "all", policy }],
    workload: { jobs },
  });
  const chunks: Chunk[] = [];
  const { world, open, metrics } = simulate(scenario, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const endMs = metrics.makespanSec * SECOND;
  const stage = { ...world, poolIds: world.pools.map(({ id }) => id) } as never;
  const future = { ...EMPTY_FUTURE, scenario, chunks, open, knownMs: endMs, endMs, done: true };
  runData.set({ stage, current: future, ghost: null });
  useApp.setState({ scenario, cursorMs: AT_MS });
  const table = runTable("series", {
    stage,
    future,
    scenario,
    window: { fromMs: AT_MS, toMs: endMs + 1 },
  });
  const curveOf = (id: CurveId) => drain(curveSteps(id, stage, { chunks, open, endMs }))!;
  const curves = { waited: [curveOf("waited"), curveOf("waitedTiers")], demand: curveOf("demand") };
  const range = { fromMs: AT_MS, toMs: AT_MS + SECOND, bins: 1 };
  const account = drain(waitAccountSteps(world, { chunks, open }, range));
  const series = stepSeriesOf(chunks, world.tiers.length);
  return { table, curve: curveOf("held"), curves, series, account, metrics };
}

const heldNow = (line: string) => line.split(",")[2];

async function told({ table, curve, series }: ReturnType<typeof runOf>) {
  const cell = document.createElement("span");
  const gutter = new LaneGutter(
    () => ({ held: cell, waiting: null, oldest: null }),
    () => 0,
  );
  gutter.read(series);
  gutter.write(0);
  const walk = new StepWalk(series);
  walk.moveTo(AT_MS);
  const arrow = tableFromIPC(arrowFile(table)).getChild("gpus_held");
  return {
    strip: cell.textContent,
    curve: amountText(walk.heldByAll),
    table: curveText(curve.unit, lineAt(curve.lines[0]!, AT_MS)),
    csv: heldNow((await csvFile(table)).join("").split("\r\n")[1]!),
    arrow: arrow?.at(0),
  };
}

const alike = (text: string) => ({
  strip: text,
  curve: text,
  table: text,
  csv: text,
  arrow: Number(text),
});

test.for([
  ["lab", lab],
  ["kai", kai],
] as const)(
  "%s: a device and three quarters of one are 1.75 held, wherever it is told",
  async ([, policy]) => {
    const run = runOf(policy, [job("whole", { gpus: 1 }), job("part", share(750))]);
    expect(await told(run)).toEqual(alike("1.75"));
  },
);

test.for([
  ["lab", lab],
  ["kai", kai],
] as const)("%s: whole devices are told without a point", async ([, policy]) => {
  const run = runOf(policy, [job("a", { gpus: 2 }), job("b", { gpus: 1 })]);
  expect(await told(run)).toEqual(alike("3"));
});

test("MIG slices are held by their compute slices, of seven, and seven sevenths are a device", async () => {
  const slices = (...profiles: string[]) =>
    runOf(
      lab,
      profiles.map((migProfile, n) => job(`s${n}`, { components: [{ migProfile }] })),
    );
  expect(await told(slices("1g.10gb"))).toMatchObject({ strip: "0.14", table: "0.14" });
  expect(await told(slices("3g.40gb", "4g.40gb"))).toEqual(alike("1"));
});

test("the part of a device that is free is idle while work waits, and the part that is held is not", () => {
  const { metrics } = runOf(lab, [job("part", share(750), 100), job("whole", { gpus: 4 }, 100)]);
  // 3.25 of 4 devices for the first half.
  expect(metrics.utilization.idleWhileWaiting).toBeCloseTo(3.25 / 4 / 2, 9);
});

const parts = [share(250), share(500), { components: [{ migProfile: "3g.40gb" }] }];
/** 0.25 + 0.5 + 3/7. */
const ASKED = 0.75 + 3 / 7;

test.for([
  ["lab", lab],
  ["kai", kai],
] as const)(
  "%s: parts of devices are waited for as parts, by the same measure as they are held",
  async ([, policy]) => {
    const { table, curves, series, account } = runOf(policy, [
      job("all", { gpus: 4 }, 500),
      ...parts.map((part, n) => job(`part${n}`, part, 100)),
    ]);
    const walk = new StepWalk(series);
    walk.moveTo(AT_MS);
    expect(walk.waitedByAll).toBeCloseTo(ASKED, 12);
    for (const { unit, lines } of curves.waited)
      expect(curveText(unit, lineAt(lines[0]!, AT_MS))).toBe("1.18");
    expect(lineAt(curves.demand.lines[0]!, AT_MS)).toBeCloseTo((4 + ASKED) / 4, 12);
    const arrow = tableFromIPC(arrowFile(table)).getChild("gpus_waited_for");
    expect(arrow?.at(0)).toBeCloseTo(ASKED, 12);
    // In a second in which all four devices are held.
    expect(account.waited.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(ASKED * SECOND, 6);
  },
);
