import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawScenario, scenariosIn } from "./scenarioDocs.ts";

for (const policy of ["services", "fleet", "windows", "burst", "network", "life"]) {
  const text = readFileSync(new URL(`../../docs/policies/${policy}.md`, import.meta.url), "utf8");
  describe(`docs/policies/${policy}.md`, () => {
    const scenarios = scenariosIn(text);
    test("has a drawn scenario", () => expect(scenarios.length).toBeGreaterThanOrEqual(1));
    test.each(scenarios)("$title", (scenario) =>
      expect(drawScenario(scenario)).toBe(scenario.drawing),
    );
  });
}
