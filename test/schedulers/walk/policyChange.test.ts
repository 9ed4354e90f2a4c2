/** A change of policy in the middle of a run: the new one knows what was used under the old one. */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { gaugeOf, runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";
import { runDocument } from "../scenarioDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

/** The first policy until `atSec`, the second from then on. */
function changed(first: Given, atSec: number, second: Given, text: string): World {
  const world = tenancyWorld(text, { pools: [labPool(first)] });
  const change = {
    atMs: atSec * 1_000,
    source: 0,
    kind: "policy" as const,
    pool: 0,
    settings: labPool(second),
  };
  const changes = [...world.changes, change].sort((a, b) => a.atMs - b.atMs);
  return { ...world, changes };
}

/** First start in seconds. */
function startOf(world: World, name: string): number | undefined {
  const run = runsOf(world, runAll(world).chunk, name)[0];
  return run && run[0] / 1_000;
}

const MORNING = `1 gpus
  team red
  team blue
  team green
  0s A x1 40s team red user red
  0s H x1 30s team green user green
  1s R x1 10s team red user red
  2s B x1 10s team blue user blue`;

describe("first come first served until noon, then by what was used", () => {
  test.each(["fairShare", "fairTree", "leastUsage"])(
    "%s: the heavy user of the morning waits",
    (order) => {
      const world = changed({ order: "fcfs" }, 50, { order }, MORNING);
      expect([startOf(world, "B"), startOf(world, "R")]).toEqual([70, 80]);
      sameWithSnapshots(world);
    },
  );

  test.each([
    {
      halfLifeMs: 1_000,
      left: "ninety half-lives later what is left still counts",
      starts: [140, 130],
    },
    {
      halfLifeMs: 100,
      left: "nine hundred later nothing is left, and submission decides",
      starts: [130, 140],
    },
  ])("with a half-life of $halfLifeMs ms the morning fades: $left", ({ halfLifeMs, starts }) => {
    const late = MORNING.replace("0s H x1 30s", "0s H x1 90s");
    const world = changed({ order: "fcfs" }, 100, { order: "fairShare", halfLifeMs }, late);
    expect([startOf(world, "R"), startOf(world, "B")]).toEqual(starts);
  });

  test("a change between two kinds of fair share keeps what was used", () => {
    const world = changed(
      { order: "fairShare" },
      50,
      { order: "fairShare", shareOf: "team" },
      MORNING,
    );
    expect([startOf(world, "B"), startOf(world, "R")]).toEqual([70, 80]);
  });

  test("least attained service knows of runs that were lost before it", () => {
    const text = `1 nodes x 1 gpus
      0s J x1 100s
      20s ! fail 0
      25s K x1 10s
      40s ! resume 0`;
    const world = changed({ order: "fcfs" }, 30, { order: "leastAttained" }, text);
    expect(startOf(world, "K")).toBe(40);
    expect(runsOf(world, runAll(world).chunk, "J").at(-1)).toEqual([50_000, 150_000]);
  });

  test("device-hours used before count against a ceiling", () => {
    const text = `1 gpus
      team red
      limit team red hours 0.0125 period 1000s
      0s A x1 40s limit 45s team red
      41s R x1 10s limit 10s team red`;
    const world = changed({ order: "fcfs" }, 41, { order: "smallest" }, text);
    // 40 of 45 s are used in the window of 1000 s: R fits when 5 s of them have left it.
    expect(startOf(world, "R")).toBe(1_005);
  });

  test("a job that was evicted as often as it may be stays safe under the next policy", () => {
    const preempts = { preemption: "requeue", evictionsMost: 1, tiersFirst: true };
    const text = `1 gpus
      0s L x1 30s tier 3
      5s H x1 10s tier 0
      25s K x1 10s tier 0`;
    const world = changed(preempts, 20, { ...preempts, minRunMs: 1 }, text);
    expect([startOf(world, "H"), startOf(world, "K")]).toEqual([5, 45]);
  });
});

test("credits go on when the auction gets other rules", () => {
  const auction = { quota: "auction", auctionEveryMs: 10_000, burstMs: 100_000, refillEveryMs: 0 };
  const text = `1 gpus
    team red budget 1
    team blue budget 1
    0s A x1 60s bid 90 team red
    0s B x1 60s bid 60 team blue`;
  const world = changed(auction, 25, { ...auction, burstMs: 200_000 }, text);
  const left = gaugeOf(runAll(world).chunk, "credits").map(([, credits]) => credits);
  expect(left.length).toBeGreaterThan(2);
  expect(left).toEqual([...left].sort((a, b) => b - a));
});

test("what Slurm's jobs used counts under the lab's fair share", () => {
  const jobs = [
    { id: "A", user: "red", submitMs: 0, workMs: 40_000 },
    { id: "H", user: "green", submitMs: 0, workMs: 30_000 },
    { id: "R", user: "red", submitMs: 1_000, workMs: 10_000 },
    { id: "B", user: "blue", submitMs: 2_000, workMs: 10_000 },
  ].map((job) => ({ ...job, limitMs: 60_000, nodes: 1, gpusPerNode: 1 }));
  const conf = "SchedulerParameters=sched_interval=1,batch_sched_delay=0";
  const { world, chunks } = runDocument({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
    pools: [{ id: "main", policy: { preset: "slurm", slurm: { conf } } }],
    interventions: [
      {
        atMs: 50_000,
        kind: "policy",
        policy: { preset: "lab", settings: { order: "fairShare", shareOf: "user" } },
      },
    ],
    workload: { jobs },
  });
  const firstStart = (name: string) =>
    Math.min(...chunks.flatMap((chunk) => runsOf(world, chunk, name).map(([fromMs]) => fromMs)));
  expect(firstStart("H")).toBeLessThan(50_000);
  expect(firstStart("B")).toBeLessThan(firstStart("R"));
});

describe("a job that holds members and that the next policy can never run", () => {
  const within = { within: "nvswitch", order: "tiers" };
  test.each([
    { road: "plain", gang: false, next: within },
    { road: "walk", gang: false, next: { ...within, preemption: "wait" } },
    { road: "walk", gang: true, next: { ...within, preemption: "wait" } },
  ])("is refused and gives them back: $road, gang $gang", ({ gang, next }) => {
    const settings = { order: "tiers", gangTogether: false };
    const { world, chunks } = runDocument({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
      pools: [{ id: "main", policy: { preset: "lab", settings } }],
      interventions: [{ atMs: 10_000, kind: "policy", policy: { preset: "lab", settings: next } }],
      workload: {
        jobs: [
          { id: "A", submitMs: 0, workMs: 50_000, nodes: 1, gpusPerNode: 4 },
          {
            id: "L",
            submitMs: 1_000,
            workMs: 5_000,
            gang,
            components: [{ members: 2, gpusPerMember: 3 }],
          },
          { id: "B", submitMs: 2_000, workMs: 5_000, nodes: 1, gpusPerNode: 4 },
        ],
      },
    });
    const kinds = chunks.flatMap(({ decisions }) => [...decisions.kind]);
    expect(kinds.filter((kind) => kind === DecisionKindCode.refuse)).toHaveLength(1);
    expect(chunks.flatMap((chunk) => runsOf(world, chunk, "B"))).toEqual([[10_000, 15_000]]);
  });
});
