/** Cards of platforms say only what they can name a source for. */
import { describe, expect, test } from "vitest";
import { PLATFORMS } from "../../../src/scenario/orchestrators/platforms.ts";
import { presetOf } from "../../../src/scenario/settings.ts";

test("all platforms that were asked for have a card, under one name each", () => {
  const ids = ["wandb", "domino", "anyscale", "sivaro", "runai", "runpod", "lambda", "nutanix"];
  expect(PLATFORMS.map(({ id }) => id)).toEqual(ids);
});

describe.each(PLATFORMS)("$name", ({ documented, unknown, closest, sources }) => {
  test("what is documented has a source; where nothing is, that is said and nothing chosen", () => {
    expect(sources.length > 0).toBe(documented.length > 0);
    expect(documented.length + unknown.length).toBeGreaterThan(0);
    if (documented.length === 0) expect(closest).toBeNull();
    for (const { link } of sources) expect(link).toMatch(/^https:/);
  });

  test("what comes closest is a preset of this page, with settings that it has", () => {
    if (closest === null) return;
    const preset = presetOf(closest.preset);
    expect(preset).toBeDefined();
    const keys = preset!.settings.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(closest.settings ?? {})));
  });
});

test("Karbon is no scheduler: its card leads to the stock one", () => {
  const card = PLATFORMS.find(({ id }) => id === "nutanix")!;
  expect(card.closest?.preset).toBe("kube-scheduler");
  expect(card.documented.join(" ")).toContain("Karbon is no scheduler");
});
