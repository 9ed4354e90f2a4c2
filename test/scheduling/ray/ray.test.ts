import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  columnsOf,
  type NamedAmounts,
  type NamedNode,
} from "../../../src/cli/conformance/rayNames.ts";
import { choiceNames, groupNames } from "../../../src/cli/conformance/rayVectors.ts";
import type { RayStrategy } from "../../../src/model/kubernetes/rayRequest.ts";
import { launchesOf } from "../../../src/scheduling/ray/launches.ts";
import { covers, sumOf } from "../../../src/scheduling/ray/resources.ts";

const settings = { spreadThreshold: 0.5, topKAbsolute: 1, topKFraction: 0.2, avoidGpuNodes: true };
const ask = { request: { CPU: 1 }, local: "home", requireAvailable: false, avoidLocal: false };

const hybridCandidates = (
  asked: typeof ask,
  nodes: readonly NamedNode[],
  given: typeof settings,
): string[] => choiceNames({ ...given, ...asked, nodes });
const placeGroup = (
  strategy: RayStrategy,
  bundles: readonly NamedAmounts[],
  nodes: readonly NamedNode[],
) => groupNames({ strategy, bundles, nodes });

function node(name: string, total: NamedAmounts, available: NamedAmounts = total): NamedNode {
  return { name, total, available };
}

describe("the default policy", () => {
  test("below the threshold the local node wins, above it the idlest does", () => {
    const away = node("away", { CPU: 10 });
    expect(hybridCandidates(ask, [node("home", { CPU: 10 }, { CPU: 6 }), away], settings)).toEqual([
      "home",
    ]);
    expect(hybridCandidates(ask, [node("home", { CPU: 10 }, { CPU: 5 }), away], settings)).toEqual([
      "away",
    ]);
  });

  test("at the threshold a node is busy, in single precision as upstream counts", () => {
    const nodes = [node("home", { CPU: 1 }, { CPU: 0.8 }), node("away", { CPU: 1 })];
    const asked = { ...ask, request: { CPU: 0.1 } };
    expect(hybridCandidates(asked, nodes, { ...settings, spreadThreshold: 0.2 })).toEqual(["away"]);
  });

  test("memory and object store count as CPU does, GPUs do not", () => {
    const full = { CPU: 10, memory: 100, object_store_memory: 10, GPU: 8 };
    const nodes = [
      node("home", full, { ...full, object_store_memory: 1 }),
      node("away", full, { ...full, GPU: 0 }),
    ];
    expect(hybridCandidates(ask, nodes, settings)).toEqual(["away"]);
  });

  test("work without GPUs goes to a GPU node only when no other can start it now", () => {
    const gpu = node("gpu", { CPU: 10, GPU: 8 });
    expect(hybridCandidates(ask, [gpu, node("plain", { CPU: 10 }, { CPU: 1 })], settings)).toEqual([
      "plain",
    ]);
    expect(hybridCandidates(ask, [gpu, node("plain", { CPU: 10 }, { CPU: 0 })], settings)).toEqual([
      "gpu",
    ]);
  });

  test("where nothing is free a feasible node is taken, unless the work must start now", () => {
    const busy = [node("home", { CPU: 2 }, { CPU: 0 }), node("small", { CPU: 0.5 })];
    expect(hybridCandidates(ask, busy, settings)).toEqual(["home"]);
    expect(hybridCandidates({ ...ask, requireAvailable: true }, busy, settings)).toEqual([]);
  });
});

describe("placement groups", () => {
  test("a group larger than all totals stays pending unless it must stand on one node", () => {
    const nodes = [node("a", { CPU: 4 }), node("b", { CPU: 4 })];
    const bundles = [{ CPU: 6 }];
    expect(placeGroup("PACK", bundles, nodes).status).toBe("pending");
    expect(placeGroup("SPREAD", bundles, nodes).status).toBe("pending");
    expect(placeGroup("STRICT_SPREAD", bundles, nodes).status).toBe("pending");
    expect(placeGroup("STRICT_PACK", bundles, nodes).status).toBe("infeasible");
    expect(placeGroup("PACK", bundles, []).status).toBe("infeasible");
  });

  test("custom resources come after GPUs and before memory", () => {
    const nodes = [node("only", { CPU: 8, memory: 8, disk: 1 })];
    const bundles = [{ memory: 8 }, { disk: 1, memory: 1 }];
    expect(placeGroup("PACK", bundles, nodes).status).toBe("pending");
    const two = [...nodes, node("other", { CPU: 8, memory: 8 })];
    expect(placeGroup("PACK", bundles, two).nodes).toEqual(["other", "only"]);
  });

  test("what is placed fits its nodes, and strict strategies keep their word", () => {
    const resources = fc.record({
      CPU: fc.integer({ min: 0, max: 4 }),
      GPU: fc.integer({ min: 0, max: 2 }),
    });
    const sizes = fc.record({
      CPU: fc.integer({ min: 0, max: 8 }),
      GPU: fc.integer({ min: 0, max: 4 }),
    });
    const strategy = fc.constantFrom<RayStrategy>("PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD");
    fc.assert(
      fc.property(
        strategy,
        fc.array(resources, { minLength: 1, maxLength: 4 }),
        fc.array(sizes, { minLength: 1, maxLength: 4 }),
        (wish, bundles, totals) => {
          const nodes = totals.map((total, idx) => node(`n${idx}`, total));
          const placed = placeGroup(wish, bundles, nodes);
          expect(placed.nodes).toHaveLength(placed.status === "placed" ? bundles.length : 0);
          if (placed.status !== "placed") return;
          const { nodes: columns, names, row } = columnsOf(nodes, bundles);
          for (const [idx, name] of names.entries()) {
            const here = bundles.filter((_, at) => placed.nodes[at] === name);
            const sum = sumOf(here.map(row), columns.width);
            expect(covers(columns, columns.available, idx, sum)).toBe(true);
          }
          const distinct = new Set(placed.nodes).size;
          if (wish === "STRICT_PACK") expect(distinct).toBe(1);
          if (wish === "STRICT_SPREAD") expect(distinct).toBe(bundles.length);
        },
      ),
      { endOnFailure: true },
    );
  });
});

test("nodes on their way count against what may be asked for at once", () => {
  const types = [
    { name: "cpu", queued: 20, requested: 8, allocated: 8 },
    { name: "gpu", queued: 5, requested: 1, allocated: 0 },
  ];
  expect(launchesOf(types, 1, 10)).toEqual([1, 0]);
  expect(launchesOf(types, 1, 9)).toEqual([0, 0]);
});
