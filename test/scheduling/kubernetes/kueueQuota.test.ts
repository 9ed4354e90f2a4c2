import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  available,
  borrowLevel,
  type CellQuota,
  charge,
  fitsNow,
  noUsage,
  type QuotaNode,
  type QuotaTree,
  quotaTree,
  release,
} from "../../../src/scheduling/kubernetes/kueue/quotaTree.ts";
import {
  compareShares,
  shareOf,
  shareValue,
} from "../../../src/scheduling/kubernetes/kueue/share.ts";
import { nextHead } from "../../../src/scheduling/kubernetes/kueue/tournament.ts";
import type { Workload } from "../../../src/scheduling/kubernetes/kueue/workloads.ts";

const INFINITE = Number.POSITIVE_INFINITY;

function quota(nominal: number, changes: Partial<CellQuota> = {}): CellQuota {
  return { nominal, borrowingLimit: INFINITE, lendingLimit: INFINITE, ...changes };
}

function node(name: string, parentIdx: number, changes: Partial<QuotaNode> = {}): QuotaNode {
  return { name, parentIdx, weight: 1, isQueue: true, quotas: [quota(0)], ...changes };
}

/** Two cohorts below a root, two queues in each, one cell. */
const trees = fc
  .array(
    fc.record({
      nominal: fc.integer({ min: 0, max: 9 }),
      borrowingLimit: fc.oneof(fc.constant(INFINITE), fc.integer({ min: 0, max: 9 })),
      lendingLimit: fc.oneof(fc.constant(INFINITE), fc.integer({ min: 0, max: 9 })),
    }),
    { minLength: 7, maxLength: 7 },
  )
  .map((quotas) =>
    quotaTree(
      [5, 5, 6, 6, -1, 4, 4].map((parentIdx, idx) =>
        node(`n${idx}`, parentIdx, {
          isQueue: idx < 4,
          quotas: [quotas[idx]!],
        }),
      ),
      [0],
    ),
  );
const amounts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 4 });

function used(tree: QuotaTree, byQueue: readonly number[]) {
  const usage = noUsage(tree);
  for (const [queue, amount] of byQueue.entries()) charge(tree, usage, queue, 0, amount);
  return usage;
}

describe("quota tree", () => {
  test("what is in use depends on who uses how much, not on what was charged and released before", () => {
    fc.assert(
      fc.property(trees, amounts, amounts, (tree, first, second) => {
        const usage = used(tree, first);
        for (const [queue, amount] of second.entries()) charge(tree, usage, queue, 0, amount);
        for (const [queue, amount] of first.entries()) release(tree, usage, queue, 0, amount);
        expect(usage).toEqual(used(tree, second));
      }),
      { endOnFailure: true },
    );
  });

  test("whatever is available can be charged, and then nothing more", () => {
    fc.assert(
      fc.property(trees, amounts, fc.nat(3), (tree, byQueue, queue) => {
        const usage = used(tree, byQueue);
        const free = available(tree, usage, queue, 0);
        if (free < 0) return;
        expect(fitsNow(tree, usage, queue, [{ cell: 0, amount: free }])).toBe(true);
        charge(tree, usage, queue, 0, free);
        expect(available(tree, usage, queue, 0)).toBe(0);
      }),
      { endOnFailure: true },
    );
  });

  test("an empty tree offers each queue all that it could ever have", () => {
    fc.assert(
      fc.property(trees, fc.nat(3), (tree, queue) => {
        expect(available(tree, noUsage(tree), queue, 0)).toBe(tree.potential[queue]);
      }),
      { endOnFailure: true },
    );
  });

  test("a lending limit keeps the rest at home", () => {
    const tree = quotaTree(
      [
        node("lender", 2, { quotas: [quota(10, { lendingLimit: 4 })] }),
        node("guest", 2),
        node("pool", -1, { isQueue: false }),
      ],
      [0],
    );
    expect(available(tree, noUsage(tree), 1, 0)).toBe(4);
    expect(available(tree, used(tree, [6, 0]), 1, 0)).toBe(4);
    expect(available(tree, used(tree, [8, 0]), 1, 0)).toBe(2);
  });

  test("the borrow level is the height of the smallest subtree that covers the amount", () => {
    const tree = quotaTree(
      [
        node("queue", 1, { quotas: [quota(1)] }),
        node("team", 2, { isQueue: false, quotas: [quota(2)] }),
        node("root", -1, { isQueue: false, quotas: [quota(4)] }),
      ],
      [0],
    );
    const level = (amount: number) => borrowLevel(tree, noUsage(tree), 0, 0, amount);
    expect([1, 3, 7, 9].map((amount) => level(amount).height)).toEqual([0, 1, 2, 2]);
    expect([1, 3, 7].map((amount) => level(amount).belowRoot)).toEqual([true, true, false]);
  });
});

describe("shares", () => {
  const tree = (weights: readonly number[]) =>
    quotaTree(
      [
        ...weights.map((weight, idx) => node(`q${idx}`, weights.length, { weight })),
        node("pool", -1, { isQueue: false, quotas: [quota(12)] }),
      ],
      [0],
    );

  test("twice the weight may borrow twice as much, exactly", () => {
    const one = tree([1 / 3, 2 / 3]);
    const usage = used(one, [3, 6]);
    expect(compareShares(shareOf(one, usage, 0), shareOf(one, usage, 1))).toBe(0);
  });

  test("two queues of weight 0 that borrow are compared without weight, one alone is infinite", () => {
    const one = tree([0, 0, 1]);
    const usage = used(one, [3, 4, 5]);
    const [a, b, c] = [0, 1, 2].map((queue) => shareOf(one, usage, queue));
    expect(shareValue(a!)).toBe(INFINITE);
    expect(compareShares(a!, b!)).toBeLessThan(0);
    expect(compareShares(c!, a!)).toBeLessThan(0);
    expect(shareValue(shareOf(one, noUsage(one), 0))).toBe(0);
  });

  test("of two resources with the same share the first in alphabetical order is dominant", () => {
    const two = quotaTree(
      [
        node("q", 1, { quotas: [quota(0), quota(0)] }),
        node("pool", -1, { isQueue: false, quotas: [quota(4), quota(8)] }),
      ],
      [1, 0],
    );
    const usage = noUsage(two);
    charge(two, usage, 0, 0, 1);
    charge(two, usage, 0, 1, 2);
    expect(shareOf(two, usage, 0)).toMatchObject({ borrowed: 2, lendable: 8, resource: 0 });
  });
});

describe("tournament", () => {
  const head = (name: string, queue: number, changes: Partial<Workload> = {}): Workload => ({
    name,
    queue,
    priority: 0,
    queuedMs: 0,
    admittedMs: 0,
    evicted: false,
    amounts: [{ cell: 0, amount: 2 }],
    ...changes,
  });

  test("a head within its queue's own quota comes before the smallest share", () => {
    const tree = quotaTree(
      [
        node("owner", 2, { quotas: [quota(2), quota(0)] }),
        node("guest", 2, { quotas: [quota(0), quota(0)] }),
        node("pool", -1, { isQueue: false, quotas: [quota(20), quota(20)] }),
      ],
      [0, 0],
    );
    const usage = noUsage(tree);
    charge(tree, usage, 0, 1, 15);
    expect(nextHead(tree, usage, [head("g", 1), head("o", 0)])?.name).toBe("o");
  });

  test("every head comes once, whatever is admitted", () => {
    fc.assert(
      fc.property(trees, amounts, (tree, byQueue) => {
        const usage = used(tree, byQueue);
        let left = [0, 1, 2, 3].map((queue) => head(`h${queue}`, queue));
        const seen: string[] = [];
        for (let next = nextHead(tree, usage, left); next; next = nextHead(tree, usage, left)) {
          seen.push(next.name);
          left = left.filter((one) => one !== next);
        }
        expect([...seen].sort()).toEqual(["h0", "h1", "h2", "h3"]);
        expect(usage).toEqual(used(tree, byQueue));
      }),
      { endOnFailure: true },
    );
  });
});
