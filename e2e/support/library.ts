/** The library as the page has it, for tests that hold for each of its scenarios. */
import { LIBRARY } from "../../src/scenario/library/index.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";

export function libraryScenarios(): readonly { id: string; scenario: ScenarioInput }[] {
  return LIBRARY.map(({ id, document }) => ({ id, scenario: document }));
}
