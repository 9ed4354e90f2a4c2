/** Gangs whose members take devices as they come, where the walk decides. */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { type Outcome, runLines, runWorld, waitReasonLines } from "../../support/draw.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

const ONE_BY_ONE = { gangTogether: false, order: "highestBid", backfill: "skipAhead" };

function run(text: string, settings: Readonly<Record<string, SettingValue>> = {}): Outcome {
  const world = tenancyWorld(text, { pools: [labPool({ ...ONE_BY_ONE, ...settings })] });
  sameWithSnapshots(world);
  return runWorld(world, schedulerOf);
}

/** Name, start and end of each run, seconds. */
function spans(outcome: Outcome): string[] {
  return runLines(outcome).map((line) => line.replace(/ .*?([\d.]+-[\d.]+).*/, " $1"));
}

describe("members that take devices as they come", () => {
  const TWO = `4 gpus
    0s A x4 3s
    0s B x4 3s
    9s ! cancel A`;

  test("two gangs that each got half of a machine wait for each other", () => {
    const outcome = run(TWO);
    expect(waitReasonLines(outcome)).toEqual(["0s A gang", "0s B gang"]);
    expect(spans(outcome)).toEqual(["A#1 0-9", "B#1 0-12"]);
  });

  test("together, the first starts and the second follows", () =>
    expect(spans(run(TWO, { gangTogether: true }))).toEqual(["A#1 0-3", "B#1 3-6"]));

  test("the order decides whose member comes first in each round", () => {
    // Three devices: the higher bidder gets two of them.
    const outcome = run(`3 gpus
      0s A x2 3s bid 1
      0s B x2 3s bid 5`);
    expect(spans(outcome)).toEqual(["B#1 0-3", "A#1 0-6"]);
  });

  test("no member beyond what its team may hold", () => {
    const outcome = run(
      `4 gpus
       team red quota 1
       team blue quota 3
       0s A x2 3s team red
       0s B x2 3s team blue`,
      { quota: "static" },
    );
    expect(spans(outcome)).toEqual(["B#1 0-3"]);
    expect(outcome.simulation.refused).toEqual({});
  });

  test("a deadlock ends when the collectives of one of them time out", () => {
    const outcome = run(`4 gpus
      0s A x4 3s hang 20s
      0s B x4 3s`);
    expect(spans(outcome)).toEqual(["A#1 0-20", "B#1 0-23"]);
  });
});
