import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { runAll } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Settings = Readonly<Record<string, SettingValue>>;

const drawn = fc.record({
  quotas: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
  jobs: fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 40 }),
      gpus: fc.integer({ min: 1, max: 5 }),
      sec: fc.integer({ min: 1, max: 20 }),
      team: fc.integer({ min: 0, max: 2 }),
      user: fc.integer({ min: 0, max: 3 }),
      tier: fc.integer({ min: 0, max: 3 }),
      bid: fc.integer({ min: 1, max: 2_000 }),
      rigid: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  rules: fc.constantFrom(
    "",
    "limit user each gpus 3",
    "limit user each jobs 1",
    "limit team each hours 0.005 period 20s",
    "limit team each gpus 4\nlimit user each hours 0.004 period 15s",
    "limit tier 2 gpus 2",
  ),
  quota: fc.constantFrom("none", "static", "borrow", "reclaim", "auction"),
  backfill: fc.constantFrom("skip", "easy", "reservations"),
  order: fc.constantFrom("fcfs", "shortest", "tiers", "fairShare", "drf", "multifactor"),
  more: fc.constantFrom<Settings>(
    {},
    { tiersFirst: true },
    { preemption: "requeue", reclaimTo: "fairShare" },
    { auctionEveryMs: 5_000, burstMs: 12_000 },
  ),
});

function worldOf(
  one: typeof drawn extends fc.Arbitrary<infer T> ? T : never,
  more: Settings,
): World {
  const teams = one.quotas.map((quota, team) => `team t${team} quota ${quota} budget 15`);
  const jobs = [...one.jobs]
    .sort((a, b) => a.atSec - b.atSec)
    .map(
      ({ atSec, gpus, sec, team, user, tier, bid, rigid }, i) =>
        `${atSec}s J${i} x${gpus} ${sec}s limit ${sec + (i % 3)}s team t${team} user u${user} tier ${tier} bid ${bid}${rigid ? " rigid" : ""}`,
    );
  const { quota, backfill, order } = one;
  const settings = { quota, backfill, order, ...one.more, ...more };
  return tenancyWorld(["8 gpus", ...teams, one.rules, ...jobs].join("\n"), {
    pools: [labPool(settings)],
    horizonMs: 400_000,
  });
}

describe("jobs that a gate holds", () => {
  test("start as they do where a pass asks about each of them", () => {
    const property = fc.property(drawn, (one) => {
      const runs = [{}, { testDepth: 1_000_000 }].map((depth) => {
        const { jobIdx, startMs, endMs } = runAll(worldOf(one, depth)).chunk.runs;
        return Array.from(jobIdx, (job, i) => `${job} ${startMs[i]!} ${endMs[i]!}`);
      });
      expect(runs[0]).toEqual(runs[1]);
    });
    fc.assert(property, { numRuns: 400, endOnFailure: true });
  });

  test("cost a pass nothing while nobody of their team ends", () => {
    const held = Array.from({ length: 50 }, (_, i) => `1s H${i} x1 10s limit 10s team a`);
    const text = ["8 gpus", "team a quota 1", "team b quota 7", "0s A x1 60s limit 60s team a"];
    const b = ["2s B x1 5s limit 5s team b", "3s C x1 5s limit 5s team b"];
    const world = tenancyWorld([...text, ...held, ...b].join("\n"), {
      pools: [labPool({ quota: "static", backfill: "skip" })],
      horizonMs: 100_000,
    });
    const { runs } = runAll(world).chunk;
    const starts = new Map(Array.from(runs.jobIdx, (job, i) => [job, runs.startMs[i]!]));
    // The first of those held, and then one after the other.
    expect([starts.get(1), starts.get(2), starts.get(3)]).toEqual([60_000, 70_000, 80_000]);
    expect([starts.get(51), starts.get(52)]).toEqual([2_000, 3_000]);
  });
});
