/** What the card says of budgets that keep pods from eviction. */
import { expect, test } from "vitest";
import { budgetWords } from "../../src/panels/inspector/story/budgetWords.ts";

const MINUTE = 60_000;
const words = (...given: Parameters<typeof budgetWords>) =>
  budgetWords(...given).replaceAll("\u00a0", " ");

test("it says which budgets select the pods, and how many disruptions each allows now", () => {
  const budgets = [
    { name: "web", allowed: 0 },
    { name: "all", allowed: 1 },
  ];
  expect(words({ budgets, kept: null }, 0, undefined)).toBe(
    "PodDisruptionBudget web selects its pods and allows 0 disruptions now. PodDisruptionBudget all selects its pods and allows 1 disruption now.",
  );
});

test("it says when one kept pods, and from whom", () => {
  const budgets = [{ name: "web", allowed: 0 }];
  const kept = (from: "descheduler" | "scaleDown") =>
    words(
      { budgets, kept: { atMs: 5 * MINUTE, from, budget: "web" } },
      9 * MINUTE,
      "1970-01-01T00:00:00Z",
    );
  expect(kept("descheduler")).toContain(
    "00:05 the descheduler asked for a pod of this job and web refused.",
  );
  expect(kept("scaleDown")).toContain(
    "00:05 the autoscaler looked at a node of this job and web kept it.",
  );
});
