/** What the priority of a waiting job is made of: terms that add up to it, or that order it as it is ordered. */
import { describe, expect, test } from "vitest";
import type { LabJobFacts } from "../../src/model/lab/shares.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import { jobNamed } from "../support/world.ts";
import { run } from "./walk/tenancy.ts";

type Given = Readonly<Record<string, SettingValue>>;

function facts(settings: Given, text: string, name: string, atSec: number): LabJobFacts {
  const outcome = run(settings, text);
  const found = outcome.simulation.jobFacts(jobNamed(outcome.world, name), atSec * 1_000)?.lab;
  if (!found) throw new Error(`nothing is known of ${name}`);
  return found;
}

const values = ({ terms = [] }: LabJobFacts): Record<string, number> =>
  Object.fromEntries(terms.map(({ name, value }) => [name, value]));

const TEXT = `8 gpus
  0s A x6 100s user ada
  1s B x4 10s user bob
  2s C x8 10s user ada
  21s D x8 1s user eve`;

describe("the terms of a priority", () => {
  test("multifactor: weight × factor of all that have a weight add up to the points, as of the last time they were computed", () => {
    const settings = {
      order: "multifactor",
      priorityEveryMs: 1_000,
      ageWeight: 1_000,
      ageMaxMs: 40_000,
      fairShareWeight: 500,
      sizeWeight: 200,
      tierWeight: 0,
      shareOf: "user",
    };
    const found = facts(settings, TEXT, "B", 21);
    expect(values(found)).toMatchObject({ age: 0.5, size: 0.5 });
    expect(values(found)["fairShare"]).toBe(1);
    expect(values(found)["tier"]).toBeUndefined();
    const sum = found.terms!.reduce((points, { value, weight = 0 }) => points + value * weight, 0);
    expect(Math.round(sum)).toBe(1_100);
    expect(found.priority).toBe(1_100);
  });

  test("fair share: who has used all of it has its part of usage over its part of shares as level, and stands behind", () => {
    const settings = { order: "fairShare", shareOf: "user" };
    expect(values(facts(settings, TEXT, "C", 21))).toEqual({
      usagePart: 1,
      duePart: 1 / 3,
      level: 3,
    });
    expect(values(facts(settings, TEXT, "B", 21))).toMatchObject({ usagePart: 0, level: 0 });
  });

  test("DRF: the parts held of devices, CPUs and memory, the largest over the shares as level", () => {
    const found = values(facts({ order: "drf", shareOf: "user" }, TEXT, "C", 21));
    expect(found["devicePart"]).toBe(0.75);
    expect(found["level"]).toBe(0.75 / found["shares"]!);
    expect(values(facts({ order: "drf", shareOf: "user" }, TEXT, "B", 21))["devicePart"]).toBe(0);
  });

  test("max-min: devices held over shares; least usage: device-hours", () => {
    expect(values(facts({ order: "maxMin", shareOf: "user" }, TEXT, "C", 21))).toMatchObject({
      devicesHeld: 6,
      level: 6,
    });
    const used = values(facts({ order: "leastUsage", halfLifeMs: 0 }, TEXT, "C", 21));
    expect(used["usageHours"]).toBeCloseTo((6 * 21) / 3_600, 5);
  });

  test("orders that go by a date or a size, and jobs that run, have none", () => {
    expect(facts({ order: "smallest", quota: "static" }, TEXT, "B", 21).terms ?? []).toEqual([]);
    expect(facts({ order: "fairShare" }, TEXT, "A", 21).terms ?? []).toEqual([]);
  });
});
