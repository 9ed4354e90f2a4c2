import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contrast, mix, parseColour } from "../../src/theme/colour.ts";
import type { Palette } from "../../src/theme/palette.ts";
import { buildPalette, tierColours } from "../../src/theme/palette.ts";

const css = readFileSync(new URL("../../src/theme/tokens.css", import.meta.url), "utf8");

function paletteOf(theme: "dark" | "light"): Palette {
  const blocks = [...css.matchAll(/(^|\n)([^\n{}@]*)\{([^{}]*)\}/g)];
  const tokens = new Map<string, string>();
  for (const [, , selector, body] of blocks) {
    const shared = selector!.trim() === ":root";
    if (!shared && !selector!.includes(`data-theme="${theme}"`)) continue;
    if (selector!.startsWith(" ")) continue;
    for (const [, name, value] of body!.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
      if (!tokens.has(name!)) tokens.set(name!, value!);
    }
  }
  return buildPalette((token) => tokens.get(token) ?? "");
}

/** Machado 2009, severity 1, on linear RGB; OKLab after Ottosson. Both re-stated here as the oracle. */
const VISIONS = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deutan: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritan: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
} as const;

function oklab(colour: string, m: readonly number[]): [number, number, number] {
  const [r, g, b] = parseColour(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const seen = [0, 3, 6].map((row) =>
    Math.min(1, Math.max(0, m[row]! * r + m[row + 1]! * g + m[row + 2]! * b)),
  );
  const [x, y, z] = seen as [number, number, number];
  const l = Math.cbrt(0.4122214708 * x + 0.5363325363 * y + 0.0514459929 * z);
  const p = Math.cbrt(0.2119034982 * x + 0.6806995451 * y + 0.1073969566 * z);
  const s = Math.cbrt(0.0883024619 * x + 0.2817188376 * y + 0.6299787005 * z);
  return [
    0.2104542553 * l + 0.793617785 * p - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * p + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * p - 0.808675766 * s,
  ];
}

describe.each(["dark", "light"] as const)("the %s theme", (theme) => {
  const palette = paletteOf(theme);

  test("shows every tier bar at 3 : 1 or more on the sheet and on the idle ground", () => {
    for (const tier of palette.positions) {
      expect(contrast(tier.full, palette.bg)).toBeGreaterThanOrEqual(3);
      expect(contrast(tier.full, palette.idle)).toBeGreaterThanOrEqual(3);
      expect(contrast(tier.mark, palette.bg)).toBeGreaterThanOrEqual(3);
    }
  });

  test("writes labels on tier bars, and text on the sheet, at 4.5 : 1 or more", () => {
    for (const tier of palette.positions)
      expect(contrast(tier.label, tier.full)).toBeGreaterThanOrEqual(4.5);
    for (const ink of [palette.ink, palette.ink2, palette.ink3]) {
      expect(contrast(ink, palette.bg)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, palette.raise)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(Object.keys(VISIONS) as (keyof typeof VISIONS)[])(
    "keeps the four tier hues apart for %s vision (OKLab distance 0.10)",
    (vision) => {
      const seen = palette.positions.slice(0, 4).map((tier) => oklab(tier.full, VISIONS[vision]));
      for (let i = 0; i < 4; i++) {
        for (let j = i + 1; j < 4; j++) {
          const distance = Math.hypot(...seen[i]!.map((part, axis) => part - seen[j]![axis]!));
          expect(distance, `tiers ${i + 1} and ${j + 1}`).toBeGreaterThanOrEqual(0.1);
        }
      }
    },
  );

  test("gives tiers five and six a hatch, and groups more than six", () => {
    expect([0, 1, 2, 3, 4, 5].map((tier) => tierColours(palette, tier, 6).hatch)).toEqual([
      0, 0, 0, 0, 1, 2,
    ]);
    expect(tierColours(palette, 11, 12)).toBe(palette.positions[5]);
    expect(tierColours(palette, 1, 12)).toBe(palette.positions[0]);
  });
});

test("a mix with share 1 is the colour itself and with share 0 its ground", () => {
  expect(mix("#123456", "#ffffff", 1)).toBe("#123456");
  expect(mix("#123456", "rgb(255, 255, 255)", 0)).toBe("#ffffff");
});
