import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate, Table } from "../../src/base/columns.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  DecisionKindCode,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  RECT_SHAPE,
  RUN_SHAPE,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "../../src/record/shapes.ts";
import { passMs } from "../../src/store/eventTimes.ts";
import { EMPTY_FUTURE } from "../../src/store/runData.ts";
import { PassIndex } from "../../src/timeline/passIndex.ts";

interface Pass {
  readonly atMs: number;
  readonly kind: number;
  readonly looked: number;
  readonly started: number;
}

function chunkOf(passes: readonly Pass[], fromMs: number, toMs: number): Chunk {
  const table = new Table(DECISION_SHAPE);
  const add = (atMs: number, kind: number, reason: number, jobIdx: number, value: number) => {
    table.reserve(1);
    const row = table.length++;
    table.at.atMs[row] = atMs;
    table.at.kind[row] = kind;
    table.at.reason[row] = reason;
    table.at.jobIdx[row] = jobIdx;
    table.at.value[row] = value;
  };
  for (const pass of passes) {
    add(pass.atMs, DecisionKindCode.start, 0, 3, 0);
    add(pass.atMs, DecisionKindCode.pass, pass.kind, pass.looked, pass.started);
  }
  return {
    fromMs,
    toMs,
    rects: allocate(RECT_SHAPE, 0),
    runs: allocate(RUN_SHAPE, 0),
    waits: allocate(WAIT_SHAPE, 0),
    decisions: table.take(),
    nodeSpans: allocate(NODE_SPAN_SHAPE, 0),
    series: allocate(SERIES_SHAPE, 0),
    gauges: allocate(GAUGE_SHAPE, 0),
  };
}

const passes = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: 50 }),
      kind: fc.integer({ min: 0, max: 1 }),
      looked: fc.integer({ min: 0, max: 900 }),
      started: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => {
    let atMs = 0;
    return list.map(({ gapMs, ...pass }): Pass => {
      atMs += gapMs;
      return { ...pass, atMs };
    });
  });

/** Cut into chunks at every tenth pass. */
function chunksOf(list: readonly Pass[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < list.length; at += 10) {
    const part = list.slice(at, at + 10);
    chunks.push(chunkOf(part, part[0]!.atMs, part.at(-1)!.atMs));
  }
  return chunks;
}

describe("the index of passes", () => {
  test("counts passes and starts of a kind in any stretch of time", () => {
    fc.assert(
      fc.property(passes, fc.nat(2_000), fc.nat(500), fc.nat(1), (list, fromMs, lengthMs, kind) => {
        const index = new PassIndex();
        index.update(chunksOf(list));
        const inside = list.filter(
          (pass) => pass.kind === kind && pass.atMs >= fromMs && pass.atMs < fromMs + lengthMs,
        );
        const span = index.span(kind, fromMs, fromMs + lengthMs);
        expect(span.to - span.from).toBe(inside.length);
        expect(span.started).toBe(inside.reduce((sum, pass) => sum + pass.started, 0));
        expect(index.count).toBe(list.length);
      }),
    );
  });

  test("taken in by parts, or after a change that took chunks back, it is what it is afresh", () => {
    fc.assert(
      fc.property(passes, passes, fc.nat(4), (first, second, kept) => {
        const before = chunksOf(first);
        const after = [...before.slice(0, kept), ...chunksOf(second)];
        const index = new PassIndex();
        while (index.update(before, 1));
        while (index.update(after, 1));
        const fresh = new PassIndex();
        fresh.update(after);
        const rows = (of: PassIndex) =>
          Array.from({ length: of.count }, (_, row) => [
            of.rows.atMs[row],
            of.rows.kind[row],
            of.rows.looked[row],
            of.rows.started[row],
          ]);
        expect(rows(index)).toEqual(rows(fresh));
        expect([index.countOf(0), index.countOf(1)]).toEqual([fresh.countOf(0), fresh.countOf(1)]);
      }),
    );
  });

  test("the last pass of a kind at or before a time", () => {
    const index = new PassIndex();
    index.update(
      chunksOf([
        { atMs: 10, kind: 0, looked: 1, started: 0 },
        { atMs: 30, kind: 1, looked: 2, started: 1 },
        { atMs: 60, kind: 1, looked: 3, started: 0 },
      ]),
    );
    expect(index.lastRow(1, 29)).toBe(-1);
    expect(index.lastRow(1, 30)).toBe(1);
    expect(index.lastRow(0, 99)).toBe(0);
  });
});

test("steps go from pass to pass and over everything else", () => {
  const future = {
    ...EMPTY_FUTURE,
    chunks: chunksOf(
      [10, 40, 70].map((atMs) => ({ atMs, kind: 1, looked: 5, started: 0 }) as const),
    ),
  };
  expect(passMs(future, 0, 1)).toBe(10);
  expect(passMs(future, 10, 1)).toBe(40);
  expect(passMs(future, 70, 1)).toBeNull();
  expect(passMs(future, 70, -1)).toBe(40);
});
