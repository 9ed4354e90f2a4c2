import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classicVictims } from "../../../src/scheduling/kubernetes/kueue/classicPreemption.ts";
import { type Head, runCycle } from "../../../src/scheduling/kubernetes/kueue/cycle.ts";
import { fairVictims } from "../../../src/scheduling/kubernetes/kueue/fairPreemption.ts";
import {
  chooseFlavor,
  FUNGIBILITY,
  type Trial,
} from "../../../src/scheduling/kubernetes/kueue/flavors.ts";
import {
  chargeAll,
  fitsNow,
  noUsage,
  type QuotaNode,
  quotaTree,
  releaseAll,
} from "../../../src/scheduling/kubernetes/kueue/quotaTree.ts";
import type {
  PreemptionRules,
  Workload,
} from "../../../src/scheduling/kubernetes/kueue/workloads.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const NOBODY: PreemptionRules = { withinQueue: "Never", reclaim: "Never", borrowUpTo: null };

function node(name: string, parentIdx: number, nominal: number, isQueue = true): QuotaNode {
  const open = { borrowingLimit: INFINITE, lendingLimit: INFINITE };
  return { name, parentIdx, weight: 1, isQueue, quotas: [{ nominal, ...open }] };
}

function workload(name: string, queue: number, amount: number, changes: Partial<Workload> = {}) {
  return {
    name,
    queue,
    priority: 0,
    queuedMs: 0,
    admittedMs: 0,
    evicted: false,
    amounts: [{ cell: 0, amount }],
    ...changes,
  };
}

/** Three queues in a cohort, a fourth at the root beside it. */
function threeAndOne(nominal: readonly number[]) {
  return quotaTree(
    [
      node("a", 4, nominal[0]!),
      node("b", 4, nominal[1]!),
      node("c", 4, nominal[2]!),
      node("d", 5, nominal[3]!),
      node("team", 5, 0, false),
      node("root", -1, 0, false),
    ],
    [0],
  );
}

const cases = fc.record({
  nominal: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 4, maxLength: 4 }),
  admitted: fc.array(
    fc.record({
      queue: fc.nat(3),
      amount: fc.integer({ min: 1, max: 4 }),
      priority: fc.integer({ min: 0, max: 2 }),
      admittedMs: fc.nat(5),
    }),
    { maxLength: 8 },
  ),
  amount: fc.integer({ min: 1, max: 8 }),
  rules: fc.record({
    withinQueue: fc.constantFrom("Never" as const, "LowerPriority" as const),
    reclaim: fc.constantFrom("Never" as const, "LowerPriority" as const, "Any" as const),
    borrowUpTo: fc.constantFrom(null, 0, INFINITE),
  }),
});

describe.each([
  ["classic", classicVictims],
  ["fair", fairVictims],
] as const)("%s preemption", (_, victimsOf) => {
  test("evicts nobody or enough, only whom the rules let it look at, and leaves the books as they were", () => {
    fc.assert(
      fc.property(cases, ({ nominal, admitted, amount, rules }) => {
        const tree = threeAndOne(nominal);
        const usage = noUsage(tree);
        const held: Workload[][] = tree.nodes.map(() => []);
        for (const [idx, one] of admitted.entries()) {
          const placed = workload(`w${idx}`, one.queue, one.amount, one);
          if (!fitsNow(tree, usage, one.queue, placed.amounts)) continue;
          held[one.queue]!.push(placed);
          chargeAll(tree, usage, one.queue, placed.amounts);
        }
        const incoming = workload("in", 0, amount, { priority: 1 });
        if (fitsNow(tree, usage, 0, incoming.amounts)) return;
        const before = Float64Array.from(usage);
        const victims = victimsOf({ tree, usage, admitted: held, incoming, rules, contested: [0] });
        expect(usage).toEqual(before);
        for (const victim of victims) {
          const own = victim.workload.queue === 0;
          expect(own ? rules.withinQueue : rules.reclaim).not.toBe("Never");
          if (own || rules.reclaim === "LowerPriority")
            expect(victim.workload.priority).toBeLessThan(1);
          if (!own)
            expect(before[victim.workload.queue]).toBeGreaterThan(nominal[victim.workload.queue]!);
          releaseAll(tree, usage, victim.workload.queue, victim.workload.amounts);
        }
        if (victims.length > 0) expect(fitsNow(tree, usage, 0, incoming.amounts)).toBe(true);
      }),
      { endOnFailure: true, numRuns: 500 },
    );
  });
});

describe("a cycle", () => {
  const tree = quotaTree([node("own", 2, 4), node("guest", 2, 0), node("pool", -1, 0, false)], [0]);
  const head = (one: Workload, changes: Partial<Head> = {}): Head => ({
    workload: one,
    mode: "Fit",
    borrowLevel: 0,
    holdsQuota: false,
    victims: [],
    rules: NOBODY,
    ...changes,
  });

  test("what a head without victims holds back is free again afterwards, unless it may reclaim from anybody: then nothing is held", () => {
    const stuck = head(workload("stuck", 0, 5), { mode: "Preempt" });
    const small = head(workload("small", 1, 4), { borrowLevel: 1 });
    const usage = noUsage(tree);
    expect(runCycle(tree, usage, [small, stuck]).map(({ outcome }) => outcome)).toEqual([
      "noCandidates",
      "noLongerFits",
    ]);
    expect(usage).toEqual(noUsage(tree));
    const any = { ...stuck, rules: { ...NOBODY, reclaim: "Any" as const } };
    expect(runCycle(tree, usage, [small, any]).map(({ outcome }) => outcome)).toEqual([
      "noCandidates",
      "admitted",
    ]);
  });

  test("two heads never share a victim, and one that holds quota already goes first", () => {
    const usage = noUsage(tree);
    const victim = workload("victim", 0, 4);
    chargeAll(tree, usage, 0, victim.amounts);
    const first = head(workload("b", 0, 2), { mode: "Preempt", victims: [victim] });
    const second = head(workload("a", 1, 2), {
      mode: "Preempt",
      victims: [victim],
      borrowLevel: 1,
    });
    const holder = head(workload("z", 1, 9), { holdsQuota: true, borrowLevel: 2 });
    expect(
      runCycle(tree, usage, [second, first, holder]).map(({ workload: { name }, outcome }) => [
        name,
        outcome,
      ]),
    ).toEqual([
      ["z", "admitted"],
      ["b", "waitsForVictims"],
      ["a", "victimsShared"],
    ]);
  });
});

describe("choice of a flavor", () => {
  const open = { borrowingLimit: INFINITE, lendingLimit: INFINITE };
  const tree = quotaTree(
    [
      { ...node("q", 1, 0), quotas: [2, 2].map((nominal) => ({ nominal, ...open })) },
      { ...node("pool", -1, 0, false), quotas: [8, 8].map((nominal) => ({ nominal, ...open })) },
    ],
    [0, 0],
  );
  const usage = noUsage(tree);
  chargeAll(tree, usage, 0, [
    { cell: 0, amount: 9 },
    { cell: 1, amount: 9 },
  ]);
  const choose = (trials: readonly Trial[], changes: Partial<typeof FUNGIBILITY>) =>
    chooseFlavor(
      {
        tree,
        usage,
        queue: 0,
        rules: { ...NOBODY, borrowUpTo: INFINITE },
        fungibility: { ...FUNGIBILITY, whenCanBorrow: "TryNextFlavor", ...changes },
        fairSharing: false,
      },
      [0, 1].map((cell) => [{ cell, amount: 4 }]),
      (cell) => trials[cell]!,
    );

  test("reclaiming ranks above evicting own work, unless less borrowing comes first", () => {
    const trials: Trial[] = [
      { mode: "reclaim", borrow: 1 },
      { mode: "preempt", borrow: 0 },
    ];
    expect(choose(trials, {}).flavorIdx).toBe(0);
    expect(choose(trials, { preference: "PreemptionOverBorrowing" }).flavorIdx).toBe(1);
  });

  test("nobody to take stays below anything that can be, under either preference", () => {
    const trials: Trial[] = [
      { mode: "noCandidates", borrow: 0 },
      { mode: "preempt", borrow: 1 },
    ];
    for (const preference of ["BorrowingOverPreemption", "PreemptionOverBorrowing"] as const)
      expect(choose(trials, { preference }).flavorIdx).toBe(1);
  });

  test("a flavor without candidates never stops the search, one that can be freed does if the queue says so", () => {
    const stop = { whenCanPreempt: "MayStopSearch", whenCanBorrow: "MayStopSearch" } as const;
    const freed: Trial = { mode: "preempt", borrow: 1 };
    const better: Trial = { mode: "reclaim", borrow: 0 };
    expect(choose([freed, better], stop).flavorIdx).toBe(0);
    expect(choose([freed, better], { whenCanPreempt: "MayStopSearch" }).flavorIdx).toBe(1);
    expect(choose([{ mode: "noCandidates", borrow: 0 }, better], stop).flavorIdx).toBe(1);
  });
});
