/**
 * A gang whose members come one by one, and a job that starts whole and cannot before that gang has run: the gang completes itself behind it, gives way to it, or gets the
 * node that it lacks. Each of these once waited for the other for ever.
 */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../src/model/policy.ts";
import { documentWorld } from "../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../support/labRuns.ts";

type Settings = Readonly<Record<string, SettingValue>>;
type Fields = Readonly<Record<string, unknown>>;

const of = (members: number, gpusPerMember = 1) => ({ components: [{ members, gpusPerMember }] });

/** Four devices, or so many groups of nodes; begin and end of each run in seconds, by job. */
function spans(
  settings: Settings,
  jobs: readonly Fields[],
  nodeGroups: readonly Fields[] = [{ id: "n", count: 1, gpus: 4 }],
): Readonly<Record<string, readonly string[]>> {
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups },
    pools: [{ id: "all", policy: { preset: "lab", settings } }],
    workload: { jobs },
  });
  sameWithSnapshots(world);
  const { chunk } = runAll(world);
  const runs = jobs.map(({ id }) => {
    const own = runsOf(world, chunk, String(id));
    return [id, own.map(([fromMs, toMs]) => `${fromMs / 1_000}-${toMs / 1_000}`)];
  });
  return Object.fromEntries(runs);
}

describe("behind a job that waits for what a gang holds", () => {
  // P holds three of its four devices when U, which stands before it, begins to wait for all of them; R ends at 5 s.
  const JOBS = [
    { id: "R", submitMs: 0, workMs: 5_000, ...of(1), tier: "critical" },
    { id: "P", submitMs: 1_000, workMs: 3_000, ...of(4), tier: "low", gang: false },
    { id: "U", submitMs: 2_000, workMs: 2_000, ...of(4), tier: "normal" },
  ];
  const ENDS = { R: ["0-5"], P: ["1-8"], U: ["8-10"] };

  for (const backfill of ["none", "easy"])
    test(`the gang completes itself, in a plain pass with backfill "${backfill}"`, () =>
      expect(spans({ order: "tiers", backfill }, JOBS)).toEqual(ENDS));

  for (const backfill of ["none", "easy", "reservations"])
    test(`the gang completes itself, in the walk with backfill "${backfill}"`, () =>
      expect(spans({ order: "tiers", backfill, runTimes: "exact" }, JOBS)).toEqual(ENDS));

  test("the gang completes itself although the walk looks at one job only", () =>
    expect(spans({ order: "tiers", backfill: "easy", testDepth: 1 }, JOBS)).toEqual(ENDS));

  test("the gang waits where that job can start beside what it holds", () => {
    const [first, gang] = JOBS;
    const [U, V] = [
      { id: "U", submitMs: 2_000, workMs: 2_000, ...of(1), tier: "normal" },
      { id: "V", submitMs: 3_000, workMs: 2_000, ...of(1), tier: "normal" },
    ];
    expect(spans({ order: "tiers", backfill: "none" }, [first!, gang!, U, V])).toEqual({
      R: ["0-5"],
      U: ["5-7"],
      V: ["7-9"],
      P: ["1-12"],
    });
  });
});

describe("a gang that holds some of its members", () => {
  const JOBS = [
    { id: "P", submitMs: 0, workMs: 3_000, ...of(3), tier: "low", gang: false },
    { id: "Q", submitMs: 0, workMs: 3_000, ...of(3), tier: "low", gang: false },
    { id: "U", submitMs: 5_000, workMs: 2_000, ...of(4), tier: "critical" },
  ];

  for (const preemption of ["requeue", "suspend", "graceful"])
    test(`gives way like a run, with preemption "${preemption}"`, () => {
      const { U } = spans({ order: "tiers", preemption, graceMs: 4_000, minRunMs: 9_000 }, JOBS);
      expect(U).toEqual(["5-7"]);
    });

  test("is nobody whose end is waited for", () => {
    const jobs = [
      { id: "R", submitMs: 0, workMs: 5_000, ...of(1), tier: "normal" },
      { id: "P", submitMs: 1_000, workMs: 3_000, ...of(4), tier: "low", gang: false },
      { id: "U", submitMs: 2_000, workMs: 2_000, ...of(3), tier: "critical" },
    ];
    expect(spans({ order: "tiers", preemption: "wait" }, jobs)).toEqual({
      R: ["0-5"],
      P: ["1-8"],
      U: ["8-10"],
    });
  });

  test("gets the node that it lacks", () => {
    const burst = { startupMs: 2_000, afterWaitMs: 3_000 };
    const groups = [
      { id: "n", count: 3, gpus: 1 },
      { id: "rented", count: 1, gpus: 1, burst },
    ];
    const jobs = [
      { id: "P", submitMs: 0, workMs: 3_000, ...of(4), gang: false },
      { id: "U", submitMs: 1_000, workMs: 2_000, ...of(4) },
    ];
    expect(spans({ order: "fcfs" }, jobs, groups)).toEqual({ P: ["0-8"], U: ["8-10"] });
  });
});

describe("runs stopped for a job that could not start on what they held", () => {
  // Victims go by counts alone: V is stopped for U, which would delay B. B had its turn before, and nothing else happens.
  const JOBS = [
    { id: "A", submitMs: 0, workMs: 5_000, ...of(1), tier: "critical" },
    { id: "V", submitMs: 1_000, workMs: 9_000, ...of(1), tier: "low" },
    { id: "B", submitMs: 2_000, workMs: 5_000, ...of(1), tier: "low" },
    { id: "U", submitMs: 3_000, workMs: 5_000, ...of(1), tier: "high" },
  ];
  const ONE = [{ id: "n", count: 1, gpus: 1 }];

  test("leave their devices to those who had their turn before", () => {
    const settings = { order: "fcfs", preemption: "cancel", onlyIfUseful: false, minRunMs: 2_000 };
    const { B, U } = spans(settings, JOBS, ONE);
    expect([B, U].map((runs) => runs!.length)).toEqual([1, 1]);
  });
});

describe("a job with nodes to itself", () => {
  for (const placement of ["gpuClustering", "fgd", "weightedBestFit", "random", "bestFit"])
    test(`has several members on each, placed by "${placement}"`, () => {
      const jobs = [{ id: "A", submitMs: 0, workMs: 5_000, ...of(8), exclusive: true }];
      const two = [{ id: "n", count: 2, gpus: 4 }];
      expect(spans({ placement }, jobs, two)).toEqual({ A: ["0-5"] });
    });

  test("starts whole, also where members take devices one by one", () => {
    const jobs = [{ id: "A", submitMs: 0, workMs: 5_000, ...of(8), exclusive: true, gang: false }];
    const two = [{ id: "n", count: 2, gpus: 4 }];
    for (const runTimes of ["limit", "exact"])
      expect(spans({ runTimes }, jobs, two)).toEqual({ A: ["0-5"] });
  });
});

test("a rented node stays, though idle, while victims end for a job that is to have it", () => {
  const burst = { startupMs: 2_000, afterWaitMs: 1_000, idleTimeoutMs: 0 };
  const groups = [
    { id: "n", count: 2, gpus: 1 },
    { id: "rented", count: 1, gpus: 1, burst },
  ];
  const jobs = [
    { id: "V", submitMs: 0, workMs: 90_000, ...of(1), tier: "low" },
    { id: "W", submitMs: 0, workMs: 2_000, ...of(1), tier: "low" },
    { id: "U", submitMs: 1_000, workMs: 5_000, ...of(2), tier: "critical" },
  ];
  const settings = { order: "tiers", preemption: "graceful", graceMs: 5_000 };
  const { U } = spans(settings, jobs, groups);
  expect(U).toHaveLength(1);
});
