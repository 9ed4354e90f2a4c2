import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import { GAUGES } from "../../../src/model/lab/gauges.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { EndStateCode } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Settings = Readonly<Record<string, SettingValue>>;
const RUNS = { numRuns: 60, endOnFailure: true };
const GPUS = 8;
const TEAMS = 3;

interface DrawnJob {
  readonly atSec: number;
  readonly gpus: number;
  readonly sec: number;
  readonly team: number;
  readonly bid: number;
  readonly rigid: boolean;
  readonly tier: number;
}
interface Drawn {
  readonly quotas: readonly number[];
  readonly borrow: readonly (number | null)[];
  readonly lend: readonly (number | null)[];
  readonly budgets: readonly (number | null)[];
  readonly jobs: readonly DrawnJob[];
  readonly rules: string;
}

const perTeam = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: TEAMS, maxLength: TEAMS });
const drawn = (rules: fc.Arbitrary<string>): fc.Arbitrary<Drawn> =>
  fc.record({
    quotas: perTeam(fc.integer({ min: 0, max: 4 })),
    borrow: perTeam(fc.option(fc.integer({ min: 0, max: 4 }))),
    lend: perTeam(fc.option(fc.integer({ min: 0, max: 4 }))),
    budgets: perTeam(fc.option(fc.integer({ min: 0, max: 20 }))),
    jobs: fc.array(
      fc.record({
        atSec: fc.integer({ min: 0, max: 60 }),
        gpus: fc.integer({ min: 1, max: 5 }),
        sec: fc.integer({ min: 1, max: 20 }),
        team: fc.integer({ min: 0, max: TEAMS - 1 }),
        bid: fc.integer({ min: 1, max: 2_000 }),
        rigid: fc.boolean(),
        tier: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    rules,
  });
const NO_RULES = fc.constant("");

function worldOf(one: Drawn, settings: Settings, horizonMs = 300_000): World {
  const option = (word: string, value: number | null | undefined): string =>
    value === null || value === undefined ? "" : ` ${word} ${value}`;
  const teams = one.quotas.map(
    (quota, team) =>
      `team t${team} quota ${quota}${option("borrow", one.borrow[team])}${option("lend", one.lend[team])}${option("budget", one.budgets[team])}`,
  );
  const jobs = [...one.jobs]
    .sort((a, b) => a.atSec - b.atSec)
    .map(
      ({ atSec, gpus, sec, team, bid, rigid, tier }, i) =>
        `${atSec}s J${i} x${gpus} ${sec}s limit ${sec}s team t${team} user u${i % 2} tier ${tier} bid ${bid}${rigid ? " rigid" : ""}`,
    );
  const text = [`${GPUS} gpus`, ...teams, one.rules, ...jobs].join("\n");
  const pools = [labPool({ backfill: "skip", ...settings })];
  return tenancyWorld(text, { pools, horizonMs });
}

function runAll(world: World): { simulation: Simulation; chunk: Chunk } {
  const simulation = new Simulation(world, schedulerOf, { checks: true });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return { simulation, chunk: simulation.takeChunk() };
}

/** Stretches in which each job held devices, those still open included. */
function stretches({ simulation, chunk }: ReturnType<typeof runAll>) {
  const open = simulation.openSet();
  return [chunk.rects, open.rects].flatMap((rects) =>
    Array.from(rects.jobIdx, (jobIdx, i) => ({
      jobIdx,
      gpus: rects.deviceCount[i]!,
      fromMs: rects.startMs[i]!,
      toMs: Math.min(rects.endMs[i]!, open.atMs),
    })),
  );
}

/** The most that the chosen jobs held at once. */
function peak(parts: readonly { gpus: number; fromMs: number; toMs: number }[]): number {
  let most = 0;
  for (const { fromMs } of parts) {
    const now = parts.filter((part) => part.fromMs <= fromMs && fromMs < part.toMs);
    most = Math.max(
      most,
      now.reduce((sum, part) => sum + part.gpus, 0),
    );
  }
  return most;
}

/** Each job counted as one, however many runs of devices it holds. */
function perJob<T extends { jobIdx: number; fromMs: number }>(
  parts: readonly T[],
): (T & { gpus: number })[] {
  const one = new Map(parts.map((part) => [`${part.jobIdx} ${part.fromMs}`, part]));
  return [...one.values()].map((part) => ({ ...part, gpus: 1 }));
}

/** The most device-milliseconds within any window: it is reached where one ends with a stretch, or begins with one. */
function mostInWindow(
  parts: readonly { gpus: number; fromMs: number; toMs: number }[],
  periodMs: number,
): number {
  let most = 0;
  for (const endMs of parts.flatMap(({ fromMs, toMs }) => [toMs, fromMs + periodMs])) {
    let used = 0;
    for (const { gpus, fromMs, toMs } of parts)
      used += gpus * Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, endMs - periodMs));
    most = Math.max(most, used);
  }
  return most;
}

function inSlices(simulation: Simulation, maxEvents: number): void {
  let state = "more";
  while (state !== "done") {
    state = simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents });
    simulation.takeChunk();
  }
}

const settingsOf = (quota: string, more: Settings = {}): Settings => ({ quota, ...more });
const MODES: readonly (readonly [string, Settings])[] = [
  ["static", settingsOf("static")],
  ["borrow", settingsOf("borrow")],
  ["reclaim", settingsOf("reclaim")],
  ["reclaim to fair share", settingsOf("reclaim", { reclaimTo: "fairShare" })],
  [
    "auction",
    settingsOf("auction", { auctionEveryMs: 5_000, burstMs: 12_000, refillEveryMs: 40_000 }),
  ],
];

describe.each(MODES)("quota %s", (_, settings) => {
  test("what is borrowed is lent, or nobody's quota, at every moment", () => {
    fc.assert(
      fc.property(drawn(NO_RULES), (one) => {
        // Where what is lent can be taken back, an owner may start on what another keeps to itself, until that one wants it.
        const strict = settings["quota"] === "borrow" || settings["quota"] === "static";
        const world = worldOf(strict ? one : { ...one, lend: [] }, settings);
        const { gauges } = runAll(world).chunk;
        const unclaimed = Math.max(0, GPUS - one.quotas.reduce((sum, quota) => sum + quota, 0));
        const now = { borrowed: new Float64Array(TEAMS), lent: new Float64Array(TEAMS) };
        for (let i = 0; i < gauges.atMs.length; i++) {
          const kind = GAUGES[gauges.kind[i]!];
          if (kind === "borrowed" || kind === "lent")
            now[kind][gauges.subject[i]!] = gauges.value[i]!;
          if (gauges.atMs[i + 1] === gauges.atMs[i]) continue;
          const borrowed = now.borrowed.reduce((sum, gpus) => sum + gpus, 0);
          const lent = now.lent.reduce((sum, gpus) => sum + gpus, 0);
          expect(lent).toBeLessThanOrEqual(borrowed + 1e-9);
          if (one.quotas.reduce((sum, quota) => sum + quota, 0) <= GPUS)
            expect(borrowed - lent).toBeLessThanOrEqual(unclaimed + 1e-9);
        }
      }),
      RUNS,
    );
  });

  test("a run in slices with snapshots that goes back and on again comes out the same", () => {
    fc.assert(
      fc.property(drawn(NO_RULES), fc.integer({ min: 0, max: 90_000 }), (one, backMs) => {
        const whole = runAll(worldOf(one, settings)).simulation.digest();
        const sliced = new Simulation(worldOf(one, settings), schedulerOf, { checks: true });
        inSlices(sliced, 10);
        expect(sliced.digest()).toBe(whole);
        sliced.rewind(worldOf(one, settings), backMs);
        inSlices(sliced, 7);
        expect(sliced.digest()).toBe(whole);
      }),
      { ...RUNS, numRuns: 30 },
    );
  });
});

test("static: nobody is above its quota at any moment", () => {
  fc.assert(
    fc.property(drawn(NO_RULES), (one) => {
      const world = worldOf(one, { quota: "static" });
      const held = stretches(runAll(world));
      for (const [team, quota] of one.quotas.entries()) {
        const own = held.filter(({ jobIdx }) => world.jobs.at.team[jobIdx] === team);
        expect(peak(own)).toBeLessThanOrEqual(quota);
      }
    }),
    RUNS,
  );
});

test("borrowing: nobody is above quota and borrowing limit at any moment", () => {
  fc.assert(
    fc.property(drawn(NO_RULES), (one) => {
      const world = worldOf(one, { quota: "borrow" });
      const held = stretches(runAll(world));
      for (const [team, quota] of one.quotas.entries()) {
        const own = held.filter(({ jobIdx }) => world.jobs.at.team[jobIdx] === team);
        expect(peak(own)).toBeLessThanOrEqual(quota + (one.borrow[team] ?? GPUS));
      }
    }),
    RUNS,
  );
});

test("no reclaim loop: all work that may be done is done, and evictions are bounded by the starts that they make room for", () => {
  fc.assert(
    fc.property(drawn(NO_RULES), (one) => {
      const world = worldOf(one, { quota: "reclaim" }, 2_000_000);
      const { runs } = runAll(world).chunk;
      const evicted = runs.endState.filter((state) => state === EndStateCode.preempted).length;
      const started = runs.endState.length;
      // A take-back stops at most as many runs as there are devices, and each is followed by the start of a job that nobody stops before its team is above its quota again.
      expect(evicted).toBeLessThanOrEqual(one.jobs.length * GPUS);
      expect(started).toBeLessThanOrEqual(one.jobs.length * (GPUS + 1));
    }),
    RUNS,
  );
});

const RULES = fc.record({
  gpus: fc.integer({ min: 1, max: 6 }),
  jobs: fc.integer({ min: 1, max: 4 }),
  seconds: fc.integer({ min: 5, max: 80 }),
  periodSec: fc.integer({ min: 5, max: 60 }),
  cap: fc.integer({ min: 1, max: 6 }),
});

test("ceilings hold at every moment: devices, jobs, the cap of a tier, device-hours in every window", () => {
  fc.assert(
    fc.property(drawn(NO_RULES), RULES, (one, rule) => {
      const rules = [
        `limit user each gpus ${rule.gpus}`,
        `limit team each jobs ${rule.jobs} hours ${rule.seconds / 3_600} period ${rule.periodSec}s`,
        `tier 3 cap ${rule.cap}`,
      ].join("\n");
      const world = worldOf({ ...one, rules }, {});
      const held = stretches(runAll(world));
      const { user, team, tier } = world.jobs.at;
      for (let who = 0; who < TEAMS; who++) {
        const ofUser = held.filter(({ jobIdx }) => user[jobIdx] === who);
        const ofTeam = held.filter(({ jobIdx }) => team[jobIdx] === who);
        expect(peak(ofUser)).toBeLessThanOrEqual(rule.gpus);
        expect(peak(perJob(ofTeam))).toBeLessThanOrEqual(rule.jobs);
        expect(mostInWindow(ofTeam, rule.periodSec * 1_000)).toBeLessThanOrEqual(
          rule.seconds * 1_000 + 1e-6,
        );
      }
      expect(peak(held.filter(({ jobIdx }) => tier[jobIdx] === 3))).toBeLessThanOrEqual(rule.cap);
    }),
    RUNS,
  );
});

test("auction: no budget falls below zero, nor rises above what was given", () => {
  fc.assert(
    fc.property(drawn(NO_RULES), (one) => {
      const settings = settingsOf("auction", {
        auctionEveryMs: 5_000,
        burstMs: 12_000,
        refillEveryMs: 40_000,
      });
      const { gauges } = runAll(worldOf(one, settings)).chunk;
      for (let i = 0; i < gauges.atMs.length; i++) {
        if (GAUGES[gauges.kind[i]!] !== "credits") continue;
        expect(gauges.value[i]!).toBeGreaterThanOrEqual(0);
        expect(gauges.value[i]!).toBeLessThanOrEqual(one.budgets[gauges.subject[i]!]!);
      }
    }),
    RUNS,
  );
});
