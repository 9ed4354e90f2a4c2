/** Jobs that a change moved: the same jobs in two runs, by number and by name. */
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { movedSteps } from "../../src/metrics/moved.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;

interface Job {
  readonly id: string;
  readonly gpus: number;
  readonly minutes: number;
}

function recordOf(jobs: readonly Job[], backfill: "none" | "easy", more: object = {}) {
  const chunks: Chunk[] = [];
  const { world } = simulate(
    mustRead({
      ...small,
      pools: [{ id: "all", policy: { preset: "lab", settings: { order: "fcfs", backfill } } }],
      workload: {
        jobs: jobs.map(({ id, gpus, minutes }) => ({
          id,
          submitMs: 0,
          gpus,
          workMs: minutes * MINUTE,
          limitMs: minutes * MINUTE,
        })),
      },
      ...more,
    }),
    undefined,
    { checks: false, onChunk: (chunk) => chunks.push(chunk) },
  );
  return { jobs: world.jobs, chunks };
}

const jobs = [
  { id: "a", gpus: 6, minutes: 10 },
  { id: "big", gpus: 8, minutes: 10 },
  { id: "c", gpus: 2, minutes: 10 },
  { id: "d", gpus: 2, minutes: 5 },
];

test("backfill lets a small job start earlier; another one takes its place, and the rest stays", () => {
  const moved = drain(movedSteps(recordOf(jobs, "none"), recordOf(jobs, "easy"), 10));
  expect(moved).toMatchObject({ earlier: 1, later: 0, shared: 4, same: 3 });
  expect(moved.most).toEqual([{ jobIdx: 2, beforeMs: 20 * MINUTE, nowMs: 0 }]);
});

test("a job that starts in one run only comes first; jobs are the same by name where numbers differ", () => {
  const cut = recordOf(jobs, "none", { horizonMs: 15 * MINUTE });
  const turned = recordOf([jobs[3]!, jobs[0]!, jobs[1]!, jobs[2]!], "easy");
  const moved = drain(movedSteps(cut, turned, 2));
  expect(moved).toMatchObject({ onlyNow: 2, onlyBefore: 0, shared: 4 });
  expect(moved.most.map(({ beforeMs }) => beforeMs)).toEqual([Number.NaN, Number.NaN]);
});
