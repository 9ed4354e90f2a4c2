import { expect, test } from "vitest";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import {
  isWaitingAt,
  type JobStory,
  momentOf,
  waitedBefore,
  workStartOf,
} from "../../src/timeline/jobStory.ts";

/** Pod by pod: the first pods hold devices from 300 on, the last comes at 1,800. */
const STORY: JobStory = {
  jobIdx: 0,
  waits: [{ fromMs: 200, toMs: 1_800 }],
  runs: [
    { run: 1, startMs: 300, endMs: 3_000, devices: 6, endState: 0, startReason: 0, stopReason: 0 },
  ],
  left: null,
  rects: [],
  decisions: [
    { atMs: 300, kind: DecisionKindCode.place, reason: 0, value: 0 },
    { atMs: 1_800, kind: DecisionKindCode.start, reason: 0, value: 0 },
  ],
};

test("a job whose pods come one by one waits until the last has a place, whatever the first hold; its work begins then", () => {
  const run = STORY.runs[0]!;
  expect(momentOf(STORY, 1_000, 200).kind).toBe("running");
  expect(isWaitingAt(STORY, 1_000)).toBe(true);
  expect(workStartOf(STORY, run, 1_000)).toBe(300);
  expect(isWaitingAt(STORY, 1_800)).toBe(false);
  expect(workStartOf(STORY, run, 2_000)).toBe(1_800);
  expect(waitedBefore(STORY, 1_000)).toBe(0);
  expect(waitedBefore(STORY, 2_000)).toBe(1_600);
});
