import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutMap, type MapLayout } from "../../../src/timeline/topologyMap/mapLayout.ts";
import {
  boxOfPlace,
  deviceAt,
  nextPlace,
  placeAt,
} from "../../../src/timeline/topologyMap/mapPlaces.ts";
import { arrange } from "../../../src/timeline/topologyMap/mapSizes.ts";
import { mapTreeOf } from "../../../src/timeline/topologyMap/mapTree.ts";
import { clusterFrom, racks } from "./clusters.ts";

const ROOM = { widthCss: 1_080, heightCss: 700, u: 1 };
const SLACK = 0.01;

function laidOut(cluster: Parameters<typeof mapTreeOf>[0], room = ROOM, zoom = 1): MapLayout {
  const tree = mapTreeOf(cluster);
  return layoutMap(tree, room, arrange(tree, room), zoom);
}

const nodes = (count: number, perLeaf: number, gpus = 8, leavesPerSpine = 16) =>
  clusterFrom({
    nodeGroups: [{ id: "h", count, gpus, numaDomains: 2 }],
    fabric: { nodesPerLeaf: perLeaf, leavesPerSpine },
  });

/** Every node lies in its leaf, every leaf in the content, no two nodes of a leaf on each other. */
function expectNested(layout: MapLayout): void {
  const { units } = layout.tree;
  for (let b = 0; b < units.blockCount; b++) {
    const left = layout.blockX[b]!;
    const top = layout.blockY[b]!;
    expect(left + layout.blockW).toBeLessThanOrEqual(layout.widthCss + SLACK);
    expect(top + layout.blockH).toBeLessThanOrEqual(layout.heightCss + SLACK);
    const taken = new Set<string>();
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const x = layout.unitX[u]!;
      const y = layout.unitY[u]!;
      expect(x).toBeGreaterThanOrEqual(left - SLACK);
      expect(y).toBeGreaterThanOrEqual(top - SLACK);
      expect(x + layout.unitW).toBeLessThanOrEqual(left + layout.blockW + SLACK);
      expect(y + layout.unitH).toBeLessThanOrEqual(top + layout.blockH + SLACK);
      taken.add(`${x} ${y}`);
    }
    expect(taken.size).toBe(units.blockFirst[b + 1]! - units.blockFirst[b]!);
  }
}

describe("places of the map", () => {
  test("nodes lie in their leaf and devices in their node, whatever the cluster and the room", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(1, 2, 4, 8, 12, 16),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 320, max: 2_400 }),
        fc.integer({ min: 200, max: 1_300 }),
        fc.constantFrom(1, 3, 9),
        (count, perLeaf, gpus, leavesPerSpine, widthCss, heightCss, zoom) => {
          const layout = laidOut(
            nodes(count, perLeaf, gpus, leavesPerSpine),
            { widthCss, heightCss, u: 1 },
            zoom,
          );
          expectNested(layout);
          for (const cells of layout.cells)
            for (let i = 0; i < cells.x.length; i++) {
              expect(cells.x[i]! + cells.w).toBeLessThanOrEqual(Math.max(layout.unitW, 1) + 0.5);
              expect(cells.y[i]! + cells.h).toBeLessThanOrEqual(Math.max(layout.unitH, 1) + 0.5);
            }
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test("2,048 nodes fit a desk at once, each with room for its eight devices", () => {
    const layout = laidOut(nodes(2_048, 16));
    expect(layout.widthCss).toBeLessThanOrEqual(ROOM.widthCss);
    expect(layout.heightCss).toBeLessThanOrEqual(ROOM.heightCss);
    expect(layout.cells[0]!.w * layout.cells[0]!.h).toBeGreaterThan(4);
  });

  test("a small cluster takes most of a large screen, and does not grow without end", () => {
    const room = { widthCss: 2_140, heightCss: 1_250, u: 1 };
    const eight = laidOut(nodes(8, 4), room);
    expect(eight.widthCss).toBeGreaterThan(0.7 * room.widthCss);
    expect(eight.heightCss).toBeGreaterThan(0.6 * room.heightCss);
    expect(laidOut(nodes(1, 4, 1), room).cells[0]!.w).toBeLessThan(0.1 * room.heightCss);
  });

  test("in a thumbnail, where nodes find no room, each of 128 leaves still has its place", () => {
    const layout = laidOut(nodes(2_048, 16), { widthCss: 360, heightCss: 160, u: 1 });
    expect(layout.widthCss).toBeLessThanOrEqual(360 + SLACK);
    expect(layout.blockW).toBeGreaterThan(1);
    expect(layout.blockH).toBeGreaterThan(1);
    const places = new Set([...layout.blockX].map((x, b) => `${x} ${layout.blockY[b]}`));
    expect(places.size).toBe(128);
  });

  test("zooming leaves all in the order it had", () => {
    const cluster = nodes(96, 12);
    const near = laidOut(cluster, ROOM, 5);
    const far = laidOut(cluster);
    const order = ({ unitX, unitY }: MapLayout) =>
      [...unitX.keys()].sort((a, b) => unitY[a]! - unitY[b]! || unitX[a]! - unitX[b]!);
    expect(order(near)).toEqual(order(far));
    expect(near.unitW).toBeGreaterThan(far.unitW);
  });

  test("the nodes of an NVL72 rack stand together in its frame, two racks under a leaf", () => {
    const layout = laidOut(racks(4));
    const { tree } = layout;
    expect([...tree.groupDomain]).toEqual([0, 1, 2, 3]);
    expect([...tree.blockGroup]).toEqual([0, 2, 4]);
    for (let g = 0; g < 4; g++)
      for (let u = tree.groupFirst[g]!; u < tree.groupFirst[g + 1]!; u++) {
        expect(layout.unitX[u]! + layout.unitW).toBeLessThanOrEqual(
          layout.groupX[g]! + layout.groupW + SLACK,
        );
        expect(layout.unitY[u]! + layout.unitH).toBeLessThanOrEqual(
          layout.groupY[g]! + layout.groupH + SLACK,
        );
      }
  });

  test("a domain whose nodes stand under two leaves has a part in each", () => {
    const tree = mapTreeOf(
      clusterFrom({
        nodeGroups: [{ id: "gb", count: 6, gpus: 4, nvswitchNodes: 3 }],
        fabric: { nodesPerLeaf: 2 },
      }),
    );
    expect([...tree.groupDomain]).toEqual([0, 0, 1, 1]);
  });

  test("NUMA domains of a node stand apart", () => {
    const { cells } = laidOut(nodes(4, 4));
    const { x, y } = cells[0]!;
    const steps = [...x.keys()]
      .slice(1)
      .map((i) => Math.abs(x[i]! - x[i - 1]!) + Math.abs(y[i]! - y[i - 1]!));
    const widest = Math.max(...steps);
    expect(steps.indexOf(widest)).toBe(3);
  });

  test("a flat machine has no spine, and bands of processors for nodes", () => {
    const tree = mapTreeOf(
      clusterFrom({ nodeGroups: [{ id: "m", count: 1, gpus: 256 }], flat: true }),
    );
    expect(tree.spines).toMatchObject([{ spine: -1 }]);
    expect(tree.units.unitCount).toBe(16);
    expectNested(laidOut(tree.cluster));
  });
});

describe("pointing at the map", () => {
  const layout = laidOut(nodes(32, 8));

  test("the middle of each node leads to it, and the middle of each device to the device", () => {
    for (let unit = 0; unit < 32; unit++) {
      const { x, y, w, h } = boxOfPlace(layout, { kind: "unit", unit });
      expect(placeAt(layout, x + w / 2, y + h / 2)).toEqual({ kind: "unit", unit });
      const cells = layout.cells[0]!;
      const device = deviceAt(
        layout,
        unit,
        x + cells.x[5]! + cells.w / 2,
        y + cells.y[5]! + cells.h / 2,
      );
      expect(device).toBe(unit * 8 + 5);
    }
  });

  test("arrows reach every node, and there is a way up to the switch and back", () => {
    const seen = new Set<string>();
    const open = [{ kind: "unit", unit: 0 } as ReturnType<typeof nextPlace>];
    while (open.length > 0) {
      const place = open.pop()!;
      const key = JSON.stringify(place);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const to of ["left", "right", "up", "down"] as const)
        open.push(nextPlace(layout, place, to));
    }
    expect(seen.size).toBe(32 + 4);
    expect(nextPlace(layout, { kind: "unit", unit: 0 }, "up")).toEqual({ kind: "block", block: 0 });
    expect(nextPlace(layout, { kind: "block", block: 0 }, "down")).toEqual({
      kind: "unit",
      unit: 0,
    });
  });
});
