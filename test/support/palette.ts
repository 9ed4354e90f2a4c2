/** The palettes of both themes, read from the token file, for painters that run in Node. */
import { readFileSync } from "node:fs";
import { buildPalette, type Palette } from "../../src/theme/palette.ts";

export function paletteOf(theme: "dark" | "light"): Palette {
  const css = readFileSync(new URL("../../src/theme/tokens.css", import.meta.url), "utf8");
  const block = css.split(`[data-theme="${theme}"]`)[1]!.split("}")[0]!;
  const root = css.split(":root {")[1]!.split("}")[0]!;
  return buildPalette((token) => {
    const match =
      new RegExp(`${token}:\\s*([^;]+);`).exec(block) ??
      new RegExp(`${token}:\\s*([^;]+);`).exec(root);
    return match?.[1]?.trim() ?? "";
  });
}
