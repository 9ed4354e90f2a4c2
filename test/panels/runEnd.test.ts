import { expect, test } from "vitest";
import { STOP_REASONS } from "../../src/model/reasons.ts";
import { runEndWords } from "../../src/panels/inspector/runEnd.ts";
import type { StoryRun } from "../../src/timeline/jobStory.ts";

const HOUR = 3_600_000;
const preempted = STOP_REASONS.indexOf("preempted");
const run = (number: number, startMs: number, endMs: number, devices: number): StoryRun => ({
  run: number,
  startMs,
  endMs,
  devices,
  endState: 0,
  startReason: 0,
  stopReason: preempted,
});

test("a job that gives members up ends a run and goes on at once with fewer devices", () => {
  const first = run(1, 0, 2 * HOUR, 64);
  const runs = [first, run(2, 2 * HOUR, 6 * HOUR, 56)];
  const words = runEndWords({ runs }, first, "GPU", HOUR);
  expect(words.label).toBe("Run 1 ends");
  expect(words.text).toMatch(/preempted$/);
  expect(words.goesOn?.replace(/\s/g, " ")).toBe("at once, on 56 GPUs, 8 fewer");
});

test("a job put off says when it goes on; the last run is the end", () => {
  const first = run(1, 0, 2 * HOUR, 8);
  const last = run(2, 3 * HOUR, 6 * HOUR, 8);
  const words = runEndWords({ runs: [first, last] }, first, "GPU", HOUR);
  expect(words.goesOn?.replace(/\s/g, " ")).toMatch(/^at .*, on 8 GPUs$/);
  const end = runEndWords({ runs: [first, last] }, last, "GPU", 4 * HOUR);
  expect([end.label, end.goesOn]).toEqual(["Ends in this run", null]);
});
