/** Incremental painting against painting everything: whatever the way to a view, its pixels are the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BasePainter, type GanttView } from "../../../src/panels/gantt/basePainter.ts";
import { GanttScene } from "../../../src/panels/gantt/scene.ts";
import { rasterPaletteOf } from "../../../src/render/rasterPalette.ts";
import { EMPTY_FUTURE } from "../../../src/store/runData.ts";
import { type LevelCode, layoutRows } from "../../../src/timeline/rows.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";
import { paletteOf } from "../../support/palette.ts";
import { fixtureFuture, fixtureStage } from "../runFixture.ts";

const record = syntheticRecord({ nodes: 12, gpusPerNode: 8, nodesPerLeaf: 4, rects: 1_500 });
const scene = new GanttScene();
scene.update({
  version: 1,
  stage: record.stage,
  current: {
    ...EMPTY_FUTURE,
    chunks: record.chunks,
    open: record.open,
    knownMs: record.knownMs,
    endMs: record.endMs * 1.05,
  },
  ghost: null,
  ghostFromMs: 0,
  progress: null,
});
while (scene.step(64));
const palette = rasterPaletteOf(paletteOf("dark"));
const chosen: Record<number, LevelCode> = { 0: 0, 1: 1, 2: 2 };
const layout = layoutRows(scene.units!, { heightCss: 180, ratio: 1, u: 1, chosen, selected: -1 });
/** The same with the open leaves drawn as load. */
const asLoad = { ...layout, load: Uint8Array.of(0, 1, 1) };
const pxPerMs = 150 / (record.knownMs / 6);
const start = Math.floor(record.knownMs * 0.4 * pxPerMs);

function view(originPx: number, scrollDev: number, cursorMs: number, rows = layout): GanttView {
  return {
    scale: { pxPerMs, originPx },
    width: 150,
    height: 120,
    layout: rows,
    scrollDev,
    cursorMs,
    ratio: 1,
    zeroMs: 0,
  };
}

const move = fc.record({
  dx: fc.integer({ min: -60, max: 60 }),
  dy: fc.integer({ min: -40, max: 40 }),
  cursor: fc.integer({ min: -20, max: 170 }),
});

test.each([
  ["bars", layout],
  ["load", asLoad],
])("after any pans, scrolls and cursor moves %s are painted as from nothing", (_, rows) => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 5 }), (moves) => {
      const painter = new BasePainter(scene);
      let originPx = start;
      let scrollDev = 20;
      painter.paint(view(originPx, scrollDev, (originPx + 70) / pxPerMs, rows), palette);
      for (const { dx, dy, cursor } of moves) {
        originPx += dx;
        scrollDev = Math.max(0, Math.min(layout.heightDev - 120, scrollDev + dy));
        const at = view(originPx, scrollDev, (originPx + cursor) / pxPerMs, rows);
        painter.paint(at, palette);
        const fresh = new BasePainter(scene);
        fresh.paint(at, palette);
        expect(firstDifference(painter.raster!.pixels, fresh.raster!.pixels, 150)).toBe("none");
      }
    }),
    { numRuns: 150 },
  );
});

function firstDifference(a: Uint32Array, b: Uint32Array, width: number): string {
  for (let i = 0; i < a.length; i++)
    if (a[i] !== b[i]) return `x ${i % width}, y ${Math.floor(i / width)}`;
  return "none";
}

test("a pan by a few pixels repaints a strip, not the sheet", () => {
  const painter = new BasePainter(scene);
  painter.paint(view(start, 0, 0), palette);
  expect(painter.counts).toMatchObject({ full: true, pixels: 150 * 120 });
  painter.paint(view(start + 4, 0, 0), palette);
  expect(painter.counts).toMatchObject({ full: false, pixels: 4 * 120 });
  expect(painter.paint(view(start + 4, 0, 0), palette)).toBe(false);
});

const HOUR = 3_600_000;

/** The colours down the middle of a gang of four whole nodes that is still to come; screens of `ratio` device pixels. */
function columnOfGang(ratio: number): Set<number> {
  const job = { submitMs: HOUR, gpus: 32, workMs: HOUR, limitMs: HOUR, tier: 2, name: "gang" };
  const stage = fixtureStage(4, [job]);
  const current = fixtureFuture(stage);
  const scene = new GanttScene();
  scene.update({ version: 1, stage, current, ghost: null, ghostFromMs: 0, progress: null });
  while (scene.step(64));
  // Nodes of eight pixels: on a screen of two device pixels that leaves no gap between their bars.
  const wish = { heightCss: 40, ratio: 1, u: 1, chosen: { 0: 1 as const }, selected: -1 };
  const layout = layoutRows(scene.units!, wish);
  const width = 60;
  const height = layout.heightDev;
  const painter = new BasePainter(scene);
  painter.paint(
    {
      scale: { pxPerMs: width / (3 * HOUR), originPx: 0 },
      width,
      height,
      layout,
      scrollDev: 0,
      cursorMs: 0,
      ratio,
      zeroMs: 0,
    },
    palette,
  );
  const top = layout.blockY[0]! + 2 * ratio;
  const bottom = layout.blockY[0]! + layout.blockH[0]! - 3 * ratio;
  const colours = new Set<number>();
  for (let y = top; y < bottom; y++) colours.add(painter.raster!.pixels[y * width + 30]!);
  return colours;
}

test.each([1, 2])(
  "whole nodes of a gang are one block, without edges between them (×%i)",
  (ratio) => {
    expect(columnOfGang(ratio).size).toBe(1);
  },
);
