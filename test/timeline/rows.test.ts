import { expect, test } from "vitest";
import { blockAt, Level, layoutRows, rowTop, unitAt } from "../../src/timeline/rows.ts";
import { rowsOfUnit, rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticCluster } from "../../src/timeline/syntheticRecord.ts";

const wish = { heightCss: 520, ratio: 1, u: 1, chosen: {}, selected: -1 };
const units = (nodes: number, nodesPerLeaf = 8) =>
  rowUnitsOf(syntheticCluster({ nodes, gpusPerNode: 8, rects: 0, nodesPerLeaf }));

test("a small cluster shows every node near, and its GPUs grow until each can have a label", () => {
  const layout = layoutRows(units(4, 2), wish);
  expect([...layout.level]).toEqual([Level.near, Level.near]);
  expect(layout.unitH[0]! / 8).toBeGreaterThanOrEqual(11);
  expect(layout.heightDev).toBeLessThanOrEqual(520);
});

test("where GPUs are shared a seventh of one can be told apart, if there is room", () => {
  const small = units(1, 1);
  expect(layoutRows(small, { ...wish, hasParts: true }).unitH[0]! / 8 / 7).toBeGreaterThan(6);
  expect(layoutRows(small, wish).unitH[0]! / 8).toBeLessThanOrEqual(16);
  expect(layoutRows(units(4, 2), { ...wish, hasParts: true }).heightDev).toBeLessThanOrEqual(520);
});

test("in the middle level every GPU has the same whole number of pixels", () => {
  const layout = layoutRows(units(64), {
    ...wish,
    chosen: Object.fromEntries([...Array(8).keys()].map((leaf) => [leaf, 1])),
  });
  for (let u = 0; u < 64; u++) {
    for (let row = 0; row < 8; row++)
      expect(rowTop(layout, u, row + 1) - rowTop(layout, u, row)).toBe(layout.k);
  }
});

test("the block of the selection opens, and what must give way are the blocks farthest from it", () => {
  const layout = layoutRows(units(64), { ...wish, selected: 3 });
  expect(layout.level[3]).toBe(Level.near);
  expect(layout.heightDev).toBeLessThanOrEqual(520);
  const open = [...layout.level]
    .map((level, leaf) => (level === Level.far ? -1 : Math.abs(leaf - 3)))
    .filter((far) => far >= 0);
  const folded = [...layout.level].map((level, leaf) =>
    level === Level.far ? Math.abs(leaf - 3) : 99,
  );
  expect(Math.max(...open)).toBeLessThanOrEqual(Math.min(...folded));
});

test("128 leaves fold to at least six pixels and scroll where they do not fit", () => {
  const layout = layoutRows(units(1_024), { ...wish, heightCss: 700 });
  expect(new Set(layout.level)).toEqual(new Set([Level.far]));
  expect(Math.min(...layout.blockH)).toBeGreaterThanOrEqual(6);
  expect(layout.heightDev).toBeGreaterThan(700);
});

test("what is too little to open another leaf makes the folded ones taller: no strip of the height stays empty", () => {
  const layout = layoutRows(units(128, 16), { ...wish, heightCss: 510 });
  const folded = layout.level.indexOf(Level.far);
  expect(folded).toBeGreaterThan(0);
  expect(layout.blockH[folded]!).toBeGreaterThan(23);
  expect(layout.heightDev).toBeLessThanOrEqual(510);
  expect(layout.heightDev).toBeGreaterThan(510 - layout.units.blockCount - layout.gap);
});

test("levels chosen by hand hold, whatever the height", () => {
  const layout = layoutRows(units(64), { ...wish, chosen: { 0: 2, 5: 0 } });
  expect(layout.level[0]).toBe(Level.near);
  expect(layout.level[5]).toBe(Level.far);
});

test("positions never overlap and every height leads back to its unit", () => {
  const layout = layoutRows(units(40), { ...wish, chosen: { 0: 2, 1: 1, 2: 0 } });
  for (let u = 1; u < 40; u++) {
    expect(layout.unitY[u]).toBeGreaterThanOrEqual(layout.unitY[u - 1]! + layout.unitH[u - 1]!);
  }
  for (let u = 0; u < 40; u++) {
    if (layout.unitH[u] === 0) continue;
    expect(unitAt(layout, layout.unitY[u]!)).toBe(u);
    expect(blockAt(layout, layout.unitY[u]!)).toBe(layout.units.blockOfUnit[u]);
  }
});

test("a flat machine is bands of 16 processors, and nodes without a fabric group by eight", () => {
  const flat = rowUnitsOf(syntheticCluster({ nodes: 8, gpusPerNode: 16, rects: 0, flat: true }));
  expect(flat.unitCount).toBe(8);
  expect(rowsOfUnit(flat, 0)).toBe(16);
  expect(flat.leaves).toBe(false);
  const plain = rowUnitsOf({
    ...syntheticCluster({ nodes: 20, gpusPerNode: 4, rects: 0 }),
    hasFabric: false,
  });
  expect([...plain.blockFirst]).toEqual([0, 8, 16, 20]);
  expect(plain.blockNames[1]).toBe("9–16");
});
