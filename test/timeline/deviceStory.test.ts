/** Who held a device, and which jobs of a team run and wait, against what a fixture's run says of them. */
import { describe, expect, test } from "vitest";
import { allocate } from "../../src/base/columns.ts";
import { MemberStateCode } from "../../src/model/states.ts";
import { type Chunk, RECT_SHAPE, rectBits } from "../../src/record/shapes.ts";
import { heldShare, holdsOf } from "../../src/timeline/deviceStory.ts";
import { teamJobsAt } from "../../src/timeline/teamJobs.ts";
import { fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const HOUR = 3_600_000;

interface Rect {
  readonly jobIdx: number;
  readonly device: number;
  readonly count: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly state?: keyof typeof MemberStateCode;
  readonly part?: number;
}

function chunkOf(rects: readonly Rect[]): Chunk {
  const columns = allocate(RECT_SHAPE, rects.length);
  rects.forEach((rect, row) => {
    columns.jobIdx[row] = rect.jobIdx;
    columns.device[row] = rect.device;
    columns.deviceCount[row] = rect.count;
    columns.startMs[row] = rect.fromMs;
    columns.endMs[row] = rect.toMs;
    columns.bits[row] = rectBits(MemberStateCode[rect.state ?? "running"], 0, rect.part ?? 0);
  });
  return { fromMs: 0, toMs: 100, rects: columns } as Chunk;
}

describe("the story of a device", () => {
  test("has those that held it, in order of time; a change of state alone is no change of hands", () => {
    const chunk = chunkOf([
      { jobIdx: 1, device: 0, count: 4, fromMs: 30, toMs: 50 },
      { jobIdx: 0, device: 2, count: 2, fromMs: 0, toMs: 10, state: "starting" },
      { jobIdx: 0, device: 2, count: 2, fromMs: 10, toMs: 20 },
      { jobIdx: 2, device: 4, count: 4, fromMs: 0, toMs: 50 },
    ]);
    const holds = holdsOf({ chunks: [chunk], open: null }, 3);
    expect(holds.map(({ jobIdx, fromMs, toMs }) => [jobIdx, fromMs, toMs])).toEqual([
      [0, 0, 20],
      [1, 30, 50],
    ]);
    expect(heldShare(holds, 50)).toBeCloseTo(0.8);
    expect(heldShare(holds, 10)).toBe(1);
    expect(heldShare(holds, 0)).toBe(0);
  });

  test("of shares has each, and time that several hold it counts once", () => {
    const chunk = chunkOf([
      { jobIdx: 0, device: 0, count: 1, fromMs: 0, toMs: 20, part: 250 },
      { jobIdx: 1, device: 0, count: 1, fromMs: 10, toMs: 30, part: 500 },
    ]);
    const holds = holdsOf({ chunks: [chunk], open: null }, 0);
    expect(holds.map(({ part }) => part)).toEqual([250, 500]);
    expect(heldShare(holds, 40)).toBeCloseTo(0.75);
  });

  test("what runs at the end of the record has no end", () => {
    const { rects } = chunkOf([{ jobIdx: 5, device: 1, count: 1, fromMs: 7, toMs: 0 }]);
    const open = { atMs: 9, rects, waits: {}, nodeSpans: {} } as never;
    expect(holdsOf({ chunks: [], open }, 1)).toEqual([
      expect.objectContaining({ jobIdx: 5, fromMs: 7, toMs: Number.POSITIVE_INFINITY }),
    ]);
  });
});

describe("the jobs of a team", () => {
  const stage = fixtureStage(
    2,
    [0, 1, 2, 3].map((order) => ({
      submitMs: order * 60_000,
      gpus: 16,
      workMs: 2 * HOUR,
      limitMs: 3 * HOUR,
      tier: 1,
      name: `job-${order}`,
    })),
  );
  const future = fixtureFuture(stage, 2);
  const teamOf = [0, 1, 0, 1];

  test("run with what they hold, or wait, the longest first", () => {
    const first = teamJobsAt(future, teamOf, 0, HOUR);
    expect(first.running.map(({ jobIdx, devices }) => [jobIdx, devices])).toEqual([[0, 16]]);
    expect(first.waiting.map(({ jobIdx }) => jobIdx)).toEqual([2]);
    expect(first.devicesHeld).toBe(16);
    const second = teamJobsAt(future, teamOf, 1, HOUR);
    expect(second.running).toEqual([]);
    expect(second.waiting.map(({ jobIdx }) => jobIdx)).toEqual([1, 3]);
  });

  test("of no team are none", () => {
    expect(teamJobsAt(future, teamOf, 7, HOUR)).toEqual({
      running: [],
      waiting: [],
      devicesHeld: 0,
    });
  });
});
