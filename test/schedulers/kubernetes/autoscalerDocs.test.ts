import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawGroups, groupsIn } from "../groupDocs.ts";

const text = readFileSync(
  new URL("../../../docs/policies/cluster-autoscaler.md", import.meta.url),
  "utf8",
);

describe("docs/policies/cluster-autoscaler.md", () => {
  const drawn = groupsIn(text);
  test("every group of rules has a drawn schedule", () => {
    const rules = text.slice(text.indexOf("\n## Rules\n"), text.indexOf("\n## Modelled\n"));
    for (const group of rules.split("\n### ").slice(1)) expect(group).toContain("```groups");
    expect(drawn.length).toBeGreaterThan(12);
  });
  test.each(drawn)("$title", (one) => expect(drawGroups("kube-scheduler", one)).toBe(one.drawing));
});
