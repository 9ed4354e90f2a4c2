/** Random documents of the lab run to their end with all invariants of the engine, and twice to the same digest. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { labScenarioInput } from "./labScenarios.ts";

test("documents of the lab run to their end, the same way each time", () => {
  let ran = 0;
  fc.assert(
    fc.property(labScenarioInput, (input) => {
      const scenario = readScenario(input);
      if (!scenario.ok) return;
      const digest = simulate(scenario.value, undefined, { checks: true }).digest;
      expect(simulate(scenario.value, undefined, { checks: false }).digest).toBe(digest);
      ran++;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(20);
}, 240_000);
