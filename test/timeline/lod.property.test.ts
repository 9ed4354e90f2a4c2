/** The level of detail against the definition it claims: pixel by pixel, bar by bar, with no cleverness. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { rectBits } from "../../src/record/shapes.ts";
import { createBars, emitUnit } from "../../src/timeline/lod.ts";
import type { PixelScale } from "../../src/timeline/pixelScale.ts";
import { buildPart, mergeParts, type Part } from "../../src/timeline/rowIndex.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticCluster } from "../../src/timeline/syntheticRecord.ts";

const cluster = syntheticCluster({ nodes: 2, gpusPerNode: 4, rects: 0 });
const units = rowUnitsOf(cluster);

interface Rect {
  startMs: number;
  endMs: number;
  device: number;
  count: number;
}

/** Rectangles that never share a device: each takes the place after the last one on its devices. */
const schedule = fc
  .array(
    fc.record({
      gapMs: fc.nat(40),
      ms: fc.integer({ min: 1, max: 60 }),
      device: fc.nat(3),
      count: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 60 },
  )
  .map((wishes) => {
    const freeMs = [0, 0, 0, 0];
    return wishes.map(({ gapMs, ms, device, count }): Rect => {
      const rows = Math.min(count, 4 - device);
      const startMs = Math.max(...freeMs.slice(device, device + rows)) + gapMs;
      freeMs.fill(startMs + ms, device, device + rows);
      return { startMs, endMs: startMs + ms, device, count: rows };
    });
  });

function run<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function partOf(rects: readonly Rect[], jobs: readonly number[]): Part {
  return run(
    buildPart(
      {
        startMs: Float64Array.from(rects, (rect) => rect.startMs),
        endMs: Float64Array.from(rects, (rect) => rect.endMs),
        jobIdx: Uint32Array.from(jobs),
        device: Uint32Array.from(rects, (rect) => rect.device),
        deviceCount: Uint16Array.from(rects, (rect) => rect.count),
        bits: Uint16Array.from(rects, () => rectBits(2, 1, 0)),
      },
      units,
    ),
  );
}

/** Rows × pixels → job, by definition. */
function bruteForce(rects: readonly Rect[], scale: PixelScale, width: number): number[][] {
  const grid = [0, 1, 2, 3].map(() => Array.from({ length: width }, () => -1));
  for (let row = 0; row < 4; row++) {
    for (let x = 0; x < width; x++) {
      let bestMs = -1;
      rects.forEach((rect, job) => {
        if (row < rect.device || row >= rect.device + rect.count) return;
        const x0 = Math.floor(rect.startMs * scale.pxPerMs) - scale.originPx;
        const x1 = Math.max(x0 + 1, Math.floor(rect.endMs * scale.pxPerMs) - scale.originPx);
        if (x < x0 || x >= x1 || rect.endMs - rect.startMs <= bestMs) return;
        bestMs = rect.endMs - rect.startMs;
        grid[row]![x] = job;
      });
    }
  }
  return grid;
}

function drawn(
  parts: readonly Part[],
  scale: PixelScale,
  width: number,
  from: number,
  to: number,
): number[][] {
  const bars = createBars(4);
  emitUnit(parts, 0, scale, from, to, 0, bars);
  const grid = [0, 1, 2, 3].map(() => Array.from({ length: width }, () => -1));
  for (let i = 0; i < bars.count; i++) {
    for (let row = bars.row[i]!; row < bars.row[i]! + bars.rows[i]!; row++) {
      for (let x = Math.max(from, bars.x0[i]!); x < Math.min(to, bars.x1[i]!); x++)
        grid[row]![x] = bars.jobIdx[i]!;
    }
  }
  return grid;
}

const scales = fc.record({
  pxPerMs: fc.constantFrom(0.01, 0.07, 0.3, 1, 2.7),
  originPx: fc.nat(30),
});

test("bars merge to exactly the pixels of a brute force: the longest bar has a disputed pixel", () => {
  fc.assert(
    fc.property(schedule, scales, (rects, scale) => {
      const part = partOf(
        rects,
        rects.map((_, job) => job),
      );
      expect(drawn([part], scale, 50, 0, 50)).toEqual(bruteForce(rects, scale, 50));
    }),
    { numRuns: 400 },
  );
});

test("a strip shows the same pixels as the whole window", () => {
  fc.assert(
    fc.property(schedule, scales, fc.nat(49), fc.nat(49), (rects, scale, a, b) => {
      const from = Math.min(a, b);
      const to = Math.max(a, b) + 1;
      const part = partOf(
        rects,
        rects.map((_, job) => job),
      );
      const whole = drawn([part], scale, 50, 0, 50);
      const strip = drawn([part], scale, 50, from, to);
      for (let row = 0; row < 4; row++)
        expect(strip[row]!.slice(from, to)).toEqual(whole[row]!.slice(from, to));
    }),
    { numRuns: 300 },
  );
});

test("parts of any cut, merged or not, show the same pixels as one part", () => {
  fc.assert(
    fc.property(schedule, scales, fc.array(fc.nat(60), { maxLength: 4 }), (rects, scale, cuts) => {
      const byEnd = rects
        .map((rect, job) => ({ rect, job }))
        .sort((a, b) => a.rect.endMs - b.rect.endMs);
      const edges = [
        0,
        ...cuts.map((cut) => Math.min(cut, byEnd.length)).sort((a, b) => a - b),
        byEnd.length,
      ];
      const parts = edges.slice(1).map((to, i) => {
        const rows = byEnd.slice(edges[i], to);
        return partOf(
          rows.map((row) => row.rect),
          rows.map((row) => row.job),
        );
      });
      const whole = bruteForce(rects, scale, 50);
      expect(drawn(parts, scale, 50, 0, 50)).toEqual(whole);
      expect(drawn([run(mergeParts(parts, units.unitCount))], scale, 50, 0, 50)).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});
