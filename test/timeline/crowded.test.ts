/** When bars become load, and that the load is what the rectangles hold. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CROWDED_CSS, crowded, ROOMY_CSS, rowStarts } from "../../src/timeline/crowded.ts";
import { drawnBinMs, HeatGrid } from "../../src/timeline/heat.ts";
import { loadAt } from "../../src/timeline/loadAt.ts";
import { RowIndex } from "../../src/timeline/rowIndex.ts";
import { drawsBars, Level, layoutRows, type RowLayout } from "../../src/timeline/rows.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({
  nodes: 16,
  gpusPerNode: 8,
  nodesPerLeaf: 4,
  rects: 4_000,
  chunks: 9,
});
const units = rowUnitsOf(record.stage.cluster);
const tiers = record.stage.jobs.at.tier;
const index = new RowIndex(units);
index.update(record.chunks, record.open);
index.finish();
const grid = new HeatGrid(units);
grid.update(record.chunks, record.endMs, tiers);
while (grid.step(64));
const { knownMs } = record;
const rects = [...record.chunks.map((chunk) => chunk.rects), record.open.rects];

/** Calls back with each device of block `b` that a rectangle holds. */
function eachHeld(b: number, tell: (startMs: number, endMs: number, jobIdx: number) => void): void {
  for (const columns of rects) {
    for (let i = 0; i < columns.startMs.length; i++) {
      for (let d = 0; d < columns.deviceCount[i]!; d++) {
        if (units.blockOfUnit[units.unitOfDevice[columns.device[i]! + d]!] !== b) continue;
        tell(columns.startMs[i]!, Math.min(knownMs, columns.endMs[i]!), columns.jobIdx[i]!);
      }
    }
  }
}

function startsByHand(b: number, fromMs: number, toMs: number): number {
  let count = 0;
  eachHeld(b, (startMs) => {
    if (startMs >= fromMs && startMs < toMs) count += 1;
  });
  return count;
}

const open = layoutRows(units, { heightCss: 700, ratio: 1, u: 1, chosen: {}, selected: -1 });
const devices = units.unitFirst[units.blockFirst[1]!]!;

/** The layout after a look at the whole run `width` pixels wide. */
function look(layout: RowLayout, width: number, chosen = {}, ratio = 1): RowLayout {
  const scale = { pxPerMs: width / knownMs, originPx: 0 };
  return crowded(layout, index.parts, { scale, width, ratio, chosen, knownMs });
}

/** Pixels between two starts in a row of block `b`, the whole run on `width` pixels. */
const pitch = (b: number, width: number) => (devices * width) / startsByHand(b, 0, knownMs);
/** Width at which that is `css`. */
const widthAt = (b: number, css: number) => (css * startsByHand(b, 0, knownMs)) / devices;

test("bars that start in a stretch are counted exactly, once a row", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(3),
      (a, c, b) => {
        const fromMs = Math.floor(Math.min(a, c) * knownMs);
        const toMs = Math.ceil(Math.max(a, c) * knownMs) + 1;
        expect(rowStarts(index.parts, units, b, fromMs, toMs)).toBe(startsByHand(b, fromMs, toMs));
      },
    ),
    { numRuns: 60 },
  );
});

test("an open block is drawn as load where less than two pixels lie between two starts in a row, and only there", () => {
  const width = Math.round(widthAt(0, CROWDED_CSS));
  const shown = look(open, width);
  for (let b = 0; b < units.blockCount; b++) {
    expect(open.level[b]).not.toBe(Level.far);
    expect(shown.load[b]).toBe(pitch(b, width) < CROWDED_CSS ? 1 : 0);
    expect(drawsBars(shown, b)).toBe(shown.load[b] === 0);
  }
  expect(Math.min(...look(open, width / 2).load)).toBe(1);
  expect(look(open, width * 4)).toBe(open);
});

test("device pixels count as CSS pixels do: a sharper screen draws the same", () => {
  const width = widthAt(0, CROWDED_CSS * 0.9);
  expect(look(open, width * 2, {}, 2).load).toEqual(look(open, width).load);
});

test("load goes back to bars only where three pixels lie between two starts: a zoom to and fro does not flicker", () => {
  const between = Math.round(widthAt(0, (CROWDED_CSS + ROOMY_CSS) / 2));
  const near = Math.round(widthAt(0, CROWDED_CSS * 0.8));
  const wide = Math.round(widthAt(0, ROOMY_CSS * 1.2));
  expect(look(open, between).load[0]).toBe(0);
  const load = look(open, near);
  expect(load.load[0]).toBe(1);
  expect(look(load, between).load[0]).toBe(1);
  expect(look(load, wide).load[0]).toBe(0);
  expect(look(look(load, wide), between).load[0]).toBe(0);
});

test("a level chosen by hand is drawn as it was chosen, and folded blocks are load already", () => {
  const width = widthAt(0, CROWDED_CSS / 4);
  const chosen = { 1: Level.middle, 2: Level.far };
  const layout = layoutRows(units, { heightCss: 700, ratio: 1, u: 1, chosen, selected: -1 });
  const shown = look(layout, width, chosen);
  expect([...shown.load]).toEqual([1, 0, 0, 1]);
  expect([0, 1, 2, 3].map((b) => drawsBars(shown, b))).toEqual([false, true, false, false]);
});

test("the load under the pointer is the share and the jobs of the rectangles, whatever the zoom", () => {
  for (const width of [200, 1_200, 9_000]) {
    const binMs = drawnBinMs(width / knownMs, 4);
    for (const at of [0.1, 0.5, 0.93]) {
      const bin = Math.floor((at * knownMs) / binMs);
      const found = loadAt(grid, index.parts, 2, binMs, bin, knownMs, tiers);
      let held = 0;
      const jobs = new Set<number>();
      eachHeld(2, (startMs, endMs, jobIdx) => {
        const ms = Math.min(endMs, (bin + 1) * binMs) - Math.max(startMs, bin * binMs);
        if (ms <= 0) return;
        held += ms;
        jobs.add(jobIdx);
      });
      expect(found.share).toBeCloseTo(held / (devices * binMs), 12);
      expect(found.jobCount).toBe(jobs.size);
      expect(found.toMs - found.fromMs).toBe(binMs);
    }
  }
});
