import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSearch, searchJobs } from "../../src/timeline/jobSearch.ts";
import { jobStoryOf, momentOf, promisesOf, reasonAt } from "../../src/timeline/jobStory.ts";
import { LatestReasons } from "../../src/timeline/latestReasons.ts";
import { packWaits } from "../../src/timeline/waitLanes.ts";
import { eachWaitIn, oldestWaits, waitersAt } from "../../src/timeline/waits.ts";
import { type FixtureJob, fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const MINUTE = 60_000;
const jobs = fc.array(
  fc.record({
    submitMs: fc.nat(300).map((value) => value * MINUTE),
    gpus: fc.constantFrom(1, 4, 8, 16),
    workMs: fc.integer({ min: 1, max: 200 }).map((value) => value * MINUTE),
    limitMs: fc.constant(400 * MINUTE),
    tier: fc.nat(3),
    name: fc.constantFrom("moe", "vit"),
  }),
  { minLength: 1, maxLength: 60 },
);
const runOf = (list: readonly FixtureJob[], parts: number) => {
  const sorted = [...list].sort((a, b) => a.submitMs - b.submitMs);
  const stage = fixtureStage(2, sorted);
  return { stage, future: fixtureFuture(stage, parts), list: sorted };
};

describe("waits", () => {
  test("whoever waits at a time was queued by then and starts later; nobody is missed, in any number of chunks", () => {
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 6 }), fc.nat(400), (list, parts, minute) => {
        const { future } = runOf(list, parts);
        const atMs = minute * MINUTE;
        const all: number[] = [];
        eachWaitIn(future, 0, Number.MAX_VALUE, (jobIdx, fromMs, toMs) => {
          if (fromMs <= atMs && atMs < toMs) all.push(jobIdx);
          return true;
        });
        expect([...waitersAt(future, atMs).jobIdx].sort()).toEqual(all.sort());
      }),
    );
  });

  test("lines in one lane of a tier never overlap, and no lane is used in vain", () => {
    fc.assert(
      fc.property(jobs, (list) => {
        const { stage, future } = runOf(list, 3);
        const lanes = packWaits(
          future,
          { fromMs: 0, toMs: 1e12 },
          4,
          (jobIdx) => stage.jobs.at.tier[jobIdx]!,
          1_000,
        );
        for (let a = 0; a < lanes.jobIdx.length; a++) {
          for (let b = a + 1; b < lanes.jobIdx.length; b++) {
            if (lanes.tier[a] !== lanes.tier[b] || lanes.lane[a] !== lanes.lane[b]) continue;
            expect(lanes.fromMs[b]!).toBeGreaterThanOrEqual(lanes.toMs[a]!);
          }
          const together = [...lanes.jobIdx].filter(
            (_, b) =>
              lanes.tier[b] === lanes.tier[a] &&
              lanes.fromMs[b]! <= lanes.fromMs[a]! &&
              lanes.toMs[b]! > lanes.fromMs[a]!,
          );
          expect(lanes.lane[a]!).toBeLessThan(together.length);
        }
      }),
    );
  });

  test("more lines than can be packed are not packed at all", () => {
    const { stage, future } = runOf(
      Array.from({ length: 20 }, () => ({
        submitMs: 0,
        gpus: 16,
        workMs: MINUTE,
        limitMs: MINUTE,
        tier: 0,
        name: "",
      })),
      1,
    );
    const lanes = packWaits(future, { fromMs: 0, toMs: 1e12 }, 4, () => 0, 5);
    expect(lanes.packed).toBe(false);
    expect(stage.jobs.count).toBe(20);
  });

  test("the oldest wait of a tier is the first queued of those that wait", () => {
    const { stage, future } = runOf(
      [
        { submitMs: 0, gpus: 16, workMs: 60 * MINUTE, limitMs: 60 * MINUTE, tier: 0, name: "" },
        { submitMs: 5 * MINUTE, gpus: 16, workMs: MINUTE, limitMs: MINUTE, tier: 1, name: "" },
        { submitMs: 9 * MINUTE, gpus: 16, workMs: MINUTE, limitMs: MINUTE, tier: 1, name: "" },
      ],
      2,
    );
    const oldest = new Float64Array(4);
    oldestWaits(future, 30 * MINUTE, (jobIdx) => stage.jobs.at.tier[jobIdx]!, oldest);
    expect([...oldest]).toEqual([Infinity, 5 * MINUTE, Infinity, Infinity]);
  });
});

describe("the story of a job", () => {
  const { stage, future } = runOf(
    [
      { submitMs: 0, gpus: 16, workMs: 60 * MINUTE, limitMs: 90 * MINUTE, tier: 0, name: "first" },
      {
        submitMs: 5 * MINUTE,
        gpus: 16,
        workMs: 10 * MINUTE,
        limitMs: 20 * MINUTE,
        tier: 1,
        name: "second",
      },
    ],
    2,
  );

  test("unsubmitted, waiting, running and done follow each other without a gap", () => {
    const story = jobStoryOf(future, 1);
    const kinds = [0, 5, 59, 60, 69, 70].map(
      (minute) => momentOf(story, minute * MINUTE, stage.jobs.at.submitMs[1]!).kind,
    );
    expect(kinds).toEqual(["unsubmitted", "waiting", "waiting", "running", "running", "done"]);
  });

  test("reason and promise at a time are the last ones made by then", () => {
    const story = jobStoryOf(future, 1);
    expect(reasonAt(story, 4 * MINUTE)).toBe(0);
    expect(reasonAt(story, 30 * MINUTE)).toBeGreaterThan(0);
    expect(promisesOf(story, 30 * MINUTE).at(-1)?.startMs).toBe(90 * MINUTE);
  });

  test("a promise is known from when it was made, no earlier", () => {
    const story = jobStoryOf(future, 1);
    const made = promisesOf(story, 5 * MINUTE);
    expect(made.length).toBeGreaterThan(0);
    expect(promisesOf(story, 5 * MINUTE - 1)).toEqual([]);
    for (const { atMs } of promisesOf(story, 30 * MINUTE))
      expect(atMs).toBeLessThanOrEqual(30 * MINUTE);
  });

  test("a run that is still open at the end of the record is a run without an end", () => {
    const cut = fixtureFuture(stage, 1, 30 * MINUTE);
    const moment = momentOf(jobStoryOf(cut, 0), 20 * MINUTE, 0);
    expect(moment.kind === "running" && moment.run.endMs).toBe(Number.POSITIVE_INFINITY);
    expect(moment.kind === "running" && moment.run.devices).toBe(16);
  });

  test("the table's reasons agree with each job's story, forwards and backwards", () => {
    fc.assert(
      fc.property(jobs, fc.array(fc.nat(400), { minLength: 2, maxLength: 5 }), (list, minutes) => {
        const run = runOf(list, 4);
        const latest = new LatestReasons(run.stage.jobs.count);
        for (const minute of minutes) {
          latest.moveTo(run.future.chunks, minute * MINUTE);
          for (let job = 0; job < run.stage.jobs.count; job++) {
            expect(latest.reason[job]).toBe(reasonAt(jobStoryOf(run.future, job), minute * MINUTE));
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("search", () => {
  const { stage, future } = runOf(
    [
      {
        submitMs: 0,
        gpus: 16,
        workMs: 60 * MINUTE,
        limitMs: 90 * MINUTE,
        tier: 0,
        name: "moe",
        user: 0,
      },
      {
        submitMs: 5 * MINUTE,
        gpus: 16,
        workMs: 10 * MINUTE,
        limitMs: 20 * MINUTE,
        tier: 2,
        name: "vit",
        user: 1,
      },
    ],
    1,
  );
  const find = (query: string, minute = 10) => [
    ...searchJobs(stage, future, minute * MINUTE, parseSearch(query)),
  ];

  test("plain words look into ids and names", () => expect(find("vi")).toEqual([1]));
  test("all terms must hold", () => expect(find("tier:critical user:ben")).toEqual([]));
  test("a tier is found by its letter, too", () => expect(find("tier:n")).toEqual([1]));
  test("a state is that at the cursor", () => {
    expect(find("state:waiting")).toEqual([1]);
    expect(find("state:running")).toEqual([0]);
    expect(find("state:running", 65)).toEqual([1]);
  });
  test("a node finds every job that ever held part of it", () =>
    expect(find("node:node-02")).toEqual([0, 1]));
  test("a field that is still being typed filters nothing", () =>
    expect(find("vit tier:")).toEqual([1]));
});
