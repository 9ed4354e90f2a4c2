import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/model/units.ts";
import { gapMs, gapWords, wholeBar } from "../../../src/panels/gantt/gapMeasure.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

const { stage } = syntheticRecord({ nodes: 2, gpusPerNode: 8, rects: 40 });
const rect = (from: number, to: number) => ({
  startMs: from * MINUTE_MS,
  endMs: to * MINUTE_MS,
  device: 0,
  deviceCount: 2,
  bits: 0,
});

test("a gap lies between the end of the earlier bar and the start of the later, whichever was picked first", () => {
  expect(gapMs(rect(0, 10), rect(25, 40))).toBe(15 * MINUTE_MS);
  expect(gapMs(rect(25, 40), rect(0, 10))).toBe(15 * MINUTE_MS);
  expect(gapMs(rect(0, 30), rect(25, 40))).toBe(-5 * MINUTE_MS);
  const words = gapWords(stage, { ...rect(0, 10), jobIdx: 1 }, { ...rect(25, 40), jobIdx: 2 });
  expect(words).toMatch(/^Gap of 15.m between .+ \(10.m\) and .+ \(15.m\)\.$/);
  expect(gapWords(stage, { ...rect(0, 30), jobIdx: 1 }, { ...rect(25, 40), jobIdx: 2 })).toMatch(
    /^Overlap of 5.m/,
  );
});

test("a bar is all of its run on the device, and what goes on ends where the record does", () => {
  const rects = [rect(0, 10), { ...rect(20, 0), endMs: Number.POSITIVE_INFINITY }];
  const at = (device: number, minute: number) =>
    wholeBar(rects, { jobIdx: 3, device, startMs: minute * MINUTE_MS }, 50 * MINUTE_MS);
  expect(at(1, 5)).toMatchObject({ startMs: 0, endMs: 10 * MINUTE_MS, jobIdx: 3 });
  expect(at(1, 30)).toMatchObject({ startMs: 20 * MINUTE_MS, endMs: 50 * MINUTE_MS });
  expect(at(2, 5)).toBeNull();
});
