/** How long reasons and promises held, and what a job has cost, from stories by hand. */
import { describe, expect, test } from "vitest";
import { EndStateCode, MemberStateCode } from "../../src/model/states.ts";
import { type DECISION_KINDS, DecisionKindCode } from "../../src/record/shapes.ts";
import { jobCostOf } from "../../src/timeline/jobCost.ts";
import type { JobStory, StoryDecision, StoryRun } from "../../src/timeline/jobStory.ts";
import { verdictsOf, waitedByReason } from "../../src/timeline/jobVerdicts.ts";
import { lostStretchesOf } from "../../src/timeline/lostWork.ts";

const WHOLE = () => 1;

const decided = (
  atMs: number,
  kind: (typeof DECISION_KINDS)[number],
  reason = 0,
  value = 0,
): StoryDecision => ({ atMs, kind: DecisionKindCode[kind], reason, value });

const ran = (
  startMs: number,
  endMs: number,
  endState: number = EndStateCode.completed,
): StoryRun => ({
  run: 1,
  startMs,
  endMs,
  devices: 2,
  endState,
  startReason: 0,
  stopReason: 0,
});

const story = (given: Partial<JobStory>): JobStory => ({
  jobIdx: 0,
  waits: [],
  runs: [],
  left: null,
  rects: [],
  decisions: [],
  ...given,
});

const WAITING = story({
  waits: [{ fromMs: 0, toMs: 100 }],
  decisions: [
    decided(10, "wait", 1),
    decided(20, "plan", 0, 90),
    decided(40, "wait", 4),
    decided(60, "plan", 0, 100),
    decided(100, "start"),
  ],
});

describe("a verdict", () => {
  test("holds until the next of its kind, or until the start; a start is a moment", () => {
    expect(
      verdictsOf(WAITING, 500).map(({ atMs, untilMs, holds }) => [atMs, untilMs, holds]),
    ).toEqual([
      [10, 40, false],
      [20, 60, false],
      [40, 100, false],
      [60, 100, false],
      [100, 100, false],
    ]);
  });

  test("in the midst holds still, and nothing later is told", () => {
    expect(
      verdictsOf(WAITING, 50).map(({ atMs, untilMs, holds }) => [atMs, untilMs, holds]),
    ).toEqual([
      [10, 40, false],
      [20, 50, true],
      [40, 50, true],
    ]);
  });

  test("a reason of a job that is cancelled while it waits holds until then", () => {
    const cancelled = story({
      waits: [{ fromMs: 0, toMs: 70 }],
      decisions: [decided(10, "wait", 1), decided(70, "cancel")],
    });
    expect(verdictsOf(cancelled, 100)[0]).toMatchObject({ untilMs: 70, holds: false });
  });
});

describe("the time waited", () => {
  test("is split by reason, and what came before the first reason is under none", () => {
    expect(waitedByReason(WAITING, 500)).toEqual([
      { reason: 4, ms: 60 },
      { reason: 1, ms: 30 },
      { reason: 0, ms: 10 },
    ]);
    expect(waitedByReason(WAITING, 50)).toEqual([
      { reason: 1, ms: 30 },
      { reason: 0, ms: 10 },
      { reason: 4, ms: 10 },
    ]);
  });
});

const rect = (startMs: number, endMs: number, state: keyof typeof MemberStateCode, device = 0) => ({
  startMs,
  endMs,
  device,
  deviceCount: 2,
  memberState: MemberStateCode[state],
  part: 0,
});

describe("the cost", () => {
  const stopped = story({
    waits: [
      { fromMs: 0, toMs: 10 },
      { fromMs: 110, toMs: 130 },
    ],
    runs: [ran(10, 110, EndStateCode.preempted), { ...ran(130, 230), run: 2 }],
    rects: [
      rect(10, 30, "starting"),
      rect(30, 90, "running"),
      rect(90, 100, "checkpointing"),
      rect(100, 110, "running"),
      rect(130, 230, "running"),
    ],
    decisions: [decided(100, "saved"), decided(110, "evict", 0, 7), decided(180, "speed", 0, 0.5)],
  });
  const lost = lostStretchesOf(stopped, new Uint8Array(1));

  test("of a job that was stopped is its waits, the work after its last checkpoint, and what it did beside working", () => {
    const cost = jobCostOf(stopped, 1_000, 0, lost, WHOLE);
    expect(cost).toMatchObject({ waitedMs: 30, waits: 2, heldMs: 400, lostMs: 20, stops: 1 });
    expect(cost.byState).toMatchObject({ starting: 40, checkpointing: 20, running: 340 });
    expect(cost.slowdown).toBeCloseTo(230 / 200);
  });

  test("of half the speed for 50 ms is 25 ms", () => {
    expect(jobCostOf(stopped, 1_000, 0, lost, WHOLE).slowedMs).toBe(25);
    expect(jobCostOf(stopped, 200, 0, lost, WHOLE).slowedMs).toBe(10);
    expect(jobCostOf(stopped, 150, 0, lost, WHOLE).slowedMs).toBe(0);
  });

  test("at a time counts what has happened by then: work is lost when it is stopped, not before", () => {
    expect(jobCostOf(stopped, 109, 0, lost, WHOLE).lostMs).toBe(0);
    expect(jobCostOf(stopped, 110, 0, lost, WHOLE).lostMs).toBe(20);
    expect(jobCostOf(stopped, 50, 0, lost, WHOLE)).toMatchObject({
      waitedMs: 10,
      heldMs: 80,
      stops: 0,
    });
  });

  test("of a slice is its part of the device", () => {
    const third = (part: number) => (part === 1_003 ? 3 / 7 : 1);
    const onSlice = { ...stopped, rects: stopped.rects.map((one) => ({ ...one, part: 1_003 })) };
    const cost = jobCostOf(onSlice, 1_000, 0, lost, third);
    expect(cost.heldMs).toBeCloseTo((400 * 3) / 7);
    expect(cost.lostMs).toBeCloseTo((20 * 3) / 7);
  });

  test("of a job that has not run has no slowdown", () => {
    expect(jobCostOf(WAITING, 50, 0, [], WHOLE).slowdown).toBeNaN();
  });
});
