import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate } from "../../src/base/columns.ts";
import { DEVICE_PARTS } from "../../src/model/units.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  RECT_SHAPE,
  RUN_SHAPE,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "../../src/record/shapes.ts";
import { ColumnWindow, GrowingColumns } from "../../src/timeline/stepColumns.ts";
import { mostWaited, mostWaiting, StepWalk, stepSeriesOf } from "../../src/timeline/stepSeries.ts";

interface Step {
  readonly atMs: number;
  readonly tier: number;
  readonly held: number;
  readonly waiting: number;
  readonly waited: number;
}
const TIERS = 3;

function chunkOf(fromMs: number, toMs: number, steps: readonly Step[]): Chunk {
  const series = allocate(SERIES_SHAPE, steps.length);
  steps.forEach((step, row) => {
    series.atMs[row] = step.atMs;
    series.tier[row] = step.tier;
    series.heldParts[row] = step.held * DEVICE_PARTS;
    series.jobsWaiting[row] = step.waiting;
    series.waitedParts[row] = step.waited * DEVICE_PARTS;
  });
  return {
    fromMs,
    toMs,
    series,
    rects: allocate(RECT_SHAPE, 0),
    runs: allocate(RUN_SHAPE, 0),
    waits: allocate(WAIT_SHAPE, 0),
    decisions: allocate(DECISION_SHAPE, 0),
    nodeSpans: allocate(NODE_SPAN_SHAPE, 0),
    gauges: allocate(GAUGE_SHAPE, 0),
  };
}

/** Steps in order of time, at most one a tier and instant, cut into chunks that hold the rows at their end. */
const runs = fc
  .tuple(
    fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 3 }),
        tier: fc.nat(TIERS - 1),
        held: fc.nat(50),
        waiting: fc.nat(9),
        waited: fc.nat(90),
      }),
      { maxLength: 400 },
    ),
    fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 3 }),
  )
  .map(([raw, cuts]) => {
    let atMs = 0;
    const seen = new Set<string>();
    const steps: Step[] = [];
    for (const { gap, ...step } of raw) {
      atMs += gap;
      const key = `${atMs} ${step.tier}`;
      if (seen.has(key)) continue;
      seen.add(key);
      steps.push({ ...step, atMs });
    }
    const ends = [...new Set(cuts)].sort((a, b) => a - b).concat(atMs + 50);
    let fromMs = -1;
    const chunks = ends.map((toMs) => {
      const chunk = chunkOf(
        Math.max(0, fromMs),
        toMs,
        steps.filter((step) => step.atMs > fromMs && step.atMs <= toMs),
      );
      fromMs = toMs;
      return chunk;
    });
    return { steps, chunks, endMs: atMs + 50 };
  });

function valuesAt(steps: readonly Step[], atMs: number) {
  const held = [0, 0, 0];
  const waited = [0, 0, 0];
  for (const step of steps) {
    if (step.atMs > atMs) break;
    held[step.tier] = step.held;
    waited[step.tier] = step.waited;
  }
  return { held, waited };
}

describe("step series", () => {
  test("the value at any time is that of the last step at or before it, whatever the way there", () => {
    fc.assert(
      fc.property(
        runs,
        fc.array(fc.nat(700), { minLength: 1, maxLength: 12 }),
        ({ steps, chunks }, times) => {
          const walk = new StepWalk(stepSeriesOf(chunks, TIERS));
          for (const atMs of times) {
            walk.moveTo(atMs);
            const expected = valuesAt(steps, atMs);
            expect(Array.from(walk.heldParts, (parts) => parts / DEVICE_PARTS)).toEqual(
              expected.held,
            );
            expect(Array.from(walk.waitedParts, (parts) => parts / DEVICE_PARTS)).toEqual(
              expected.waited,
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a pixel's mean is its integral over its width, its least and most are values that occur in it", () => {
    fc.assert(
      fc.property(
        runs,
        fc.nat(300),
        fc.integer({ min: 20, max: 300 }),
        ({ steps, chunks }, fromMs, span) => {
          const columns = 10;
          const whole = new GrowingColumns();
          whole.show(stepSeriesOf(chunks, TIERS), fromMs, fromMs + columns * span, columns);
          const out = whole.columns;
          for (let column = 0; column < columns; column++) {
            const start = fromMs + column * span;
            const sums: number[] = [];
            const held = [0, 0, 0];
            for (let atMs = start; atMs < start + span; atMs++) {
              const values = valuesAt(steps, atMs);
              sums.push(values.held.reduce((a, b) => a + b, 0));
              values.held.forEach((value, tier) => {
                held[tier]! += value;
              });
            }
            held.forEach((value, tier) => {
              expect(out.heldMean[tier * columns + column]).toBeCloseTo(value / span, 6);
            });
            const end = valuesAt(steps, start + span).held.reduce((a, b) => a + b, 0);
            expect(out.heldLeast[column]).toBe(Math.min(...sums, end));
            expect(out.heldMost[column]).toBe(Math.max(...sums, end));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("columns after any pans are those of the place, whatever was in sight before", () => {
    fc.assert(
      fc.property(
        runs,
        fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
        ({ chunks }, origins) => {
          const series = stepSeriesOf(chunks, TIERS);
          const panned = new ColumnWindow();
          for (const originPx of origins) panned.show(series, { pxPerMs: 0.25, originPx }, 24);
          const there = new ColumnWindow();
          there.show(series, { pxPerMs: 0.25, originPx: origins.at(-1)! }, 24);
          expect(panned.columns).toEqual(there.columns);
        },
      ),
    );
  });

  test("the columns of a run that grew by chunks are those of the whole run", () => {
    fc.assert(
      fc.property(runs, ({ chunks, endMs }) => {
        const grown = new GrowingColumns();
        for (let count = 1; count <= chunks.length; count++)
          grown.show(stepSeriesOf(chunks.slice(0, count), TIERS), 0, endMs, 16);
        const whole = new GrowingColumns();
        whole.show(stepSeriesOf(chunks, TIERS), 0, endMs, 16);
        for (const part of ["heldLeast", "heldMost", "waitedLeast", "waitedMost"] as const)
          expect(grown.columns[part]).toEqual(whole.columns[part]);
        for (const [at, mean] of whole.columns.heldMean.entries())
          expect(grown.columns.heldMean[at]).toBeCloseTo(mean, 6);
      }),
      { endOnFailure: true },
    );
  });

  test("after an edit only the columns behind what both futures share are filled again", () => {
    const first = chunkOf(0, 50, [{ atMs: 2, tier: 0, held: 4, waiting: 0, waited: 0 }]);
    const before = chunkOf(50, 100, [{ atMs: 60, tier: 0, held: 1, waiting: 0, waited: 0 }]);
    const after = chunkOf(50, 100, [{ atMs: 70, tier: 0, held: 9, waiting: 0, waited: 0 }]);
    const columns = new GrowingColumns();
    const filled = [[first, before], [first, before], [first, after], [first]].map((chunks) => {
      columns.show(stepSeriesOf(chunks, TIERS), 0, 100, 10);
      return columns.filled;
    });
    expect(filled).toEqual([10, 0, 5, 5]);
    columns.show(stepSeriesOf([first], TIERS), 0, 200, 10);
    expect(columns.filled).toBe(10);
  });

  test("the most that is waited for is found without a window", () => {
    const chunks = [
      chunkOf(0, 10, [
        { atMs: 2, tier: 0, held: 0, waiting: 1, waited: 7 },
        { atMs: 3, tier: 0, held: 7, waiting: 0, waited: 0 },
      ]),
    ];
    expect(mostWaited(stepSeriesOf(chunks, TIERS))).toBe(7);
  });

  test("the most that waited is found between notes too, and who starts at once has not waited", () => {
    // A queue that empties at once, well inside the first 64 rows.
    const grows = Array.from({ length: 30 }, (_, at) => ({
      ...{ atMs: at, tier: 1, held: 0, waited: 0 },
      waiting: at + 1,
    }));
    const chunks = [
      chunkOf(-1, 60, [
        ...grows,
        { atMs: 40, tier: 1, held: 8, waiting: 0, waited: 0 },
        { atMs: 50, tier: 2, held: 8, waiting: 5, waited: 0 },
        { atMs: 50, tier: 2, held: 9, waiting: 1, waited: 0 },
      ]),
    ];
    expect([...mostWaiting(stepSeriesOf(chunks, TIERS))]).toEqual([0, 30, 1]);
  });

  test("a change keeps what was noted for the chunks before it", () => {
    const first = chunkOf(0, 10, [{ atMs: 2, tier: 0, held: 4, waiting: 0, waited: 0 }]);
    const ghost = stepSeriesOf(
      [first, chunkOf(10, 20, [{ atMs: 12, tier: 0, held: 1, waiting: 0, waited: 0 }])],
      TIERS,
    );
    const now = stepSeriesOf(
      [first, chunkOf(10, 20, [{ atMs: 15, tier: 0, held: 9, waiting: 0, waited: 0 }])],
      TIERS,
    );
    expect(now.chunks[0]).toBe(ghost.chunks[0]);
    const walk = new StepWalk(now);
    walk.moveTo(14);
    expect(walk.held(0)).toBe(4);
  });
});
