import { expect, test } from "vitest";
import type { Victim } from "../../../src/scheduling/preemption/victimOrder.ts";
import { sortVictims } from "../../../src/scheduling/preemption/victimOrder.ts";

const victim = (jobIdx: number, rank: number, nodes: number, startMs: number): Victim => ({
  jobIdx,
  rank,
  nodes,
  startMs,
  place: jobIdx,
});
const order = (victims: Victim[], youngestFirst = false) =>
  sortVictims(victims, youngestFirst).map((each) => each.jobIdx);

test("the lowest rank goes first, whatever the age", () => {
  expect(order([victim(0, 20, 1, 0), victim(1, 10, 1, 4_000), victim(2, 20, 1, 8_000)])).toEqual([
    1, 0, 2,
  ]);
});

test("among equals in rank the job on fewer nodes goes first", () => {
  expect(order([victim(0, 10, 3, 0), victim(1, 10, 1, 4_000)])).toEqual([1, 0]);
});

test("among equals in rank and size the job submitted first goes first, even if it was started again since", () => {
  expect(order([victim(1, 10, 1, 4_000), victim(0, 10, 1, 90_000)])).toEqual([0, 1]);
});

test("youngest first looks at start times alone, not at rank or size", () => {
  const victims = [victim(0, 10, 1, 0), victim(1, 20, 5, 9_000), victim(2, 10, 1, 9_000)];
  expect(order(victims, true)).toEqual([1, 2, 0]);
});

test("ranks and sizes above 65,535 are not told apart", () => {
  expect(order([victim(0, 900_000, 1, 0), victim(1, 70_000, 1, 5)])).toEqual([0, 1]);
});
