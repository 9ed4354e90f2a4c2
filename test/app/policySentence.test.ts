import { expect, test } from "vitest";
import {
  policyParts,
  policySentence,
  poolPolicies,
  untoldSettings,
} from "../../src/app/policySentence.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";

function scenarioWith(pools: readonly object[]): Scenario {
  const read = readScenario({
    version: 1,
    title: "t",
    cluster: { nodeGroups: pools.map((_, i) => ({ id: `g${i}`, count: 2, gpus: 8 })) },
    pools: pools.map((policy, i) => ({
      id: `p${i}`,
      policy,
      ...(pools.length > 1 ? { nodeGroups: [`g${i}`] } : {}),
    })),
    workload: { jobs: [] },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

test("the sentence names what was chosen; numbers and switches it leaves out are counted", () => {
  const scenario = scenarioWith([
    { settings: { backfill: "conservative", extra: false, preemption: "requeue" } },
  ]);
  expect(policyParts(scenario, 0)).toContain("Conservative backfill");
  expect(policySentence(scenario, 0)).not.toContain("extra");
  expect(untoldSettings(scenario, 0)).toBe(1);
});

test("what the sentence has no room for stands in the list: every setting that differs, with its default", () => {
  const [pool] = poolPolicies(
    scenarioWith([{ settings: { backfill: "conservative", extra: false } }]),
    0,
  );
  expect(pool!.chosen.map(({ value, standard }) => [value, standard])).toEqual([
    ["Conservative", "EASY"],
    ["off", "on"],
  ]);
});

test("several pools are named with their presets, and each has its own list", () => {
  const scenario = scenarioWith([{ settings: { backfill: "conservative" } }, { preset: "kueue" }]);
  expect(policyParts(scenario, 0)).toEqual(["p0: Policy lab", "p1: Kueue"]);
  expect(untoldSettings(scenario, 0)).toBe(0);
  expect(poolPolicies(scenario, 0).map(({ chosen }) => chosen.length)).toEqual([1, 0]);
});
