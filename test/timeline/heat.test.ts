import { expect, test } from "vitest";
import { drawnBinMs, HEAT_TIERS, HeatGrid, heatOf } from "../../src/timeline/heat.ts";
import { RowIndex } from "../../src/timeline/rowIndex.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 16, gpusPerNode: 8, rects: 4_000, chunks: 9 });
const units = rowUnitsOf(record.stage.cluster);
const tiers = record.stage.jobs.at.tier;
const index = new RowIndex(units);
index.update(record.chunks, record.open);
index.finish();

/** Device-ms of one block, bin and tier by looking at every rectangle. */
function byHand(block: number, fromMs: number, toMs: number, tier: number): number {
  let sum = 0;
  for (const { rects } of [...record.chunks, record.open]) {
    for (let i = 0; i < rects.startMs.length; i++) {
      if (tiers[rects.jobIdx[i]!] !== tier) continue;
      const ms =
        Math.min(toMs, Math.min(record.knownMs, rects.endMs[i]!)) -
        Math.max(fromMs, rects.startMs[i]!);
      if (ms <= 0) continue;
      for (let d = 0; d < rects.deviceCount[i]!; d++) {
        if (units.blockOfUnit[units.unitOfDevice[rects.device[i]! + d]!] === block) sum += ms;
      }
    }
  }
  return sum;
}

function check(grid: HeatGrid, binMs: number): void {
  const out = new Float64Array(6 * HEAT_TIERS);
  const firstBin = Math.floor(record.knownMs / 2 / binMs);
  heatOf(grid, index.parts, 1, binMs, firstBin, 6, record.knownMs, tiers, out);
  for (let i = 0; i < 6; i++) {
    for (let tier = 0; tier < 4; tier++) {
      const fromMs = (firstBin + i) * binMs;
      expect(out[i * HEAT_TIERS + tier]).toBe(byHand(1, fromMs, fromMs + binMs, tier));
    }
  }
}

test("load by bin is exact from the grid and from the rectangles", () => {
  const grid = new HeatGrid(units);
  grid.update(record.chunks, record.endMs, tiers);
  while (grid.step(64));
  check(grid, grid.binMs);
  check(grid, grid.binMs * 8);
  check(grid, grid.binMs / 4);
});

test("a grid that went over to another future equals one that was made for it", () => {
  const other = [...record.chunks.slice(0, 5), record.chunks[7]!];
  const moved = new HeatGrid(units);
  moved.update(record.chunks.slice(0, 7), record.endMs / 9, tiers);
  while (moved.step(64));
  moved.update(other, record.endMs, tiers);
  while (moved.step(64));
  const fresh = new HeatGrid(units);
  fresh.update(other, record.endMs, tiers);
  while (fresh.step(64));
  expect(moved.sums).toEqual(fresh.sums);
});

test("bins drawn are at least as wide as asked for, at most twice as wide, and powers of two", () => {
  for (const pxPerMs of [1e-7, 3e-5, 0.002, 0.7, 5]) {
    const binMs = drawnBinMs(pxPerMs, 4);
    expect(binMs * pxPerMs).toBeGreaterThanOrEqual(4);
    expect(binMs * pxPerMs).toBeLessThan(8);
    expect(Number.isInteger(Math.log2(binMs))).toBe(true);
  }
});
