import { expect, test } from "vitest";
import { EndStateCode, MemberStateCode } from "../../src/model/states.ts";
import { sizesOfRuns } from "../../src/timeline/runSizes.ts";

const rect = (startMs: number, endMs: number, deviceCount: number, part = 0) => {
  return { startMs, endMs, device: 0, deviceCount, memberState: MemberStateCode.running, part };
};
const held = (startMs: number, endMs: number, deviceCount: number) => {
  return { ...rect(startMs, endMs, deviceCount), memberState: MemberStateCode.held };
};
const run = (startMs: number, endMs: number) => {
  const codes = { endState: EndStateCode.completed, startReason: 0, stopReason: 0 };
  return { run: 1, startMs, endMs, devices: 0, ...codes };
};

test("a run that shrinks and grows has had a least and a most size, each run by itself", () => {
  const runs = [run(0, 10), run(10, 90)];
  const rects = [rect(0, 10, 64), rect(10, 40, 48), rect(40, 90, 48), rect(40, 90, 16)];
  expect(sizesOfRuns({ runs, rects })).toEqual([
    { least: 64, most: 64 },
    { least: 48, most: 64 },
  ]);
});

test("members that wait for the others are no size of the run", () => {
  const rects = [held(10, 20, 2), rect(20, 90, 2), rect(20, 90, 2)];
  expect(sizesOfRuns({ runs: [run(10, 90)], rects })).toEqual([{ least: 4, most: 4 }]);
});

test("a run that goes on at the end of the record has its sizes so far", () => {
  const forever = Number.POSITIVE_INFINITY;
  const rects = [rect(10, 20, 8), rect(20, forever, 4)];
  expect(sizesOfRuns({ runs: [run(10, forever)], rects })).toEqual([{ least: 4, most: 8 }]);
});

test("shares of devices have no such numbers", () => {
  expect(sizesOfRuns({ runs: [run(10, 90)], rects: [rect(10, 90, 1, 500)] })).toEqual([null]);
});
