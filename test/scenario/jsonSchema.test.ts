import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scenarioJsonSchema } from "../../src/scenario/jsonSchema.ts";

test("the published schema is up to date; if not: node scripts/build-schema.mjs", () => {
  const published = readFileSync(
    new URL("../../public/schema/scenario.v1.json", import.meta.url),
    "utf8",
  );
  expect(published).toBe(scenarioJsonSchema());
});
