import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { largestSize } from "../../../src/scheduling/kubernetes/kueue/partialAdmission.ts";
import {
  addPending,
  headOf,
  type Pending,
  pendingQueue,
  refuseHead,
  takeHead,
  wakeParked,
} from "../../../src/scheduling/kubernetes/kueue/pendingQueue.ts";
import { requeueDelayMs } from "../../../src/scheduling/kubernetes/kueue/requeueBackoff.ts";
import { assignTopology } from "../../../src/scheduling/kubernetes/kueue/topology.ts";
import {
  freeStart,
  type TopologyRequest,
  topologyTree,
} from "../../../src/scheduling/kubernetes/kueue/topologyDomains.ts";
import {
  decayed,
  entryPenalty,
  usageValue,
} from "../../../src/scheduling/kubernetes/kueue/usageDecay.ts";
import {
  compareQueued,
  compareVictims,
} from "../../../src/scheduling/kubernetes/kueue/workloads.ts";

function pending(name: string, priority: number, queuedMs: number, shape = name): Pending {
  return { name, queue: 0, priority, queuedMs, admittedMs: 0, evicted: false, amounts: [], shape };
}

describe("a queue's waiting workloads", () => {
  test("come out by priority, then time, then name", () => {
    const drawn = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 30 });
    fc.assert(
      fc.property(drawn, (rows) => {
        const all = rows.map(([priority, queuedMs], idx) => pending(`w${idx}`, priority, queuedMs));
        const queue = pendingQueue<Pending>(true);
        for (const one of all) addPending(queue, one);
        const out = all.map(() => takeHead(queue).name);
        expect(out).toEqual([...all].sort(compareQueued).map(({ name }) => name));
      }),
      { endOnFailure: true },
    );
  });

  test("of LocalQueues that share by history the one that has used less comes first, whatever the priority", () => {
    const of = (name: string, priority: number, queue: string, used: number) => ({
      ...pending(name, priority, 0),
      local: { queue, used },
    });
    const [idle, busy, same] = [
      of("idle", 0, "x", 1),
      of("busy", 9, "y", 2),
      of("same", 5, "x", 1),
    ];
    expect([busy, idle, same].sort(compareQueued)).toEqual([same, idle, busy]);
    expect([idle, busy, same].sort((a, b) => compareVictims(a, b, 7))).toEqual([busy, idle, same]);
  });

  test("under StrictFIFO a refused head stays head", () => {
    const queue = pendingQueue<Pending>(true);
    for (const one of [pending("big", 1, 0), pending("small", 0, 0)]) addPending(queue, one);
    refuseHead(queue);
    expect(headOf(queue)?.name).toBe("big");
  });

  test("under BestEffortFIFO a refused head is parked with its shape, later arrivals too, until something changes", () => {
    const queue = pendingQueue<Pending>(false);
    for (const [name, shape] of [
      ["a", "big"],
      ["b", "big"],
      ["c", "small"],
    ] as const)
      addPending(queue, pending(name, 0, 0, shape));
    refuseHead(queue);
    expect(headOf(queue)?.name).toBe("c");
    addPending(queue, pending("d", 9, 0, "big"));
    expect(takeHead(queue).name).toBe("c");
    expect(headOf(queue)).toBeNull();
    wakeParked(queue);
    expect(["d", "a", "b"].map(() => takeHead(queue).name)).toEqual(["d", "a", "b"]);
  });
});

describe("partial admission", () => {
  test("finds the first step that fits, as trying one by one does", () => {
    const sets = fc.array(
      fc.tuple(fc.nat(12), fc.nat(12)).map(([one, other]) => ({
        count: Math.max(one, other),
        minCount: Math.min(one, other),
      })),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(sets, fc.nat(36), (podSets, room) => {
        const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
        const found = largestSize(podSets, (counts) => sum(counts) <= room);
        const steps = podSets.reduce((total, set) => total + set.count - set.minCount, 0);
        let wanted: number[] | null = null;
        for (let step = 0; step <= steps && !wanted; step++) {
          const counts = podSets.map(({ count, minCount }) =>
            steps === 0 ? count : count - Math.floor(((count - minCount) * step) / steps),
          );
          if (sum(counts) <= room) wanted = counts;
        }
        expect(found).toEqual(wanted);
      }),
      { endOnFailure: true },
    );
  });
});

describe("topology", () => {
  /** Two blocks of two racks of two hosts. */
  const hosts = fc.array(fc.nat(5), { minLength: 8, maxLength: 8 });
  const nodesOf = (free: readonly number[]) =>
    free.map((amount, idx) => ({
      path: [`b${idx >> 2}`, `r${(idx >> 1) & 1}`, `h${idx & 1}`],
      free: [amount],
    }));
  const assign = (nodes: ReturnType<typeof nodesOf>, request: TopologyRequest) => {
    const shuffled = [...nodes].reverse();
    const { tree, leafOfNode } = topologyTree(
      3,
      shuffled.map(({ path }) => path),
    );
    const free = new Float64Array(nodes.length);
    for (const [idx, one] of shuffled.entries()) free[leafOfNode[idx]!]! += one.free[0]!;
    return assignTopology(tree, free, request);
  };
  const total = (rows: readonly { readonly pods: number }[]) =>
    rows.reduce((sum, { pods }) => sum + pods, 0);

  test("places every pod within what is free, slices whole in their domain, all in one domain where required", () => {
    const request = fc.record({
      mode: fc.constantFrom("required" as const, "preferred" as const, "unconstrained" as const),
      level: fc.nat(2),
      slices: fc.integer({ min: 1, max: 8 }),
      sliceSize: fc.integer({ min: 1, max: 3 }),
      sliceLevel: fc.nat(2),
    });
    fc.assert(
      fc.property(hosts, request, (free, { mode, level, slices, sliceSize, sliceLevel }) => {
        if (mode !== "unconstrained" && level > sliceLevel) return;
        const nodes = nodesOf(free);
        const count = slices * sliceSize;
        const from = mode === "unconstrained" ? freeStart(3, true) : level;
        const asked = { mode, level: from, count, perPod: [1], sliceSize, sliceLevel };
        const found = assign(nodes, asked);
        const below = (depth: number) => {
          const sums = new Map<string, number>();
          for (const one of nodes) {
            const key = one.path.slice(0, depth + 1).join("/");
            sums.set(key, (sums.get(key) ?? 0) + one.free[0]!);
          }
          return sums;
        };
        const room = [...below(sliceLevel).values()].reduce(
          (sum, pods) => sum + Math.floor(pods / sliceSize),
          0,
        );
        if (mode !== "required") expect(found === null).toBe(room < slices);
        if (!found) return;
        expect(total(found)).toBe(count);
        const bySlice = new Map<string, number>();
        for (const { path, pods } of found) {
          const host = nodes.find((one) => one.path.join() === path.join())!;
          expect(pods).toBeLessThanOrEqual(host.free[0]!);
          const key = path.slice(0, sliceLevel + 1).join("/");
          bySlice.set(key, (bySlice.get(key) ?? 0) + pods);
        }
        for (const pods of bySlice.values()) expect(pods % sliceSize).toBe(0);
        if (mode === "required")
          expect(new Set(found.map(({ path }) => path.slice(0, level + 1).join())).size).toBe(1);
      }),
      { endOnFailure: true, numRuns: 500 },
    );
  });

  test("slices without a wish for a level come from the widest: hosts of the smallest block that holds all, not the one host that would", () => {
    const nodes = nodesOf([0, 0, 2, 2, 9, 5, 0, 0]);
    const asked = { mode: "unconstrained" as const, count: 4, perPod: [1], sliceLevel: 2 };
    expect(assign(nodes, { ...asked, level: freeStart(3, true), sliceSize: 2 })).toEqual([
      { path: ["b0", "r1", "h0"], pods: 2 },
      { path: ["b0", "r1", "h1"], pods: 2 },
    ]);
    expect(assign(nodes, { ...asked, level: freeStart(3, false), sliceSize: 1 })).toEqual([
      { path: ["b1", "r0", "h1"], pods: 4 },
    ]);
  });

  test("where one host holds everything, required and preferred take the tightest that does", () => {
    const nodes = nodesOf([5, 3, 4, 0, 0, 0, 0, 0]);
    for (const mode of ["required", "preferred"] as const)
      expect(
        assign(nodes, {
          mode,
          level: 2,
          count: 4,
          perPod: [1],
          sliceSize: 1,
          sliceLevel: 2,
        }),
      ).toEqual([{ path: ["b0", "r1", "h0"], pods: 4 }]);
  });
});

describe("remembered use", () => {
  test("moves half of the way to what runs in one half-life, however often it is sampled", () => {
    expect(decayed(8, 0, 600, 600)).toBe(4);
    let sampled = 8;
    for (let at = 0; at < 60; at++) sampled = decayed(sampled, 0, 10, 600);
    expect(sampled).toBeCloseTo(4, 9);
  });

  test("without a half-life nothing is remembered and nothing is added at an admission", () => {
    expect(decayed(8, 3, 600, 0)).toBe(0);
    expect(entryPenalty(8, 300, 0)).toBe(0);
  });

  test("a negative weight comes last like none at all", () => {
    expect(usageValue([1], [1], [2], 4)).toBe(1);
    expect(usageValue([1], [1], [2], -1)).toBe(Number.POSITIVE_INFINITY);
  });
});

test("a limit of no requeues deactivates at the first ready-timeout; without one the delay stays at its cap", () => {
  const rule = { baseMs: 60_000, maxMs: 3_600_000, limit: 0 };
  expect(requeueDelayMs(rule, 1)).toBeNull();
  expect(requeueDelayMs({ ...rule, limit: Number.POSITIVE_INFINITY }, 5_000)).toBe(3_600_000);
});
