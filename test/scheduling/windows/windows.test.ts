import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { PoolView } from "../../../src/engine/view.ts";
import type { WindowRule } from "../../../src/model/lab/tenancy.ts";
import { WaitReasonCode } from "../../../src/model/reasons.ts";
import type { Change, World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { knownOccurrences, nextChangeMs } from "../../../src/scheduling/windows/occurrences.ts";
import { beginningNow, isAdmitted } from "../../../src/scheduling/windows/windows.ts";
import { labPool } from "../../schedulers/policyDocs.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";

const SECOND = 1_000;

function rule(more: Partial<WindowRule> = {}): WindowRule {
  return {
    name: "w",
    kind: "maintenance",
    pool: 0,
    nodes: [0],
    nodeCount: 1,
    startMs: 10 * SECOND,
    durationMs: 5 * SECOND,
    everyMs: Number.POSITIVE_INFINITY,
    tiers: [],
    teams: [],
    queues: [],
    announcedMs: 0,
    kill: false,
    ...more,
  };
}

function worldWith(text: string, windows: readonly WindowRule[], changes: Change[] = []): World {
  const world = worldFromText(text, { pools: [labPool({ order: "tiers", backfill: "easy" })] });
  return { ...world, windows, changes: [...world.changes, ...changes] };
}

function starts(world: World, names: string): number[] {
  const { chunk } = runAll(world);
  return [...names].flatMap((name) =>
    runsOf(world, chunk, name).map(([startMs]) => startMs / SECOND),
  );
}

describe("windows", () => {
  it("keep jobs away whose limit reaches into announced maintenance; others start before it", () => {
    const world = worldWith("1 node x 4 gpus\n0s A 1x2 3s limit 11s\n0s B 1x2 10s limit 10s", [
      rule(),
    ]);
    expect(starts(world, "AB")).toEqual([15, 0]);
    const { chunk, simulation } = runAll(world);
    expect(simulation.explain(0, 1_000)?.reason).toBe(WaitReasonCode.window);
    const reasons = [...chunk.decisions.kind].flatMap((kind, i) =>
      kind === DecisionKindCode.wait ? [chunk.decisions.reason[i]] : [],
    );
    expect(reasons).toContain(WaitReasonCode.window);
  });

  it("come as a surprise where they are not announced: what runs goes on, nothing starts", () => {
    const text = "1 node x 4 gpus\n0s A 1x2 30s\n11s B 1x2 1s";
    expect(starts(worldWith(text, [rule({ announcedMs: 10 * SECOND })]), "AB")).toEqual([0, 15]);
  });

  it("kill what runs where they say so; it is queued again", () => {
    const text = "1 node x 4 gpus\n0s A 1x2 30s";
    const world = worldWith(text, [rule({ announcedMs: 10 * SECOND, kill: true })]);
    const { chunk } = runAll(world);
    expect(runsOf(world, chunk, "A")).toEqual([
      [0, 10_000],
      [15_000, 45_000],
    ]);
  });

  it("keep nodes for a tier: its jobs run in it, others wait or go elsewhere", () => {
    const nightly = rule({ kind: "reserved", tiers: [1] });
    const text =
      "2 nodes x 4 gpus\n9s A 1x4 5s tier 2\n9s B 1x4 9s tier 2\n11s C 1x4 4s tier 1\n12s D 1x4 1s tier 1";
    expect(starts(worldWith(text, [nightly]), "ABCD")).toEqual([9, 15, 11, 14]);
  });

  it("come again: no night is forgotten", () => {
    const nightly = rule({ everyMs: 20 * SECOND });
    const text = "1 node x 4 gpus\n16s A 1x4 2s limit 15s\n32s B 1x4 2s limit 15s";
    expect(starts(worldWith(text, [nightly]), "AB")).toEqual([35, 55]);
  });

  it("pick nodes that are free by then where none are named", () => {
    const picked = rule({ nodes: null, nodeCount: 1, announcedMs: 5 * SECOND });
    const text =
      "2 nodes x 4 gpus\n0s A 1x4 30s limit 30s\n0s B 1x4 6s limit 6s\n6s C 1x4 1s limit 9s";
    // Node 1 (B) is free at 10 s, node 0 is not.
    expect(starts(worldWith(text, [picked]), "ABC")).toEqual([0, 0, 15]);
  });

  it("are made and taken back by interventions, from that moment on", () => {
    const reservation = {
      name: "demo",
      startMs: 10 * SECOND,
      endMs: 20 * SECOND,
      nodes: ["n0"],
      allNodes: false,
      nodeCount: 0,
      users: [],
      accounts: [],
      partition: "",
      flags: ["MAINT"],
    };
    const reserve: Change = { atMs: 5_000, source: 0, kind: "reserve", pool: 0, reservation };
    const undo: Change = { atMs: 12_000, source: 1, kind: "unreserve", pool: 0, name: "demo" };
    const text = "1 node x 4 gpus\n0s A 1x4 2s limit 30s\n6s B 1x4 1s limit 30s";
    expect(starts(worldWith(text, [], [reserve]), "AB")).toEqual([0, 20]);
    expect(starts(worldWith(text, [], [reserve, undo]), "AB")).toEqual([0, 12]);
  });

  it("that are made by an edit of a run that goes on are those of a run that had them from the begin", () => {
    const reservation = {
      name: "demo",
      startMs: 12 * SECOND,
      endMs: 20 * SECOND,
      nodes: [],
      allNodes: false,
      nodeCount: 1,
      users: [],
      accounts: [],
      partition: "",
      flags: [],
    };
    const reserve: Change = { atMs: 7_500, source: 0, kind: "reserve", pool: 0, reservation };
    const jobs = Array.from({ length: 20 }, (_, i) => `${i}s J${i} 1x${1 + (i % 4)} 3s limit 9s`);
    const before = worldWith(["2 nodes x 4 gpus", ...jobs].join("\n"), []);
    const after = { ...before, changes: [reserve] };
    const edited = new Simulation(before, schedulerOf);
    for (const untilMs of [2_000, 5_000, 7_000]) {
      edited.advance({ untilMs, maxEvents: Number.POSITIVE_INFINITY });
      edited.takeChunk();
    }
    edited.rewind(after, 7_500);
    edited.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
    const straight = runAll(after);
    expect(edited.digest()).toBe(straight.simulation.digest());
    expect(straight.simulation.digest()).not.toBe(runAll(before).simulation.digest());
  });

  it("give the same run with snapshots, rewinds and slices", () => {
    const windows = [
      rule({ everyMs: 20 * SECOND, kill: true }),
      rule({ name: "n", kind: "reserved", nodes: null, startMs: 7_000, tiers: [0] }),
    ];
    const jobs = Array.from(
      { length: 20 },
      (_, i) => `${i}s J${i} 1x${1 + (i % 4)} ${3 + (i % 5)}s limit ${4 + (i % 7)}s tier ${i % 3}`,
    );
    sameWithSnapshots(worldWith(["3 nodes x 4 gpus", ...jobs].join("\n"), windows));
  });
});

describe("windows side by side", () => {
  it("that choose their nodes themselves choose different ones", () => {
    const anyNode = (name: string) => rule({ name, nodes: null, nodeCount: 1 });
    const text = "3 nodes x 2 gpus\n0s A 1x2 12s\n0s B 1x2 12s\n0s C 1x2 12s";
    expect(starts(worldWith(text, [anyNode("v"), anyNode("w")]), "ABC")).toEqual([0, 12, 15]);
  });

  it.each(["tiers", "teams", "queues", "users"])("admit only those in the list of %s", (list) => {
    const one = { tierOfJob: [1], jobs: { at: { team: [1], queue: [1], user: [1] } } };
    const admits = (names: readonly number[]) =>
      isAdmitted(
        one as unknown as PoolView,
        rule({ kind: "reserved", tiers: [1], [list]: names }),
        0,
      );
    expect(admits([0, 1])).toBe(true);
    expect(admits([0])).toBe(false);
  });

  it("that kill do so once, at their begin, and not where the pool was taken over later", () => {
    const kills = (begunMs: number) => {
      const state = {
        windows: [{ rule: rule({ kill: true }), change: -1, nodes: [0], begunMs }],
        changesSeen: 0,
        known: [{ nodes: [0], fromMs: 10, toMs: 20, forNobody: true, window: 0 }],
        untilMs: 20,
      };
      return [9, 10, 11].map((nowMs) => beginningNow(state, nowMs).length);
    };
    expect(kills(Number.NEGATIVE_INFINITY)).toEqual([0, 1, 0]);
    expect(kills(12)).toEqual([0, 0, 0]);
  });
});

describe("occurrences of a window", () => {
  it("are known as long ahead as the first one", () => {
    const window = { startMs: 100, durationMs: 10, everyMs: 50, announcedMs: 80 };
    expect(knownOccurrences(window, 79)).toEqual([]);
    expect(knownOccurrences(window, 80)).toEqual([{ startMs: 100, endMs: 110 }]);
    expect(knownOccurrences(window, 110)).toEqual([]);
    expect(knownOccurrences(window, 130)).toEqual([{ startMs: 150, endMs: 160 }]);
  });

  it("change only at the times that are told", () => {
    const times = fc.record({
      startMs: fc.nat(50),
      durationMs: fc.integer({ min: 1, max: 30 }),
      everyMs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Number.POSITIVE_INFINITY)),
      announcedMs: fc.nat(60),
    });
    fc.assert(
      fc.property(times, (window) => {
        for (let nowMs = 0; nowMs < 150; nowMs++) {
          const next = nextChangeMs(window, nowMs);
          expect(next).toBeGreaterThan(nowMs);
          if (next > nowMs + 1)
            expect(knownOccurrences(window, nowMs + 1)).toEqual(knownOccurrences(window, nowMs));
        }
      }),
      { endOnFailure: true, numRuns: 200 },
    );
  });
});
