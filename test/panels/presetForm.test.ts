/** What the form of a policy shows: only what has an effect, counted against the defaults, found by any word. */
import { describe, expect, test } from "vitest";
import {
  layoutOf,
  needsWords,
  settingsBehind,
  settled,
} from "../../src/panels/inspector/policy/presetForm.ts";
import { isAt, startingPoints } from "../../src/panels/inspector/policy/startingPoints.ts";
import type { PolicyEntry } from "../../src/scenario/schema.ts";
import type { SettingSpec } from "../../src/scenario/settingSpec.ts";
import { POLICY_NAMES, presetOf, resolveSettings } from "../../src/scenario/settings.ts";
import { inEffect } from "../../src/scenario/settingsInEffect.ts";

const specs = presetOf("lab")!.settings;
const lab = (settings: PolicyEntry["settings"]): PolicyEntry => ({ preset: "lab", settings });
const spec = (key: string): SettingSpec => specs.find((each) => each.key === key)!;
const shown = (policy: PolicyEntry, words = "") => {
  const { first, groups } = layoutOf(specs, policy, words);
  return [...first, ...groups.flatMap((group) => group.specs)].map((each) => each.key);
};

describe("the form of the lab", () => {
  test("begins with order, backfill, placement, preemption and quotas", () => {
    const { first } = layoutOf(specs, lab({}), "");
    expect(first.map((each) => each.key)).toEqual([
      "order",
      "backfill",
      "placement",
      "preemption",
      "quota",
    ]);
  });

  test("shows the grace of victims only where somebody is preempted", () => {
    expect(shown(lab({}))).not.toContain("graceMs");
    expect(shown(lab({ preemption: "graceful" }))).toContain("graceMs");
  });

  test("a setting has no effect where the one above it has none", () => {
    const chain: readonly SettingSpec[] = [
      { key: "a", label: "A", sentence: "", kind: "boolean", standard: false },
      {
        key: "b",
        label: "B",
        sentence: "",
        kind: "boolean",
        standard: true,
        when: { key: "a", is: [true] },
      },
      {
        key: "c",
        label: "C",
        sentence: "",
        kind: "boolean",
        standard: true,
        when: { key: "b", is: [true] },
      },
    ];
    expect(inEffect(chain[2]!, lab({}), chain)).toBe(false);
    expect(inEffect(chain[2]!, lab({ a: true }), chain)).toBe(true);
  });

  test("counts what differs from the default, group by group", () => {
    const { groups } = layoutOf(
      specs,
      lab({ preemption: "graceful", graceMs: 1, minRunMs: 5 }),
      "",
    );
    const preemption = groups.find((group) => group.name === "Preemption")!;
    expect(preemption.differing).toBe(2);
    expect(settingsBehind(spec("preemption"), groups)).toBe(preemption.specs.length);
    expect(groups.find((group) => group.name === "Placement")?.differing).toBe(0);
  });

  test("a search finds a setting by its sentence or by an option, and says what one without effect needs", () => {
    expect(shown(lab({}), "tiresias")).toContain("order");
    expect(shown(lab({ preemption: "requeue" }), "time a victim has")).toEqual(["graceMs"]);
    const { idle } = layoutOf(specs, lab({}), "time a victim has");
    expect(idle.map((each) => each.key)).toEqual(["graceMs"]);
    expect(needsWords(spec("graceMs"), specs)).toMatch(/^where Preemption is Cancel, .* or /);
  });

  test("every setting stands somewhere: on top, or under one heading", () => {
    for (const each of specs) {
      const { first, groups, idle } = layoutOf(specs, lab({}), each.label);
      const times = [...first, ...groups.flatMap((group) => group.specs), ...idle].filter(
        (other) => other.key === each.key,
      ).length;
      expect(times, each.key).toBe(1);
    }
  });

  test("what was typed under another choice is not applied with this one", () => {
    const before = lab({ preemption: "requeue" });
    const draft = lab({ preemption: "none", graceMs: 1_000 });
    expect(settled(draft, before, specs).settings).toEqual({ preemption: "none" });
  });
});

describe("policies with a name", () => {
  const points = startingPoints("lab");

  test("all of the lab's are there, with a line each, and can be applied", () => {
    const names = Object.entries(POLICY_NAMES).filter(([, named]) => named.preset === "lab");
    expect(points.map((point) => point.name)).toEqual(names.map(([name]) => name));
    for (const point of points) {
      expect(point.sentence).toMatch(/\.$/);
      expect(resolveSettings("lab", point.policy.settings, "").ok).toBe(true);
    }
  });

  test("a policy is at the one whose settings it has, defaults counted as set", () => {
    const easy = points.find((point) => point.name === "easy")!;
    expect(isAt(easy, lab({}))).toBe(true);
    expect(isAt(easy, lab({ backfill: "none" }))).toBe(false);
  });
});
