import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawSchedule, schedulesIn } from "./policyDocs.ts";

for (const policy of [
  "fcfs",
  "easy",
  "conservative",
  "placement",
  "mig",
  "preemption",
  "ordering",
  "sharing",
  "published",
  "quota",
  "limits",
  "auction",
  "life",
]) {
  const text = readFileSync(new URL(`../../docs/policies/${policy}.md`, import.meta.url), "utf8");
  describe(`docs/policies/${policy}.md`, () => {
    const schedules = schedulesIn(text);
    test("has at least two drawn schedules", () =>
      expect(schedules.length).toBeGreaterThanOrEqual(2));
    test.each(schedules)("$title", (schedule) =>
      expect(drawSchedule(schedule)).toBe(schedule.drawing),
    );
  });
}
