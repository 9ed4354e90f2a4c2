import fc from "fast-check";
import { expect, test } from "vitest";
import { JobFlag } from "../../src/model/jobs.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { decisionMs, nextEventMs, previousEventMs } from "../../src/store/eventTimes.ts";
import type { Future } from "../../src/store/runData.ts";
import { EMPTY_FUTURE } from "../../src/store/runData.ts";

/** A record of runs [start, end) given per chunk border, and the submits; only the columns that steps read. */
function recordOf(
  submits: number[],
  injected: number[],
  runs: [number, number][],
  borders: number[],
) {
  const chunks: Chunk[] = [];
  const edges = [0, ...borders, 1_000];
  for (let i = 0; i + 1 < edges.length; i++) {
    const inside = (at: number) => (i === 0 ? at >= 0 : at > edges[i]!) && at <= edges[i + 1]!;
    const ends = runs
      .map((run) => run[1])
      .filter(inside)
      .sort((a, b) => a - b);
    const starts = runs
      .map(([start], jobIdx) => ({ start, jobIdx }))
      .filter((row) => inside(row.start));
    const log = [
      ...starts.map((row) => ({ at: row.start, kind: DecisionKindCode.start, jobIdx: row.jobIdx })),
      ...starts.map((row) => ({ at: row.start, kind: DecisionKindCode.wait, jobIdx: 999 })),
    ].sort((a, b) => a.at - b.at);
    chunks.push({
      fromMs: edges[i]!,
      toMs: edges[i + 1]!,
      runs: { endMs: Float64Array.from(ends) },
      decisions: {
        atMs: Float64Array.from(log, (row) => row.at),
        kind: Uint8Array.from(log, (row) => row.kind),
        jobIdx: Uint32Array.from(log, (row) => row.jobIdx),
      },
    } as unknown as Chunk);
  }
  const submitMs = Float64Array.from([...submits, ...injected]);
  const flags = Uint8Array.from(submitMs, (_, job) =>
    job < submits.length ? 0 : JobFlag.injected,
  );
  const stage = { jobs: { count: submitMs.length, at: { submitMs, flags } } } as unknown as Stage;
  const future: Future = { ...EMPTY_FUTURE, chunks, knownMs: 1_000 };
  return { stage, future };
}

const times = fc.integer({ min: 0, max: 1_000 });
const scene = fc.record({
  submits: fc.array(times, { maxLength: 12 }).map((list) => list.sort((a, b) => a - b)),
  injected: fc.array(times, { maxLength: 2 }),
  runs: fc.array(
    fc.tuple(times, times).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
    { maxLength: 12 },
  ),
  borders: fc
    .uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 4 })
    .map((list) => list.sort((a, b) => a - b)),
  at: times,
});

test("a step goes to the nearest submit, start or end, as a scan of everything finds it", () => {
  fc.assert(
    fc.property(scene, ({ submits, injected, runs, borders, at }) => {
      const { stage, future } = recordOf(submits, injected, runs, borders);
      const all = [...submits, ...injected, ...runs.flat()];
      const after = all.filter((time) => time > at);
      const before = all.filter((time) => time < at);
      expect(nextEventMs(stage, future, at)).toBe(after.length > 0 ? Math.min(...after) : null);
      expect(previousEventMs(stage, future, at)).toBe(
        before.length > 0 ? Math.max(...before) : null,
      );
    }),
    { numRuns: 500 },
  );
});

test("a step of the selected job stops at its own decisions only, in any chunk", () => {
  const { future } = recordOf(
    [0],
    [],
    [
      [100, 200],
      [300, 400],
      [700, 800],
    ],
    [250, 500],
  );
  expect(decisionMs(future, 2, 0, 1)).toBe(700);
  expect(decisionMs(future, 0, 1_000, -1)).toBe(100);
  expect(decisionMs(future, 0, 100, 1)).toBeNull();
});
