/** The painter of the lanes asks for tiers in its own frame, before React has rendered a new stage. */
import { expect, test } from "vitest";
import { latestTier } from "../../src/panels/queues/latestTier.ts";
import { runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { fixtureScenario, fixtureStage } from "./runFixture.ts";

const job = (tier: number, name: string) => ({
  submitMs: 0,
  gpus: 1,
  workMs: 1_000,
  limitMs: 1_000,
  tier,
  name,
});

test("the tiers of a new run hold at once, without a render in between", () => {
  expect(latestTier(0)).toBe(0);
  runData.set({ stage: fixtureStage(1, [job(3, "a"), job(1, "b")]) });
  expect([latestTier(0), latestTier(1)]).toEqual([3, 1]);
  runData.set({ stage: fixtureStage(1, [job(0, "c"), job(2, "d")]) });
  expect([latestTier(0), latestTier(1)]).toEqual([0, 2]);
});

test("a job that a change moves counts in the tier where it ends up", () => {
  const stage = fixtureStage(1, [job(2, "a"), job(2, "b")]);
  runData.set({ stage });
  const scenario = fixtureScenario(1);
  const tier = stage.tiers[0]?.id ?? "";
  useApp.setState({
    scenario: { ...scenario, interventions: [{ kind: "retier", atMs: 5, job: "2", tier }] },
  });
  expect([latestTier(0), latestTier(1)]).toEqual([2, 0]);
});
