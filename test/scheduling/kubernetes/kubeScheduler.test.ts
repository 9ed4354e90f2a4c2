import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlacedPod } from "../../../src/scheduling/kubernetes/kubeScheduler/importance.ts";
import { nodeScore } from "../../../src/scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import {
  candidatesWanted,
  choosePreemption,
  mayPreempt,
} from "../../../src/scheduling/kubernetes/kubeScheduler/preempt.ts";
import { victimsOnNode } from "../../../src/scheduling/kubernetes/kubeScheduler/reprieve.ts";

const ONE = [{ weight: 1, extended: false }];
const MOST = { type: "MostAllocated" } as const;
const LEAST = { type: "LeastAllocated" } as const;

function pod(name: string, priority: number, size: number, changes: Partial<PlacedPod> = {}) {
  return { name, priority, startMs: 0, requests: [size], budgets: [], ...changes };
}

describe("node scores", () => {
  test("of one resource packing and spreading add up to 100, or 99 where both round down", () => {
    const pairs = fc
      .integer({ min: 1, max: 10_000 })
      .chain((capacity) => fc.tuple(fc.constant(capacity), fc.integer({ min: 0, max: capacity })));
    fc.assert(
      fc.property(pairs, ([capacity, used]) => {
        const most = nodeScore(MOST, ONE, [capacity], [0], [used]);
        const least = nodeScore(LEAST, ONE, [capacity], [0], [used]);
        expect([99, 100]).toContain(most + least);
        expect(most).toBe(Math.floor((used * 100) / capacity));
      }),
      { endOnFailure: true },
    );
  });

  test("beyond its capacity a node scores 0 for spreading and 100 for packing", () => {
    expect(nodeScore(LEAST, ONE, [4], [3], [2])).toBe(0);
    expect(nodeScore(MOST, ONE, [4], [3], [2])).toBe(100);
  });

  test("an extended resource counts only for pods that ask for it", () => {
    const resources = [...ONE, { weight: 1, extended: true }];
    expect(nodeScore(LEAST, resources, [4, 8], [0, 8], [1, 0])).toBe(75);
    expect(nodeScore(LEAST, resources, [4, 8], [0, 0], [1, 8])).toBe(37);
  });

  test("a node with none of the resources scores 0", () => {
    expect(nodeScore(MOST, ONE, [0], [0], [0])).toBe(0);
  });

  test("the curve is level beyond its ends, cut towards zero between, and half rounds up", () => {
    const curve = (...points: [number, number][]) => ({
      type: "RequestedToCapacityRatio" as const,
      shape: points.map(([utilization, score]) => ({ utilization, score })),
    });
    const bent = curve([20, 2], [80, 10]);
    const at = (used: number) => nodeScore(bent, ONE, [100], [0], [used]);
    expect([0, 20, 50, 51, 80, 100, 150].map(at)).toEqual([20, 20, 60, 61, 100, 100, 100]);
    // 100 + (−100·33)/100 = 67; the other resource 50: 58.5 rounds to 59.
    const two = [...ONE, ...ONE];
    expect(nodeScore(curve([0, 10], [100, 0]), two, [100, 100], [0, 0], [33, 50])).toBe(59);
  });

  test("on the curve a resource that scores 0 takes no part in the mean", () => {
    const rising = {
      type: "RequestedToCapacityRatio" as const,
      shape: [
        { utilization: 0, score: 0 },
        { utilization: 100, score: 10 },
      ],
    };
    expect(nodeScore(rising, [...ONE, ...ONE], [100, 100], [0, 0], [0, 40])).toBe(40);
  });
});

describe("victims on a node", () => {
  const pods = fc.array(
    fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      size: fc.integer({ min: 1, max: 4 }),
      startMs: fc.integer({ min: 0, max: 3 }),
      guarded: fc.boolean(),
    }),
    { maxLength: 8 },
  );

  test("they are less important, make room, and none of them could have stayed", () => {
    fc.assert(
      fc.property(
        pods,
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 12 }),
        (drawn, free, size) => {
          const there = drawn.map(({ priority, size: own, startMs, guarded }, idx) =>
            pod(`p${idx}`, priority, own, { startMs, budgets: guarded ? [0] : [] }),
          );
          const found = victimsOnNode({ free: [free], pods: there }, 2, [size], [1]);
          const lower = there.filter(({ priority }) => priority < 2);
          const most = lower.reduce((sum, { requests }) => sum + requests[0]!, free);
          if (lower.length === 0 || most < size) {
            expect(found).toBeNull();
            return;
          }
          const freed = found!.victims.reduce((sum, { requests }) => sum + requests[0]!, free);
          expect(freed).toBeGreaterThanOrEqual(size);
          for (const victim of found!.victims) {
            expect(victim.priority).toBeLessThan(2);
            expect(freed - victim.requests[0]!).toBeLessThan(size);
          }
        },
      ),
      { endOnFailure: true },
    );
  });

  test("a budget of one lets its most important pod go and guards the next", () => {
    const there = [pod("a", 1, 2, { budgets: [0] }), pod("b", 0, 2, { budgets: [0] })];
    // "b" breaks the budget, so it is put back before "a".
    expect(victimsOnNode({ free: [0], pods: there }, 9, [2], [1])).toEqual({
      victims: [there[0]],
      violations: 0,
    });
  });

  test("of two budgets that select a pod each loses one, and one below 0 is enough", () => {
    const there = [pod("a", 1, 1, { budgets: [0, 1] }), pod("b", 0, 1, { budgets: [1] })];
    const found = victimsOnNode({ free: [0], pods: there }, 9, [2], [5, 1])!;
    expect(found.violations).toBe(1);
    expect(found.victims.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  test("resources that are not asked for do not matter", () => {
    const there = [pod("a", 0, 1, { requests: [1, 1] })];
    expect(victimsOnNode({ free: [0, -3], pods: there }, 1, [1, 0], [])?.victims).toHaveLength(1);
  });
});

describe("choice of the node", () => {
  const ask = (size: number) => ({ priority: 10, request: [size], never: false });
  const node = (...pods: PlacedPod[]) => ({ free: [0], pods });

  test("fewest broken budgets come before everything else", () => {
    const nodes = [node(pod("a", 0, 1, { budgets: [0] })), node(pod("b", 9, 1))];
    expect(choosePreemption(ask(1), nodes, [0])?.nodeIdx).toBe(1);
  });

  test("fewer victims come after the sum of priorities, which each victim lifts by 2^31", () => {
    const nodes = [node(pod("a", 5, 1), pod("b", -2_000_000_000, 1)), node(pod("c", 5, 2))];
    expect(choosePreemption(ask(2), nodes, [])?.nodeIdx).toBe(1);
  });

  test("the latest start counts only among victims of the highest priority", () => {
    const nodes = [
      node(pod("a", 5, 1, { startMs: 9 }), pod("b", 1, 1, { startMs: 0 })),
      node(pod("c", 5, 1, { startMs: 8 }), pod("d", 1, 1, { startMs: 99 })),
    ];
    expect(choosePreemption(ask(2), nodes, [])?.nodeIdx).toBe(0);
  });

  test("nodes that are equal in all go by the order given", () => {
    const nodes = [node(pod("z", 5, 1)), node(pod("a", 5, 1))];
    expect(choosePreemption(ask(1), nodes, [])?.nodeIdx).toBe(0);
  });

  test("no more candidates are looked at than wanted: a tenth of the nodes, at least 100", () => {
    expect([10, 1_000, 5_432].map(candidatesWanted)).toEqual([100, 100, 543]);
    const nodes = [node(pod("a", 9, 1)), node(), node(pod("b", 0, 1))];
    expect(choosePreemption(ask(1), nodes, [], 1)?.nodeIdx).toBe(0);
    expect(choosePreemption(ask(1), nodes, [], 2)?.nodeIdx).toBe(2);
  });

  test("victims on two nodes are never combined", () => {
    expect(choosePreemption(ask(2), [node(pod("a", 0, 1)), node(pod("b", 0, 1))], [])).toBeNull();
  });

  test("only a less important pod that leaves the nominated node keeps a pod from evicting more", () => {
    expect(mayPreempt(ask(1), [{ priority: 3 }])).toBe(false);
    expect(mayPreempt(ask(1), [{ priority: 10 }])).toBe(true);
    expect(mayPreempt({ ...ask(1), never: true }, [])).toBe(false);
  });
});
