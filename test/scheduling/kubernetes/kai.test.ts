import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fairShares, type ShareQueue } from "../../../src/scheduling/kubernetes/kai/fairShare.ts";
import {
  mayAskFor,
  mayReclaim,
  staysLessSaturated,
} from "../../../src/scheduling/kubernetes/kai/reclaim.ts";

function queue(name: string, changes: Partial<ShareQueue>): ShareQueue {
  return {
    name,
    deserved: 0,
    request: 100,
    limit: -1,
    overQuotaWeight: 1,
    priority: 0,
    created: 0,
    usage: 0,
    ...changes,
  };
}

describe("fair share", () => {
  test("a unit that rounding takes from the high priority goes to a lower one with room for a whole part", () => {
    const queues = [
      queue("a", { priority: 2 }),
      queue("b", { priority: 2 }),
      queue("c", { priority: 1 }),
    ];
    expect(fairShares(5, queues, 0)).toEqual({ shares: [2, 2, 1], remaining: 0 });
  });

  test("a need below its part starts another round for the others", () => {
    const queues = [queue("a", { request: 0.5 }), queue("b", {}), queue("c", {})];
    expect(fairShares(8.5, queues, 0)).toEqual({ shares: [0.5, 4, 4], remaining: 0 });
  });

  test("single units go by the largest fraction, then the older queue, then name", () => {
    const byFraction = [queue("a", { overQuotaWeight: 3 }), queue("b", { overQuotaWeight: 7 })];
    expect(fairShares(2, byFraction, 0).shares).toEqual([1, 1]);
    const byAge = [queue("a", { created: 2 }), queue("b", { created: 1 })];
    expect(fairShares(1, byAge, 0).shares).toEqual([0, 1]);
    const byName = [queue("b", {}), queue("a", {})];
    expect(fairShares(1, byName, 0).shares).toEqual([0, 1]);
  });

  test("an unlimited quota takes all that is asked for, a limit of 0 nothing", () => {
    const queues = [queue("a", { deserved: -1, request: 3 }), queue("b", { limit: 0 })];
    expect(fairShares(10, queues, 0)).toEqual({ shares: [3, 0], remaining: 7 });
  });

  test("an unlimited quota counts as all there is: the others keep theirs", () => {
    const queues = [
      queue("a", { deserved: -1, request: 20 }),
      queue("b", { deserved: 2, request: 5 }),
    ];
    expect(fairShares(10, queues, 0)).toEqual({ shares: [10, 2], remaining: 0 });
  });

  test("a single unit is one unit, also where less is wanted", () => {
    const queues = [queue("a", { request: 0.6 }), queue("b", { request: 5, created: 1 })];
    expect(fairShares(1, queues, 0)).toEqual({ shares: [1, 0], remaining: 0 });
  });

  test("what rounding took in one round is owed still after a later one that took nothing", () => {
    const weighed = [
      [8, 2],
      [3, 1],
      [1, 3],
      [6, 1],
    ] as const;
    const queues = weighed.map(([request, overQuotaWeight], idx) =>
      queue(`q${idx}`, { request, overQuotaWeight, created: idx }),
    );
    expect(fairShares(3, queues, 0).shares).toEqual([2, 0, 1, 0]);
  });

  test("past use moves weights by its distance from them", () => {
    const queues = [queue("a", { usage: 0.75 }), queue("b", { usage: 0.25 })];
    expect(fairShares(8, queues, 1).shares).toEqual([2, 6]);
    expect(fairShares(8, queues, 0).shares).toEqual([4, 4]);
  });

  test("no queue gets more than it can use, and beyond quotas no more is given than there is", () => {
    const any = fc.record({
      deserved: fc.integer({ min: 0, max: 4 }),
      request: fc.integer({ min: 0, max: 20 }),
      limit: fc.integer({ min: -1, max: 12 }),
      overQuotaWeight: fc.integer({ min: 0, max: 3 }),
      priority: fc.integer({ min: 0, max: 2 }),
      created: fc.integer({ min: 0, max: 3 }),
      usage: fc.constantFrom(0, 0.25, 1),
    });
    const list = fc.array(any, { minLength: 1, maxLength: 6 });
    const strength = fc.constantFrom(0, 1);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), list, strength, (total, changes, k) => {
        const queues = changes.map((change, idx) => queue(`q${idx}`, change));
        const { shares, remaining } = fairShares(total, queues, k);
        const usable = queues.map((one) =>
          one.limit < 0 ? one.request : Math.min(one.limit, one.request),
        );
        const quotas = queues.map((one, idx) => Math.min(one.deserved, usable[idx]!));
        for (const [idx, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(usable[idx]!);
          expect(share).toBeGreaterThanOrEqual(quotas[idx]!);
          if (queues[idx]!.overQuotaWeight === 0) expect(share).toBe(quotas[idx]!);
        }
        const inQuota = quotas.reduce((sum, one) => sum + one, 0);
        const given = shares.reduce((sum, one) => sum + one, 0);
        expect(given + remaining).toBeCloseTo(Math.max(total, inQuota), 6);
      }),
      { endOnFailure: true },
    );
  });
});

describe("reclaim", () => {
  const state = (allocated: number, deserved: number, fairShare: number, limit = -1) => ({
    allocated: [allocated],
    fixed: [0],
    deserved: [deserved],
    fairShare: [fairShare],
    limit: [limit],
  });

  test("within its quota a queue takes from whoever is above theirs, though not above its fair share", () => {
    expect(mayReclaim(state(0, 2, 4), state(3, 2, 4), [1], 1)).toBe(true);
    expect(mayReclaim(state(2, 2, 4), state(3, 2, 4), [1], 1)).toBe(false);
    expect(mayReclaim(state(2, 2, 4), state(5, 2, 4), [1], 1)).toBe(true);
  });

  test("a limit below the fair share is what may be held against a victim", () => {
    expect(mayReclaim(state(2, 2, 4), state(4, 2, 6, 3), [1], 1)).toBe(true);
    expect(mayReclaim(state(2, 2, 4), state(4, 2, 6), [1], 1)).toBe(false);
  });

  test("a branch that ends above its fair share must stay less saturated than the other", () => {
    expect(mayReclaim(state(4, 1, 4), state(8, 2, 4), [1], 1)).toBe(true);
    expect(mayReclaim(state(7, 1, 4), state(8, 2, 4), [1], 1)).toBe(false);
    expect(mayReclaim(state(7, 1, 4), state(8, 0, 0), [1], 1)).toBe(true);
    expect(mayReclaim(state(4, 1, 4), state(5, 2, 4), [0.5], 1.2)).toBe(false);
    expect(mayReclaim(state(2, 3, 4), state(5, 4, 5), [1], 2)).toBe(true);
    expect(staysLessSaturated(state(4, 1, 4), state(5, 2, 4), [0], [1], 1)).toBe(true);
    expect(staysLessSaturated(state(5, 1, 4), state(5, 2, 4), [0], [1], 1)).toBe(false);
    expect(staysLessSaturated(state(5, 1, 4), state(5, 2, 4), [0], [0], 1)).toBe(true);
  });

  test("work that cannot be preempted uses quota only, and no queue asks beyond its fair share", () => {
    const queue = { ...state(2, 3, 4), fixed: [2] };
    expect(mayAskFor(queue, [1], false)).toBe(true);
    expect(mayAskFor({ ...queue, deserved: [2] }, [1], false)).toBe(false);
    expect(mayAskFor(queue, [2], true)).toBe(true);
    expect(mayAskFor(queue, [3], true)).toBe(false);
  });

  test("who is above his share of one resource asks for no other either, as upstream compares all of them", () => {
    const queue = {
      allocated: [1, 5],
      fixed: [0, 0],
      deserved: [4, 2],
      fairShare: [4, 4],
      limit: [-1, -1],
    };
    expect(mayAskFor(queue, [1, 0], true)).toBe(false);
    expect(mayAskFor({ ...queue, allocated: [1, 4] }, [1, 0], true)).toBe(true);
    expect(mayAskFor({ ...queue, allocated: [1, 3], fixed: [0, 3] }, [1, 0], false)).toBe(false);
  });
});
