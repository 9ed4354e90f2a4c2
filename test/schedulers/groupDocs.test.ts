import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawGroups, groupsIn } from "./groupDocs.ts";

for (const preset of ["volcano", "kai", "ray"]) {
  const text = readFileSync(new URL(`../../docs/policies/${preset}.md`, import.meta.url), "utf8");
  describe(`docs/policies/${preset}.md`, () => {
    const drawn = groupsIn(text);
    test("has drawn schedules", () => expect(drawn.length).toBeGreaterThanOrEqual(1));
    test.each(drawn)("$title", (one) => expect(drawGroups(preset, one)).toBe(one.drawing));
  });
}
