import { expect, test } from "vitest";
import { policyAt } from "../../src/scenario/policyAt.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { mustRead } from "./scenarios.ts";

const change = (atMs: number, backfill: string, pool?: string) => ({
  kind: "policy" as const,
  atMs,
  ...(pool ? { pool } : {}),
  policy: { preset: "lab", settings: { backfill } },
});

const scenarioWith = (interventions: NonNullable<ScenarioInput["interventions"]>) =>
  mustRead({
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "n", count: 1, gpus: 4 },
        { id: "m", count: 1, gpus: 4 },
      ],
    },
    pools: [
      { id: "a", nodeGroups: ["n"], policy: { preset: "lab", settings: { backfill: "none" } } },
      { id: "b", nodeGroups: ["m"], policy: { preset: "lab", settings: { order: "tiers" } } },
    ],
    interventions,
  });

test("changes of policy act in order of time, at one time in order of the document", () => {
  const scenario = scenarioWith([
    change(20, "none"),
    change(20, "conservative"),
    change(10, "easy"),
  ]);
  const at = (atMs: number) => policyAt(scenario, "a", atMs).settings["backfill"];
  expect([0, 9, 10, 19, 20, 99].map(at)).toEqual([
    "none",
    "none",
    "easy",
    "easy",
    "conservative",
    "conservative",
  ]);
});

test("a change that names a pool leaves the others alone", () => {
  const scenario = scenarioWith([change(10, "conservative", "a")]);
  expect(policyAt(scenario, "a", 10).settings).toEqual({ backfill: "conservative" });
  expect(policyAt(scenario, "b", 10).settings).toEqual({ order: "tiers" });
});

test("what a change replaced is the policy without it", () => {
  const scenario = scenarioWith([change(10, "easy"), change(20, "conservative")]);
  expect(policyAt(scenario, "a", 20, 1).settings).toEqual({ backfill: "easy" });
  expect(policyAt(scenario, "a", 20, 0).settings).toEqual({ backfill: "conservative" });
});
