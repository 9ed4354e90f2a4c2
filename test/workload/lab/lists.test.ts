/** Tenancy, windows, services and grounds of a document, as the engine meets them. */
import { describe, expect, test } from "vitest";
import { JobFlag, nameOf } from "../../../src/model/jobs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/units.ts";
import type { World } from "../../../src/model/world.ts";
import { expand } from "../../../src/workload/expand.ts";
import { demandSteps } from "../../../src/workload/lab/demand.ts";
import { must, mustRead, small } from "../../scenario/scenarios.ts";

const worldOf = (input: object): World => must(expand(mustRead({ ...small, ...input })));

describe("who may use how much", () => {
  const teams = [
    { id: "lab", quotaGpus: 8 },
    { id: "vision", parent: "lab", quotaGpus: 4, borrowGpus: 2, lendGpus: 1, budget: 100 },
  ];
  const jobs = [{ id: "a", submitMs: 0, workMs: 1, gpus: 1, user: "mira", team: "vision" }];

  test("teams know the team above them, their quota and their budget; absent stays absent", () => {
    expect(worldOf({ teams, workload: { jobs } }).teams).toEqual([
      { id: "lab", name: "lab", shares: 1, quotaGpus: 8 },
      {
        id: "vision",
        name: "vision",
        shares: 1,
        parent: 0,
        quotaGpus: 4,
        borrowGpus: 2,
        lendGpus: 1,
        budget: 100,
      },
    ]);
  });

  test("a ceiling is for one name or for each; one for a user whom nobody is binds nobody", () => {
    const limits = [
      { per: "team", gpus: 4 },
      { per: "user", name: "mira", gpuHours: 2, periodMs: DAY_MS },
      { per: "user", name: "nobody", jobs: 1 },
    ];
    const none = Number.POSITIVE_INFINITY;
    expect(worldOf({ teams, limits, workload: { jobs } }).limits).toEqual([
      { per: "team", index: -1, gpus: 4, gpuMs: none, periodMs: none, jobs: none },
      { per: "user", index: 0, gpus: none, gpuMs: 2 * HOUR_MS, periodMs: DAY_MS, jobs: none },
    ]);
  });

  test("a disruption budget is for an hour where it does not say how long", () => {
    const disruptionBudgets = [{ per: "tier", name: "low", jobs: 3 }];
    expect(worldOf({ disruptionBudgets }).disruptionBudgets).toEqual([
      { per: "tier", index: 3, jobs: 3, periodMs: HOUR_MS },
    ]);
  });
});

describe("windows", () => {
  const cluster = {
    nodeGroups: [
      { id: "a", count: 2, gpus: 1 },
      { id: "b", count: 2, gpus: 1 },
    ],
  };
  const pools = [{ id: "one", nodeGroups: ["a"] }, { id: "two" }];
  const windowsOf = (...windows: object[]) => worldOf({ cluster, pools, windows }).windows;
  const at = { startMs: HOUR_MS, durationMs: MINUTE_MS };

  test("a host list over two pools is a window in each", () => {
    expect(
      windowsOf({ name: "w", nodes: "a-001,b-[000-001]", tiers: ["high"], ...at }),
    ).toMatchObject([
      { pool: 0, nodes: [1], nodeCount: 1, tiers: [1] },
      { pool: 1, nodes: [2, 3], nodeCount: 2, tiers: [1] },
    ]);
  });

  test("maintenance without nodes is of all nodes of its pool, or of every pool", () => {
    expect(windowsOf({ name: "w", kind: "maintenance", pool: "two", ...at })).toMatchObject([
      { pool: 1, nodes: [2, 3], everyMs: Number.POSITIVE_INFINITY, announcedMs: 0 },
    ]);
    expect(windowsOf({ name: "w", kind: "maintenance", ...at })).toHaveLength(2);
  });

  test("nodes that the scheduler picks are a number", () => {
    expect(windowsOf({ name: "w", nodeCount: 2, everyMs: DAY_MS, ...at })).toMatchObject([
      { pool: 0, nodes: null, nodeCount: 2, everyMs: DAY_MS },
    ]);
  });
});

describe("services", () => {
  const services = [
    {
      id: "chat",
      minReplicas: 1,
      maxReplicas: 3,
      gpusPerReplica: 2,
      requestMs: 100,
      coldStartMs: 9,
      demand: {},
    },
    { id: "embed", maxReplicas: 1, requestMs: 5, demand: {} },
  ];
  const jobs = [{ id: "train", submitMs: 0, workMs: 1, gpus: 1 }];
  const world = worldOf({ services, horizonMs: DAY_MS, workload: { jobs } });

  test("each replica is a job without an end, before the jobs of the same time", () => {
    const { ids, at, lab, count } = world.jobs;
    expect(Array.from({ length: count }, (_, i) => nameOf(ids, i))).toEqual([
      "chat/0",
      "chat/1",
      "chat/2",
      "embed/0",
      "train",
    ]);
    expect([...at.gpuTotal]).toEqual([2, 2, 2, 1, 1]);
    expect([...at.flags].map((flags) => (flags & JobFlag.service) !== 0)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(lab.get(0)!.startupMs).toBe(9);
    expect(world.services!.map((service) => [...service.replicas])).toEqual([[0, 1, 2], [3]]);
  });

  test("nobody preempts the least number of replicas", () => {
    const preemptible = [...world.jobs.at.flags].map(
      (flags) => (flags & JobFlag.preemptible) !== 0,
    );
    expect(preemptible).toEqual([false, true, true, false, true]);
  });
});

describe("demand", () => {
  const demandOf = (fields: object, horizonMs = DAY_MS, calendarStart?: string) =>
    worldOf({
      horizonMs,
      ...(calendarStart === undefined ? {} : { calendarStart }),
      services: [{ id: "s", maxReplicas: 1, requestMs: 1, demand: fields }],
    }).services![0]!.demand;
  const pairs = ({ atMs, perSec }: ReturnType<typeof demandOf>) =>
    [...atMs].map((time, i) => [time / HOUR_MS, perSec[i]]);

  test("constant demand is one step", () => {
    expect(pairs(demandOf({ perSec: 7 }))).toEqual([[0, 7]]);
  });

  test("a square wave is high for half of its period, around the peak", () => {
    const square = {
      shape: "square",
      perSec: 1,
      highPerSec: 9,
      periodMs: DAY_MS,
      peakMs: 12 * HOUR_MS,
    };
    expect(pairs(demandOf(square, 2 * DAY_MS))).toEqual([
      [0, 1],
      [6, 9],
      [18, 1],
      [30, 9],
      [42, 1],
    ]);
    expect(pairs(demandOf({ ...square, peakMs: 0 }))).toEqual([
      [0, 9],
      [6, 1],
      [18, 9],
    ]);
    expect(pairs(demandOf(square, DAY_MS, "2026-03-02T12:00:00"))).toEqual([
      [0, 9],
      [6, 1],
      [18, 9],
    ]);
  });

  test("a daily wave has its mean over a day, its peak at the peak hour and its low twelve hours away", () => {
    const wave = {
      shape: "diurnal",
      perSec: 10,
      swing: 0.5,
      peakMs: 14.5 * HOUR_MS,
      stepMs: HOUR_MS,
    };
    const { atMs, perSec } = demandOf(wave);
    expect(atMs).toHaveLength(24);
    expect(perSec.reduce((sum, rate) => sum + rate, 0) / 24).toBeCloseTo(10, 9);
    expect(perSec[14]).toBeCloseTo(15, 9);
    expect(perSec[2]).toBeCloseTo(5, 9);
    expect(Math.max(...perSec)).toBe(perSec[14]);
  });

  test("points hold until the next one, in any order; before the first it is perSec", () => {
    const points = [
      { atMs: 2 * HOUR_MS, perSec: 5 },
      { atMs: HOUR_MS, perSec: 4 },
    ];
    expect(pairs(demandOf({ shape: "points", perSec: 1, points }))).toEqual([
      [0, 1],
      [1, 4],
      [2, 5],
    ]);
  });

  test("the steps of a wave end with the run", () => {
    const demand = mustRead({
      ...small,
      horizonMs: 1,
      services: [{ id: "s", maxReplicas: 1, requestMs: 1, demand: { shape: "diurnal" } }],
    }).services[0]!.demand;
    expect(demandSteps(demand, 10 * MINUTE_MS, 0).atMs).toHaveLength(10);
  });
});

describe("the ground", () => {
  test("rented nodes are there only once they are opened; spot ones are taken back at drawn times", () => {
    const cluster = {
      nodeGroups: [
        { id: "own", count: 1, gpus: 1, pricePerGpuHour: 2 },
        { id: "spot", count: 2, gpus: 1, burst: { spotMeanMs: HOUR_MS, spotNoticeMs: 30_000 } },
      ],
    };
    const { unbornNodes, burst, cluster: laid } = worldOf({ cluster, horizonMs: 400 * HOUR_MS });
    expect(unbornNodes).toEqual([1, 2]);
    expect(burst).toMatchObject([{ nodes: [1, 2], noticeMs: 30_000, startupMs: 180_000 }]);
    expect(laid.groups.map((group) => group.pricePerGpuHour)).toEqual([2, undefined]);
    const [first, second] = burst![0]!.takenMs!;
    expect(first).not.toEqual(second);
    // 400 expected, standard deviation 20.
    expect(first!.length).toBeGreaterThan(340);
    expect(first!.length).toBeLessThan(460);
  });

  test("a filesystem is read as fast as it is written where nothing else is said; pools of the fleet are numbers", () => {
    const { storage, fleet, network } = worldOf({
      cluster: { ...small.cluster, storage: { writeGBps: 3 }, network: { nicGBps: 25 } },
      pools: [{ id: "serve", route: { kinds: ["inference"] } }, { id: "batch" }],
      fleet: { serving: "serve", batch: "batch" },
    });
    expect(storage).toEqual({ writeGBps: 3, readGBps: 3 });
    expect(fleet).toMatchObject({ serving: 0, batch: 1, handOverMs: 300_000 });
    expect(network).toMatchObject({ nicGBps: 25, nicsPerNode: 8 });
  });

  test("a document without any of it gives none of it", () => {
    const world = worldOf({});
    expect(world.unbornNodes).toBeUndefined();
    expect(world.network).toBeUndefined();
    expect([world.limits, world.windows, world.services]).toEqual([[], [], []]);
  });
});
