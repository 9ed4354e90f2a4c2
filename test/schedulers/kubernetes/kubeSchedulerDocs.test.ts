import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawGroups, groupsIn } from "../groupDocs.ts";

const text = readFileSync(
  new URL("../../../docs/policies/kube-scheduler.md", import.meta.url),
  "utf8",
);

describe("docs/policies/kube-scheduler.md", () => {
  const drawn = groupsIn(text);
  test("every group of rules has a drawn schedule", () => {
    const rules = text.slice(text.indexOf("\n## Rules\n"), text.indexOf("\n## Modelled\n"));
    const groups = rules.split("\n### ").slice(1);
    expect(groups.length).toBeGreaterThan(6);
    for (const group of groups) expect(group).toContain("```groups");
  });
  test.each(drawn)("$title", (one) => expect(drawGroups("kube-scheduler", one)).toBe(one.drawing));
});
