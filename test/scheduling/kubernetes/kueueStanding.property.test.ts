import fc from "fast-check";
import { expect, test } from "vitest";
import { classicVictims } from "../../../src/scheduling/kubernetes/kueue/classicPreemption.ts";
import { fairVictims } from "../../../src/scheduling/kubernetes/kueue/fairPreemption.ts";
import type {
  PreemptionCase,
  Victim,
} from "../../../src/scheduling/kubernetes/kueue/preemptionCase.ts";
import {
  available,
  chargeAll,
  noUsage,
  quotaTree,
} from "../../../src/scheduling/kubernetes/kueue/quotaTree.ts";
import {
  addStanding,
  dropStanding,
  type Standing,
} from "../../../src/scheduling/kubernetes/kueue/standing.ts";
import type { Workload } from "../../../src/scheduling/kubernetes/kueue/workloads.ts";

const MOST = Number.POSITIVE_INFINITY;
const QUEUES = 6;
/** Six queues below one cohort, or in a tree of three. */
const FLAT = [8, 8, 8, 8, 8, 8, -1, -1, -1];
const DEEP = [6, 6, 7, 7, 8, -1, 8, 6, -1];

const small = (max: number) => fc.integer({ min: 0, max });
const workload = fc.record({
  queue: small(QUEUES - 1),
  priority: small(3),
  queuedMs: small(5),
  admittedMs: small(5),
  evicted: small(9).map((draw) => draw === 0),
  amounts: fc.tuple(small(4), small(4)),
});
const quota = fc.record({
  nominal: small(6),
  borrowingLimit: fc.constantFrom(MOST, 2, 4),
  lendingLimit: fc.constantFrom(MOST, 1, 3),
});
const rules = fc.record({
  withinQueue: fc.constantFrom("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
  reclaim: fc.constantFrom("Never", "LowerPriority", "Any"),
  borrowUpTo: fc.constantFrom(null, 1, 2, MOST),
});
const drawn = fc.record({
  quotas: fc.array(fc.tuple(quota, quota), { minLength: 9, maxLength: 9 }),
  weights: fc.array(fc.constantFrom(1, 2, 0.5, 0), { minLength: 9, maxLength: 9 }),
  cells: fc.constantFrom(1, 2),
  parents: fc.constantFrom(FLAT, DEEP),
  admitted: fc.array(workload, { maxLength: 24 }),
  incoming: workload,
  asks: fc.tuple(fc.integer({ min: 1, max: 9 }), small(5)),
  rules,
});

function caseOf(world: ReturnType<typeof drawn.generate>["value"]): PreemptionCase {
  const nodes = world.parents.map((parentIdx, idx) => ({
    name: `n${idx}`,
    parentIdx,
    weight: world.weights[idx]!,
    isQueue: idx < QUEUES,
    quotas: world.quotas[idx]!.slice(0, world.cells),
  }));
  const tree = quotaTree(nodes, world.cells === 1 ? [0] : [0, 1]);
  const usage = noUsage(tree);
  const made = (
    { amounts, ...one }: (typeof world)["incoming"],
    number: number,
    asks: readonly number[] = amounts,
  ): Workload => ({
    ...one,
    name: `w${String(number).padStart(3, "0")}`,
    amounts: asks.slice(0, world.cells).map((amount, cell) => ({ cell, amount })),
  });
  const admitted: Workload[][] = nodes.map(() => []);
  for (const [number, one] of world.admitted.entries()) {
    const held = made(one, number);
    admitted[held.queue]!.push(held);
    chargeAll(tree, usage, held.queue, held.amounts);
  }
  const incoming = { ...made(world.incoming, 500, world.asks), evicted: false };
  const contested = incoming.amounts
    .filter(({ cell, amount }) => amount > available(tree, usage, incoming.queue, cell))
    .map(({ cell }) => cell);
  return { tree, usage, admitted, incoming, rules: world.rules, contested };
}

/** The same with orders that are kept; everybody has come, and some have gone again and come back. */
function kept(asked: PreemptionCase): PreemptionCase {
  const standing = asked.admitted.map((list): Standing => {
    const order: Standing = new Map();
    for (const one of list) if (!one.evicted) addStanding(order, one);
    for (const [at, one] of list.entries()) if (at % 3 === 0) dropStanding(order, one);
    for (const [at, one] of list.entries())
      if (at % 3 === 0 && !one.evicted) addStanding(order, one);
    return order;
  });
  const leaving = asked.admitted.map((list) => list.filter(({ evicted }) => evicted));
  const least = noUsage(asked.tree).fill(Number.POSITIVE_INFINITY);
  for (const { queue, amounts } of asked.admitted.flat())
    for (const { cell, amount } of amounts) {
      const at = queue * asked.tree.cells + cell;
      least[at] = Math.min(least[at]!, amount);
    }
  return { ...asked, standing, leaving, least };
}

const names = (victims: readonly Victim[]) =>
  victims.map(({ workload: { name }, reason }) => `${name} ${reason}`);

test("victims are the same whether their order is kept or worked out", () => {
  fc.assert(
    fc.property(drawn, (world) => {
      const asked = caseOf(world);
      if (asked.contested.length === 0) return;
      const before = [...asked.usage];
      expect(names(classicVictims(kept(asked)))).toEqual(names(classicVictims(asked)));
      expect(names(fairVictims(kept(asked)))).toEqual(names(fairVictims(asked)));
      expect([...asked.usage]).toEqual(before);
    }),
    { numRuns: 400, endOnFailure: true },
  );
});
