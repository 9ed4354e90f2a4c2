import { describe, expect, test } from "vitest";
import { POLICY_NAMES, PRESETS, resolveSettings } from "../../src/scenario/settings.ts";

describe("settings of a preset", () => {
  test("what is not given has its default", () => {
    expect(resolveSettings("lab", { backfill: "none" }, "/p")).toMatchObject({
      ok: true,
      value: {
        preset: "lab",
        settings: {
          order: "fcfs",
          backfill: "none",
          placement: "firstFit",
          gangTogether: true,
          depth: 1_000,
        },
      },
    });
  });

  test("every default passes its own check", () => {
    for (const preset of PRESETS) expect(resolveSettings(preset.id, {}, "/p").ok).toBe(true);
  });

  test("every value that a form offers is accepted", () => {
    for (const preset of PRESETS) {
      for (const spec of preset.settings) {
        const values = spec.kind === "enum" ? spec.options.map((option) => option.value) : [];
        for (const value of values)
          expect(resolveSettings(preset.id, { [spec.key]: value }, "/p").ok).toBe(true);
      }
    }
  });

  test("each wrong value is a problem of its own", () => {
    const result = resolveSettings("lab", { order: "random", depth: 0.5, toString: "x" }, "/p");
    expect(result.ok ? [] : result.error.map((problem) => problem.place).sort()).toEqual([
      "/p/settings/depth",
      "/p/settings/order",
      "/p/settings/toString",
    ]);
  });

  test("what happens over and over comes once a second at most: shorter times would not let a run end", () => {
    for (const key of ["passEveryMs", "roundMs", "refillEveryMs", "elasticEveryMs"]) {
      for (const [value, allowed] of [
        [0, true],
        [1, false],
        [999, false],
        [1_000, true],
      ] as const)
        expect(resolveSettings("lab", { [key]: value }, "/p").ok).toBe(allowed);
    }
    expect(resolveSettings("lab", { auctionEveryMs: 0 }, "/p").ok).toBe(false);
    const result = resolveSettings("lab", { passEveryMs: 1 }, "/p");
    expect(result.ok ? "" : JSON.stringify(result.error)).toContain(
      "Use 0 or a whole number from 1000 to",
    );
  });

  test("the common names of policies resolve", () => {
    for (const { preset, settings } of Object.values(POLICY_NAMES)) {
      expect(resolveSettings(preset, settings, "/p").ok).toBe(true);
    }
  });
});

test("the words of settings fit any machine: they name neither GPUs nor processors", () => {
  const words = PRESETS.flatMap(({ settings }) =>
    settings.flatMap((spec) => [
      spec.label,
      spec.sentence,
      ...(spec.kind === "enum"
        ? spec.options.flatMap(({ label, sentence }) => [label, sentence])
        : []),
    ]),
  );
  for (const text of words) expect(text).not.toMatch(/\bGPUs?\b|processor/i);
});
