import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawnRunsIn, drawRun } from "./slurmDocs.ts";

const text = readFileSync(new URL("../../docs/policies/slurm.md", import.meta.url), "utf8");

describe("docs/policies/slurm.md", () => {
  const runs = drawnRunsIn(text);
  test("every group of rules has a drawn schedule", () => {
    const [, rules = ""] = text.split("\n# ").join("\n").split("## Rules\n");
    const groups = rules.split("\n## ")[0]!.split("\n### ").slice(1);
    expect(groups.length).toBeGreaterThan(10);
    for (const group of groups) expect(group).toContain("```slurm");
  });
  test.each(runs)("$title", (run) => expect(drawRun(run)).toBe(run.drawing));
});
