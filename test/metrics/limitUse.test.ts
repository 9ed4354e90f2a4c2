/** Asked and used, by hand: three jobs that end by their work, one killed at its limit, one without a limit. */
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { limitUseSteps } from "../../src/metrics/limitUse.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;

test("the factor is limit ÷ run of those that were not killed; who had no limit is only counted", () => {
  const job = (id: string, minutes: number, limitMin?: number) => ({
    id,
    submitMs: 0,
    gpus: 1,
    workMs: minutes * MINUTE,
    ...(limitMin === undefined ? {} : { limitMs: limitMin * MINUTE }),
  });
  const chunks: Chunk[] = [];
  const jobs = [
    job("a", 10, 20),
    job("b", 10, 40),
    job("c", 10, 100),
    job("k", 50, 30),
    job("n", 5),
  ];
  const { world } = simulate(mustRead({ ...small, workload: { jobs } }), undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const use = drain(limitUseSteps(world.jobs, chunks));
  expect(use).toMatchObject({ killedCount: 1, unlimited: 1, factor: { p50: 4, max: 10 } });
  expect(Array.from(use.ranMs, (ms) => ms / MINUTE)).toEqual([10, 10, 10, 30]);
});
