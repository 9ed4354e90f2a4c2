/** A limit that is changed while the job waits is the one that schedulers plan with, under every order and way of passing. */
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { firstStarts } from "../../src/metrics/moved.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;

const job = (id: string, gpus: number, minutes: number) => ({
  id,
  submitMs: 0,
  gpus,
  workMs: minutes * MINUTE,
  limitMs: minutes * MINUTE,
  user: id,
});

/** Eight devices: `long` holds four for an hour, `big` waits for all, `me` may pass it once its limit ends before that. */
function startOfMe(settings: object): number {
  const chunks: Chunk[] = [];
  const { world } = simulate(
    mustRead({
      ...small,
      pools: [{ id: "all", policy: { preset: "lab", settings } }],
      workload: { jobs: [job("long", 4, 60), job("big", 8, 30), job("me", 4, 120)] },
      interventions: [{ kind: "update", atMs: 10 * MINUTE, job: "me", limitMs: 30 * MINUTE }],
    }),
    undefined,
    { checks: true, onChunk: (chunk) => chunks.push(chunk) },
  );
  return drain(firstStarts({ jobs: world.jobs, chunks }))[2]! / MINUTE;
}

test.each([
  { backfill: "easy" },
  { backfill: "conservative" },
  { backfill: "easy", reservations: 2 },
  { backfill: "easy", order: "fairShare", shareOf: "user" },
  { backfill: "easy", order: "multifactor" },
  { backfill: "easy", order: "drf" },
  { backfill: "easy", order: "aging" },
])("%o", (settings) => {
  expect(startOfMe(settings)).toBe(10);
});
