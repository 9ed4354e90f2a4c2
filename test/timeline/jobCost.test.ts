import { expect, test } from "vitest";
import { MEMBER_STATES, type MemberState } from "../../src/model/states.ts";
import { jobCostOf } from "../../src/timeline/jobCost.ts";
import type { JobStory } from "../../src/timeline/jobStory.ts";

const MINUTE = 60_000;

/** Submitted at 0, with a device in this state from 9 min on. */
function story(state: MemberState): JobStory {
  const run = { startMs: 9 * MINUTE, endMs: Number.POSITIVE_INFINITY };
  const rect = { ...run, device: 0, deviceCount: 1, part: 0 };
  return {
    jobIdx: 0,
    waits: [],
    runs: [run] as unknown as JobStory["runs"],
    left: null,
    rects: [{ ...rect, memberState: MEMBER_STATES.indexOf(state) }],
    decisions: [],
  };
}

test("a job that holds devices while members are missing has not run yet: its time in the system is no multiple of anything", () => {
  const slowdownOf = (state: MemberState) =>
    jobCostOf(story(state), 10 * MINUTE, 0, [], () => 1).slowdown;
  expect(slowdownOf("running")).toBe(10);
  expect(slowdownOf("held")).toBeNaN();
});
