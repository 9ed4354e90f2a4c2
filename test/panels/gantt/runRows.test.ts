import { expect, test } from "vitest";
import { runsInWindow } from "../../../src/panels/gantt/runRows.ts";
import type { Scenario } from "../../../src/scenario/schema.ts";
import { fixtureFuture, fixtureScenario, fixtureStage } from "../runFixture.ts";

const MINUTE = 60_000;
const stage = fixtureStage(4, [
  { submitMs: 0, gpus: 8, workMs: 10 * MINUTE, limitMs: 20 * MINUTE, tier: 0, name: "first" },
  { submitMs: 0, gpus: 8, workMs: 60 * MINUTE, limitMs: 90 * MINUTE, tier: 0, name: "second" },
  { submitMs: 0, gpus: 8, workMs: 25 * MINUTE, limitMs: 90 * MINUTE, tier: 0, name: "third" },
]);
const future = fixtureFuture(stage, 1, 30 * MINUTE);
const window = { fromMs: 0, toMs: 40 * MINUTE };

function wordsUnder(scenario: Scenario): string[] {
  return runsInWindow(stage, scenario, future, window).rows.map((row) => row.ended);
}

test("how runs ended is said in the words of the scheduler that their pool is under at that time", () => {
  const lab = { ...fixtureScenario(4), interventions: [] };
  expect(wordsUnder(lab)).toEqual(["completed", "still running", "completed"]);
  const slurm = {
    ...lab,
    pools: lab.pools.map((pool) => ({
      ...pool,
      policy: { preset: "slurm" as const, settings: {} },
    })),
  };
  expect(wordsUnder(slurm)).toEqual(["COMPLETED", "RUNNING", "COMPLETED"]);
  const later: Scenario = {
    ...lab,
    interventions: [
      {
        kind: "policy",
        atMs: 20 * MINUTE,
        pool: lab.pools[0]!.id,
        policy: { preset: "slurm", settings: {} },
      } as Scenario["interventions"][number],
    ],
  };
  expect(wordsUnder(later)).toEqual(["completed", "RUNNING", "COMPLETED"]);
});
