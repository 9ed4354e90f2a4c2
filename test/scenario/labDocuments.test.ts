/** Random documents with the fields of the policy lab pass the door, or are refused with place and remedy; nothing crashes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalText } from "../../src/scenario/canonical.ts";
import { decodeScenario, encodeScenario } from "../../src/scenario/codec.ts";
import { readScenario, readScenarioText } from "../../src/scenario/read.ts";
import { expand } from "../../src/workload/expand.ts";
import { labScenarioInput } from "./labScenarios.ts";

describe("documents of the lab", () => {
  test("are read or refused, never more than that; those that are read expand", () => {
    let read = 0;
    fc.assert(
      fc.property(labScenarioInput, (input) => {
        const result = readScenario(input);
        if (!result.ok) {
          for (const problem of result.error) {
            expect(problem.place).toMatch(/^\//);
            expect(problem.message).toMatch(/\.$/);
            expect(problem.remedy).toMatch(/\.$/);
          }
          return;
        }
        read++;
        const world = expand(result.value);
        expect(world.ok).toBe(true);
        if (!world.ok) return;
        const { changes, jobs } = world.value;
        for (let i = 1; i < changes.length; i++)
          expect(changes[i]!.atMs).toBeGreaterThanOrEqual(changes[i - 1]!.atMs);
        for (const { elastic, checkpoint } of jobs.lab.values()) {
          expect(elastic?.allowed.length).toBe(elastic?.speedQ16.length);
          if (checkpoint !== null) expect(checkpoint.everyMs).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(read).toBeGreaterThan(150);
  });

  test("come back equal from their canonical text and from a link", () => {
    fc.assert(
      fc.property(labScenarioInput, (input) => {
        const result = readScenario(input);
        if (!result.ok) return;
        const back = readScenarioText(canonicalText(result.value));
        expect(back).toEqual(result);
        const linked = decodeScenario(encodeScenario(result.value), () => undefined);
        expect(linked).toEqual({ ok: true, value: { scenario: result.value, baseId: null } });
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });
});
