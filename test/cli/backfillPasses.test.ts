import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";

const passesOf = (id: string) =>
  simulate(libraryScenario(id)!, undefined, { checks: false }).backfillPasses;

test("a run under Slurm tells how many backfill passes were computed and skipped, other runs have none", () => {
  const passes = passesOf("slurm-two-teams");
  expect(passes?.computed).toBeGreaterThan(100);
  expect(passes?.skipped).toBeGreaterThan(100);
  expect(passesOf("tiers")).toBeNull();
});
