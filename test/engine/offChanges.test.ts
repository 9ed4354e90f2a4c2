import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { mustRead } from "../scenario/scenarios.ts";

type Change = NonNullable<ScenarioInput["interventions"]>[number];

const crowd: ScenarioInput = {
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
  failures: [{ of: "node", mtbfMs: 4_000_000, repairMs: 60_000 }],
  horizonMs: 9_000_000,
  workload: {
    jobs: Array.from({ length: 40 }, (_, i) => ({
      id: `j${i}`,
      gpus: 1 + (i % 5),
      submitMs: i * 9_000,
      workMs: 50_000,
      limitMs: 120_000,
    })),
  },
};

const changes: readonly Change[] = [
  { kind: "drain", atMs: 100_000, nodes: ["n-000"] },
  { kind: "resume", atMs: 300_000, nodes: ["n-000"] },
  { kind: "inject", atMs: 50_000, job: { id: "extra", gpus: 8, workMs: 70_000 } },
  {
    kind: "policy",
    atMs: 20_000,
    policy: { settings: { order: "tiers", backfill: "conservative" } },
  },
  { kind: "retier", atMs: 30_000, job: "j9", tier: "low" },
  { kind: "cancel", atMs: 40_000, job: "j12" },
  { kind: "reserve", atMs: 10_000, name: "w", startMs: 60_000, endMs: 90_000, nodes: "ALL" },
];

function digestWith(interventions: readonly Change[]): string {
  const { digest } = simulate(
    mustRead({ ...crowd, interventions: [...interventions] }),
    undefined,
    { checks: true },
  );
  return digest;
}

test.each(changes)("a change of kind $kind that is off is one that is not there", (change) => {
  const others = changes.filter((one) => one !== change);
  const without = digestWith(others);
  expect(digestWith(changes.map((one) => (one === change ? { ...one, off: true } : one)))).toBe(
    without,
  );
  expect(digestWith(changes), "and it does something when it is on").not.toBe(without);
});
