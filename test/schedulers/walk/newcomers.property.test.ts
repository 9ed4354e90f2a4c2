/**
 * The walk tests arrivals alone where it may: against passes that look at everybody, for orders whose places change while jobs wait, and where jobs wait that might
 * preempt others.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import { runAll } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Settings = Readonly<Record<string, SettingValue>>;

const ORDERS = [
  "fairShare",
  "fairTree",
  "leastUsage",
  "drf",
  "maxMin",
  "multifactor",
  "leastAttained",
  "tiresias",
  "themis",
] as const;

const drawn = fc.record({
  cluster: fc.constantFrom("8 gpus", "4 nodes x 2 gpus"),
  jobs: fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 60 }),
      gpus: fc.integer({ min: 1, max: 6 }),
      sec: fc.integer({ min: 1, max: 25 }),
      overSec: fc.integer({ min: 0, max: 5 }),
      team: fc.integer({ min: 0, max: 2 }),
      user: fc.integer({ min: 0, max: 3 }),
      tier: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  backfill: fc.constantFrom("none", "skip", "easy"),
  more: fc.constantFrom<Settings>(
    {},
    { tiersFirst: true, halfLifeMs: 20_000 },
    { roundMs: 7_000, attainedHours: 0.005, attainedQueues: 3, promoteFactor: 1 },
    { runTimes: "history", halfLifeMs: 5_000 },
    { runTimes: "noisy", shareOf: "user", queuedWeight: 1 },
    { priorityEveryMs: 3_000, ageWeight: 500, fairShareWeight: 900, sizeWeight: 50 },
    { preemption: "requeue", shareOf: "tier" },
  ),
});

type Draft = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const SHARES = [0, 1, 2].map((team) => `team t${team} shares ${team + 1}`);

/** Every run, as the walk makes it by itself and with passes that look at everybody. */
function bothWays({ cluster, jobs }: Draft, settings: Settings, teams = SHARES): string[][] {
  const lines = [...jobs]
    .sort((a, b) => a.atSec - b.atSec)
    .map(
      ({ atSec, gpus, sec, overSec, team, user, tier }, i) =>
        `${atSec}s J${i} ${cluster.includes("nodes") ? `${gpus}*1` : `x${gpus}`} ${sec}s limit ${sec + overSec}s team t${team} user u${user} tier ${tier}`,
    );
  return [{}, { testDepth: 1_000_000 }].map((depth) => {
    const world = tenancyWorld([cluster, ...teams, ...lines].join("\n"), {
      pools: [labPool({ ...settings, ...depth })],
      horizonMs: 2_000_000,
    });
    const { jobIdx, startMs, endMs, startReason } = runAll(world).chunk.runs;
    return Array.from(jobIdx, (job, i) => `${job} ${startMs[i]!} ${endMs[i]!} ${startReason[i]!}`);
  });
}

test.each(ORDERS)(
  "with the order %s nobody starts otherwise than where each pass looks at all",
  (order) => {
    const property = fc.property(drawn, (draft) => {
      const settings = { order, backfill: draft.backfill, roundMs: 0, ...draft.more };
      const runs = bothWays(draft, settings);
      expect(runs[0]).toEqual(runs[1]);
    });
    fc.assert(property, { numRuns: 150, endOnFailure: true });
  },
);

test.each(["smallest", "largest", "tiers"])(
  "with the order %s who arrives before the head starts in its place, and the head keeps its room",
  (order) => {
    const property = fc.property(drawn, (draft) => {
      const backfill = draft.backfill === "none" ? "easy" : draft.backfill;
      const runs = bothWays(draft, { order, backfill, ...draft.more });
      expect(runs[0]).toEqual(runs[1]);
    });
    fc.assert(property, { numRuns: 150, endOnFailure: true });
  },
);

const limit = fc.option(fc.integer({ min: 0, max: 4 }));
const quotas = fc.array(
  fc.record({ quota: fc.integer({ min: 0, max: 4 }), lend: limit, borrow: limit }),
  {
    minLength: 3,
    maxLength: 3,
  },
);

test.each<Settings>([
  { quota: "static" },
  { quota: "borrow" },
  { quota: "reclaim" },
  { quota: "reclaim", order: "tiers" },
  { quota: "reclaim", minRunMs: 6_000 },
  { quota: "reclaim", preemption: "graceful", graceMs: 3_000, order: "tiers" },
  { quota: "reclaim", reclaimTo: "fairShare" },
  { quota: "reclaim", reclaimTo: "fairShare", order: "smallest" },
])(
  "quotas: nobody starts, nor has to give back, otherwise than where each pass looks at all: %o",
  (given) => {
    const property = fc.property(drawn, quotas, (draft, teams) => {
      const lines = teams.map(
        ({ quota, lend, borrow }, team) =>
          `team t${team} quota ${quota}${lend === null ? "" : ` lend ${lend}`}${borrow === null ? "" : ` borrow ${borrow}`}`,
      );
      const runs = bothWays(draft, { order: "fcfs", backfill: draft.backfill, ...given }, lines);
      expect(runs[0]).toEqual(runs[1]);
    });
    fc.assert(property, { numRuns: 150, endOnFailure: true });
  },
);

test.each<Settings>([
  { preemption: "requeue" },
  { preemption: "requeue", order: "fcfs" },
  { preemption: "requeue", minRunMs: 7_000, placement: "bestFit" },
  { preemption: "requeue", exemptMs: 9_000 },
  { preemption: "suspend", victims: "youngest" },
  { preemption: "graceful", graceMs: 3_000 },
  { preemption: "wait", giveUpMs: 5_000 },
  { preemption: "cancel", preemptUnit: "node" },
  { preemption: "requeue", onlyIfUseful: false },
])("a search for victims that failed fails again while jobs only arrive and start: %o", (given) => {
  const property = fc.property(drawn, fc.integer({ min: 1, max: 3 }), (draft, reservations) => {
    const backfill = draft.backfill === "none" ? "reservations" : draft.backfill;
    const more = backfill === "reservations" ? { reservations } : {};
    const runs = bothWays(draft, { order: "tiers", backfill, ...more, ...given });
    expect(runs[0]).toEqual(runs[1]);
  });
  fc.assert(property, { numRuns: 150, endOnFailure: true });
});
