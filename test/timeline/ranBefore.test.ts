import { expect, test } from "vitest";
import { ranBefore } from "../../src/timeline/ranBefore.ts";
import { fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const MINUTE = 60_000;
const job = { submitMs: 0, gpus: 8, workMs: 10 * MINUTE, limitMs: 90 * MINUTE, tier: 0, name: "a" };
const { chunks } = fixtureFuture(fixtureStage(1, [job, job]), 1);

test("a job ran before a time when a run of it had ended by then; nobody did not", () => {
  expect([9, 10, 11].map((minute) => ranBefore(chunks, 0, minute * MINUTE))).toEqual([
    false,
    true,
    true,
  ]);
  expect(ranBefore(chunks, 1, 10 * MINUTE)).toBe(false);
  expect(ranBefore(chunks, -1, 99 * MINUTE)).toBe(false);
});
