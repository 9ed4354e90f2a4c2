/** A job that was admitted and finds no node has its quota until it starts, loses it, or the scheduler is another. */
import { expect, test } from "vitest";
import { type Chunk, DecisionKindCode } from "../../src/record/shapes.ts";
import { AdmittedWaits } from "../../src/timeline/admittedWaits.ts";

type Row = readonly [atMs: number, jobIdx: number, kind: keyof typeof DecisionKindCode];

const chunk = (fromMs: number, toMs: number, rows: readonly Row[]) =>
  ({
    fromMs,
    toMs,
    decisions: {
      atMs: Float64Array.from(rows, ([atMs]) => atMs),
      jobIdx: Uint32Array.from(rows, ([, jobIdx]) => jobIdx),
      kind: Uint8Array.from(rows, ([, , kind]) => DecisionKindCode[kind]),
    },
  }) as unknown as Chunk;
const POOLS = [0, 0, 1];
const KUEUE = [true, true];
const first = chunk(0, 100, [
  [10, 0, "admit"],
  [20, 1, "admit"],
  [25, 2, "admit"],
  [40, 0, "evict"],
  [60, 0, "admit"],
]);
const second = chunk(100, 200, [[150, 0, "start"]]);

test("an admission lasts until the start, and one whose quota was taken back is another", () => {
  const admitted = new AdmittedWaits();
  admitted.read([first], POOLS, [], KUEUE);
  expect(admitted.of(0)).toEqual([10, 40, 60, Number.POSITIVE_INFINITY]);
  admitted.read([first, second], POOLS, [], KUEUE);
  expect(admitted.of(0)).toEqual([10, 40, 60, 150]);
  expect(admitted.of(3)).toEqual([]);
  expect(admitted.since(0, 0, 30)).toBe(10);
  expect(admitted.since(0, 0, 50)).toBe(-1);
  expect(admitted.since(0, 40, 30)).toBe(-1);
});

test("a change of policy voids what its pool had admitted, and leaves other pools alone", () => {
  const admitted = new AdmittedWaits();
  admitted.read([first, second], POOLS, [{ atMs: 120, pool: 0, admits: false }], KUEUE);
  expect(admitted.of(0)).toEqual([10, 40, 60, 120]);
  expect(admitted.of(1)).toEqual([20, 120]);
  expect(admitted.of(2)).toEqual([25, Number.POSITIVE_INFINITY]);
});

test("another run is read from its beginning", () => {
  const admitted = new AdmittedWaits();
  admitted.read([first, second], POOLS, [], KUEUE);
  admitted.read([chunk(0, 200, [[70, 1, "admit"]])], POOLS, [], KUEUE);
  expect(admitted.of(0)).toEqual([]);
  expect(admitted.of(1)).toEqual([70, Number.POSITIVE_INFINITY]);
});

test("a replica of a service that is wanted was admitted by nobody, until the pool goes to an admission layer", () => {
  const admitted = new AdmittedWaits();
  const later = chunk(100, 200, [[150, 1, "admit"]]);
  admitted.read([first, later], POOLS, [{ atMs: 120, pool: 0, admits: true }], [false, false]);
  expect(admitted.of(0)).toEqual([]);
  expect(admitted.of(1)).toEqual([150, Number.POSITIVE_INFINITY]);
  expect(admitted.of(2)).toEqual([]);
});
