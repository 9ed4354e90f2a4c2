import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { borrowedOf, lentOf } from "../../../src/scheduling/kubernetes/kueue/lending.ts";
import {
  available,
  charge,
  noUsage,
  type QuotaNode,
  quotaTree,
} from "../../../src/scheduling/kubernetes/kueue/quotaTree.ts";

const MOST = Number.POSITIVE_INFINITY;
const node = (
  name: string,
  parentIdx: number,
  nominal: number,
  isQueue: boolean,
  lendingLimit = MOST,
): QuotaNode => ({
  name,
  parentIdx,
  weight: 1,
  isQueue,
  quotas: [{ nominal, borrowingLimit: MOST, lendingLimit }],
});

describe("whose unused quota others use", () => {
  const tree = quotaTree(
    [
      node("a", 3, 4, true),
      node("b", 3, 6, true),
      node("c", 3, 2, true, 1),
      node("all", -1, 0, false),
    ],
    [0],
  );

  test("in proportion to what each lends and does not use, whole units", () => {
    const usage = noUsage(tree);
    charge(tree, usage, 0, 0, 8);
    charge(tree, usage, 1, 0, 3);
    // `a` borrows 4; `b` has 3 to lend, `c` at most 1 of its 2.
    expect([...lentOf(tree, usage, 3)]).toEqual([0, 3, 1, 0]);
    expect(borrowedOf(tree, usage, 0, 0)).toBe(4);
  });

  test("nobody lends while everybody stays within its own", () => {
    const usage = noUsage(tree);
    charge(tree, usage, 0, 0, 4);
    expect([...lentOf(tree, usage, 3)]).toEqual([0, 0, 0, 0]);
  });
});

test("what queues of a tree borrow is what its queues and cohorts have lent", () => {
  const parents = [4, 4, 5, 5, 6, 6, -1];
  const amounts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(amounts, amounts, (owned, wanted) => {
      const tree = quotaTree(
        parents.map((parent, idx) => node(`n${idx}`, parent, owned[idx]!, idx < 4)),
        [0],
      );
      const usage = noUsage(tree);
      for (let queue = 0; queue < 4; queue++)
        charge(tree, usage, queue, 0, Math.min(wanted[queue]!, available(tree, usage, queue, 0)));
      const lent = lentOf(tree, usage, 6);
      const sum = (of: (queue: number) => number) =>
        [0, 1, 2, 3].reduce((all, q) => all + of(q), 0);
      const borrowed = sum((queue) => borrowedOf(tree, usage, queue, 0));
      const byQueues = sum((queue) => lent[queue]!);
      const cohorts = owned[4]! + owned[5]! + owned[6]!;
      expect(byQueues).toBeLessThanOrEqual(borrowed);
      expect(borrowed - byQueues).toBeLessThanOrEqual(cohorts);
      for (let queue = 0; queue < 4; queue++) {
        const idle = Math.max(0, owned[queue]! - usage[queue]!);
        expect(lent[queue]).toBeLessThanOrEqual(idle);
      }
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
