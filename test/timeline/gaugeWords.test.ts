import { expect, test } from "vitest";
import { quotaGaps } from "../../src/timeline/gaugeWords.ts";

const cell = { pool: 0, queue: "a", resource: "nvidia.com/gpu" };

test("gauges of Volcano and KAI say that they are of named queues and of GPUs; those of Kueue leave nothing out", () => {
  expect(quotaGaps({ quotaCells: [{ ...cell, flavor: "" }] })).toContain("GPUs");
  expect(quotaGaps({ quotaCells: [{ ...cell, flavor: "h100" }] })).toBe("");
  expect(quotaGaps({})).toBe("");
});
