import { expect, test } from "vitest";
import { pickNodes } from "../../../src/scheduling/reservations/pickNodes.ts";

const bits = (...nodes: number[]) => {
  const words = new Int32Array(1);
  for (const node of nodes) words[0]! |= 1 << node;
  return words;
};
const list = (words: Int32Array | null) =>
  words === null
    ? null
    : Array.from({ length: 32 }, (_, node) => node).filter((node) => words[0]! & (1 << node));
const wish = (count: number, more: object = {}) => ({
  count,
  ignoreJobs: false,
  holders: [] as Int32Array[],
  switches: null,
  ...more,
});

test("idle nodes are taken from the lowest number up", () => {
  expect(list(pickNodes([bits(0, 1, 2, 3)], wish(2)))).toEqual([0, 1]);
});

test("nodes of jobs that last into the reservation are left out, and too few nodes are none", () => {
  const holders = [bits(0, 1)];
  expect(list(pickNodes([bits(0, 1, 2, 3)], wish(2, { holders })))).toEqual([2, 3]);
  expect(pickNodes([bits(0, 1, 2, 3)], wish(3, { holders }))).toBeNull();
});

test("ignoring jobs takes the nodes of one job after another, first submitted first", () => {
  const holders = [bits(3), bits(0, 1)];
  expect(list(pickNodes([bits(0, 1, 2, 3)], wish(2, { holders, ignoreJobs: true })))).toEqual([
    2, 3,
  ]);
});

test("a count larger than the set takes the whole set and goes on with the next", () => {
  expect(list(pickNodes([bits(2, 3), bits(0, 1, 2, 3)], wish(3)))).toEqual([0, 2, 3]);
});

const tree = {
  count: 4,
  level: Int32Array.of(0, 0, 0, 1),
  nodes: [bits(0, 1, 2), bits(3, 4), bits(5), bits(0, 1, 2, 3, 4, 5)],
};

test("with switches the leaf with the fewest nodes that suffices is used", () => {
  expect(list(pickNodes([bits(0, 1, 2, 3, 4, 5)], wish(2, { switches: tree })))).toEqual([3, 4]);
});

test("more than a leaf starts with the largest leaf and ends with the tightest", () => {
  expect(list(pickNodes([bits(0, 1, 2, 3, 4, 5)], wish(4, { switches: tree })))).toEqual([
    0, 1, 2, 5,
  ]);
});
