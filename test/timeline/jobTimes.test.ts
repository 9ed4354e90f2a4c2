import { describe, expect, test } from "vitest";
import { jobTimesOf } from "../../src/timeline/jobTimes.ts";
import { fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const MINUTE = 60_000;
const job = (submitMin: number, workMin: number) => ({
  submitMs: submitMin * MINUTE,
  gpus: 16,
  workMs: workMin * MINUTE,
  limitMs: 90 * MINUTE,
  tier: 0,
  name: "vit",
});

describe("times of jobs", () => {
  test("one cluster, three jobs one after the other: starts, ends and waits follow from the work", () => {
    const stage = fixtureStage(2, [job(0, 10), job(1, 20), job(2, 5)]);
    const times = jobTimesOf(fixtureFuture(stage, 2), stage.jobs.count);
    expect([...times.firstStartMs].map((ms) => ms / MINUTE)).toEqual([0, 10, 30]);
    expect([...times.lastEndMs].map((ms) => ms / MINUTE)).toEqual([10, 30, 35]);
    expect([...times.waitedMs].map((ms) => ms / MINUTE)).toEqual([0, 9, 28]);
  });

  test("of a record that has only begun nothing is known yet", () => {
    const times = jobTimesOf({ chunks: [], open: null }, 2);
    expect([...times.firstStartMs, ...times.lastEndMs]).toEqual(
      Array(4).fill(Number.POSITIVE_INFINITY),
    );
  });
});
