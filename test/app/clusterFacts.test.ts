/** What an edited cluster comes to: sums, switches, price, and nodes below their leaves. */
import { expect, test } from "vitest";
import { clusterFacts, leavesOf } from "../../src/app/dialogs/editors/clusterFacts.ts";
import { freeId } from "../../src/app/dialogs/editors/usePart.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const clusterOf = (cluster: object) => mustRead({ ...small, cluster }).cluster;

const mixed = {
  nodeGroups: [
    { id: "new", count: 5, gpus: 8, pricePerGpuHour: 2.5 },
    { id: "old", count: 4, gpus: 4 },
  ],
  fabric: { nodesPerLeaf: 4, leavesPerSpine: 2 },
};

test("devices, leaves, spines and the price of an hour are summed over groups; a part may have no price", () => {
  expect(clusterFacts(clusterOf(mixed))).toEqual({
    nodes: 9,
    devices: 56,
    leaves: 3,
    spines: 2,
    pricePerHour: 100,
    priced: 40 / 56,
  });
  const plain = clusterFacts(clusterOf({ nodeGroups: [{ id: "n", count: 2, gpus: 4 }] }));
  expect(plain).toMatchObject({ leaves: 0, spines: 0, pricePerHour: null });
});

test("a leaf takes nodes in order of groups, so one may have two kinds", () => {
  expect(leavesOf(clusterOf(mixed), 9)).toEqual([
    [{ group: 0, nodes: 4 }],
    [
      { group: 0, nodes: 1 },
      { group: 1, nodes: 3 },
    ],
    [{ group: 1, nodes: 1 }],
  ]);
  expect(leavesOf(clusterOf(mixed), 1)).toHaveLength(1);
});

test("a copy has the next free name", () => {
  expect(freeId("a", ["b"])).toBe("a");
  expect(freeId("a", ["a"])).toBe("a-2");
  expect(freeId("a-2", ["a", "a-2"])).toBe("a-3");
});
