import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawGroups, groupsIn, runGroups } from "../groupDocs.ts";

const text = readFileSync(
  new URL("../../../docs/policies/descheduler.md", import.meta.url),
  "utf8",
);

describe("docs/policies/descheduler.md", () => {
  const drawn = groupsIn(text);
  test("every group of rules has a drawn schedule", () => {
    const rules = text.slice(text.indexOf("\n## Rules\n"), text.indexOf("\n## Modelled\n"));
    for (const group of rules.split("\n### ").slice(1)) expect(group).toContain("```groups");
    expect(drawn.length).toBeGreaterThan(12);
  });
  test.each(drawn)("$title", (one) => expect(drawGroups("kube-scheduler", one)).toBe(one.drawing));
});

test("a job that is evicted wherever it stands stays after 1,000 evictions, so that a run ends", () => {
  const yaml = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - pluginConfig:
      - name: LowNodeUtilization
        args: { thresholds: { nvidia.com/gpu: 20 }, targetThresholds: { nvidia.com/gpu: 30 } }
    plugins: { balance: { enabled: [LowNodeUtilization] } }`;
  const words = ["2x4", "cpus=8", "deschedulingIntervalMs=3000"];
  const one = { title: "", words, yaml, lines: ["0 A 1*2 9s cpus=1"], drawing: "" };
  const { chunks } = runGroups("kube-scheduler", one);
  expect(chunks.reduce((sum, { runs }) => sum + runs.jobIdx.length, 0)).toBe(1_001);
});
