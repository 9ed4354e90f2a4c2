/** The account of waiting and idling: its parts add up to the integrals of the series, for random documents of the lab. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import { longestWaitingSteps, waitAccountSteps } from "../../src/metrics/waitAccount.ts";
import { NodeStateCode } from "../../src/model/states.ts";
import { DEVICE_PARTS } from "../../src/model/units.ts";
import { WAIT_CAUSES } from "../../src/model/waitCauses.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { labScenarioInput } from "../scenario/labScenarios.ts";

const sum = (values: Iterable<number>) => [...values].reduce((all, each) => all + each, 0);

/** ∫ of a column of the series from 0 to `toMs`, step by step. */
function integral(chunks: readonly Chunk[], of: "heldParts" | "waitedParts", toMs: number): number {
  const now = new Map<number, number>();
  let total = 0;
  let lastMs = 0;
  for (const { series } of chunks)
    for (let row = 0; row < series.atMs.length; row++) {
      total += sum(now.values()) * (series.atMs[row]! - lastMs);
      lastMs = series.atMs[row]!;
      now.set(series.tier[row]!, series[of][row]!);
    }
  return total + sum(now.values()) * (toMs - lastMs);
}

test("waited by cause is all that was waited, idle by cause all that was idle, by bins, tiers, teams and jobs", () => {
  let ran = 0;
  fc.assert(
    fc.property(labScenarioInput, fc.integer({ min: 1, max: 30 }), (input, bins) => {
      const scenario = readScenario(input);
      if (!scenario.ok) return;
      const chunks: Chunk[] = [];
      const { open, world } = simulate(scenario.value, undefined, {
        checks: false,
        onChunk: (chunk) => chunks.push(chunk),
      });
      const toMs = open.atMs;
      if (toMs === 0) return;
      const record = { chunks, open };
      const account = drain(waitAccountSteps(world, record, { fromMs: 0, toMs, bins }));
      const waited = integral(chunks, "waitedParts", toMs) / DEVICE_PARTS;
      const near = (actual: number, expected: number) =>
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1e6, expected));
      near(sum(account.waited), waited);
      near(sum(account.byTier), waited);
      near(sum(account.byTeam), waited);
      for (const part of [account.waited, account.idle, account.spare, account.closed])
        expect(Math.min(...part)).toBeGreaterThan(-1e-3);
      const jobs = WAIT_CAUSES.map((_, cause) =>
        drain(longestWaitingSteps(world, record, cause, { fromMs: 0, toMs }, Infinity)),
      );
      near(sum(jobs.flat().map(({ deviceMs }) => deviceMs)), waited);
      const isRented = [...chunks, open].some(({ nodeSpans }) =>
        nodeSpans.state.includes(NodeStateCode.unborn),
      );
      const idle = sum(account.idle) + sum(account.spare) + sum(account.closed);
      if (!isRented)
        near(
          idle,
          world.cluster.deviceCount * toMs - integral(chunks, "heldParts", toMs) / DEVICE_PARTS,
        );
      ran++;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(20);
}, 240_000);
