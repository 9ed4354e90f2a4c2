import { expect, test } from "vitest";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { refusedJobs } from "../../src/timeline/refusedJobs.ts";

const chunk = (...kinds: readonly (keyof typeof DecisionKindCode)[]) => ({
  decisions: {
    kind: Uint8Array.from(kinds, (kind) => DecisionKindCode[kind]),
    jobIdx: Uint32Array.from(kinds, (_, row) => row),
  },
});

test("the first refused jobs are named, however many there are and wherever they stand", () => {
  const chunks = [chunk("start", "refuse", "wait"), chunk("start"), chunk("refuse", "refuse")];
  expect(refusedJobs(chunks, 2)).toEqual([1, 0]);
  expect(refusedJobs(chunks, 9)).toEqual([1, 0, 1]);
  expect(refusedJobs(chunks.slice(1, 2), 9)).toEqual([]);
});
