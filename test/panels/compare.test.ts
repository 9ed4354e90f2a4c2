/** Futures side by side, in words: what a change did, what differs between two documents, waits by size. */
import { expect, test } from "vitest";
import { differencesOf } from "../../src/app/compare/differences.ts";
import { sameRunAs } from "../../src/app/compare/futures.ts";
import { NBSP } from "../../src/base/format.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { waitsBySize } from "../../src/metrics/bySize.ts";
import { firstStarts, movedSteps } from "../../src/metrics/moved.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import { compareRows } from "../../src/panels/inspector/compareRows.ts";
import { effectSentence } from "../../src/panels/inspector/effect/effect.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { EMPTY_FUTURE } from "../../src/store/runData.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const job = (id: string, gpus: number, hours: number) => ({
  id,
  submitMs: 0,
  gpus,
  workMs: hours * HOUR,
  limitMs: hours * HOUR,
});

function documentWith(backfill: "none" | "easy", more: object = {}) {
  return mustRead({
    ...small,
    pools: [{ id: "all", policy: { preset: "lab", settings: { order: "fcfs", backfill } } }],
    workload: { jobs: [job("a", 6, 10), job("big", 8, 10), job("c", 2, 5)] },
    ...more,
  });
}

function run(document: ReturnType<typeof documentWith>) {
  const chunks: Chunk[] = [];
  const outcome = simulate(document, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  return { ...outcome, record: { jobs: outcome.world.jobs, chunks } };
}

test("the sentence tells the waits that moved most, device time gained or lost, and how many jobs moved", () => {
  const before = run(documentWith("none"));
  const now = run(documentWith("easy"));
  const moved = drain(movedSteps(before.record, now.record, 10));
  const words = effectSentence(before.metrics, now.metrics, moved, before.world.tiers, "GPU");
  // Mean wait of the three jobs: 0, 10, 20 h before; 0, 10, 0 h now. 2 GPUs × 5 h are no longer idle while work waits.
  expect(words.replaceAll(NBSP, " ")).toBe(
    "Mean wait of Normal −6 h 40 m, p95 wait −10 h, 10.0 fewer GPU-hours idle while work waits, 1 job starts earlier.",
  );
  const same = drain(movedSteps(now.record, now.record, 10));
  expect(effectSentence(now.metrics, now.metrics, same, now.world.tiers, "GPU")).toBe(
    "No job starts at another time, and no number moved.",
  );
  const hardly = {
    ...now.metrics,
    utilization: {
      ...now.metrics.utilization,
      allocated: now.metrics.utilization.allocated - 0.001,
    },
  };
  expect(effectSentence(hardly, now.metrics, same, now.world.tiers, "GPU")).toBe(
    "No job starts at another time, and the numbers hardly moved.",
  );
});

test("jobs that no longer start come first, and a wait over other jobs is neither better nor worse", () => {
  const before = run(documentWith("easy"));
  // Ends before the job of 8 GPUs can start.
  const now = run(documentWith("easy", { horizonMs: 9 * HOUR }));
  const moved = drain(movedSteps(before.record, now.record, 10));
  const { tiers } = before.world;
  const words = effectSentence(before.metrics, now.metrics, moved, tiers, "GPU");
  expect(words.replaceAll(NBSP, " ")).toMatch(
    /^1 job no longer starts, 1 more job does not finish, mean wait of Normal −.* Waits are of the jobs that start: 3 before, 2 now\.$/,
  );
  const rows = compareRows(before.metrics, now.metrics, tiers, "GPU");
  const verdictOf = (key: string) => rows.find((row) => row.key === key)?.verdict;
  expect(["wait normal", "p95", "turnaround"].map(verdictOf)).toEqual([
    "unlike",
    "unlike",
    "unlike",
  ]);
  expect(rows.find(({ key }) => key === "p95")?.over).toEqual([3, 2]);
  // With the sides exchanged nothing is lost: the job that starts now is told at the end.
  const back = drain(movedSteps(now.record, before.record, 10));
  const gained = effectSentence(now.metrics, before.metrics, back, tiers, "GPU");
  expect(gained.replaceAll(NBSP, " ")).toMatch(
    /, 1 job starts that did not\. Waits are of the jobs that start: 2 before, 3 now\.$/,
  );
});

test("two documents differ in settings, in changes that one of them has, and in rules", () => {
  const a = documentWith("none");
  const policy = { preset: "lab", settings: { order: "fcfs", backfill: "easy" } };
  const b = documentWith("none", {
    seed: 2,
    interventions: [
      { kind: "policy", atMs: HOUR, policy },
      { kind: "drain", atMs: 2 * HOUR, nodes: ["n-000"] },
    ],
  });
  expect(differencesOf(a, b, "GPU").map(({ what, a: was, b: is }) => [what, was, is])).toEqual([
    ["seed", "1", "2"],
    ["backfill", "None", "EASY"],
    ["Drain node n-000", "–", `Day${NBSP}1${NBSP}02:00`],
  ]);
  expect(differencesOf(a, a, "GPU")).toEqual([]);
});

test("a changed document with the run of a kept future is named after it; the kept document itself is not", () => {
  const a = documentWith("none");
  const { world, digest } = run(a);
  const { cluster, jobs } = world;
  const future = { ...EMPTY_FUTURE, scenario: a, digest, done: true };
  const kept = [{ scenario: a, stage: { cluster, jobs } as unknown as Stage, future }];
  const later = documentWith("none", {
    interventions: [{ kind: "drain", atMs: 300 * HOUR, nodes: ["n-000"] }],
  });
  expect(sameRunAs(kept, future, later)).toBe("A");
  expect(sameRunAs(kept, future, a)).toBeNull();
  expect(sameRunAs(kept, { ...future, digest: "other" }, later)).toBeNull();
});

test("waits by size count each job once, and mean over those that started", () => {
  const { record } = run(documentWith("none", { horizonMs: 15 * HOUR }));
  const sizes = waitsBySize(record.jobs, drain(firstStarts(record)));
  expect(sizes).toEqual([
    { from: 2, to: 4, jobs: 1, started: 0, meanWaitMs: Number.NaN },
    { from: 5, to: 8, jobs: 2, started: 2, meanWaitMs: 5 * HOUR },
  ]);
});
