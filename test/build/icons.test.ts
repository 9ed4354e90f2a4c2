import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { icons, pixels } from "../../scripts/icons.mjs";
import { root } from "../../scripts/paths.mjs";

/** Rows of RGBA of a picture with one chunk of data and no filters, as `scripts/icons.mjs` writes it. */
function decode(file: string): { px: number; rgba: Buffer } {
  const bytes = readFileSync(join(root, "public", file));
  expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
  const px = bytes.readUInt32BE(16);
  const at = bytes.indexOf("IDAT");
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  const rgba = Buffer.alloc(px * px * 4);
  for (let y = 0; y < px; y++)
    rgba.set(rows.subarray(y * (px * 4 + 1) + 1, (y + 1) * (px * 4 + 1)), y * px * 4);
  return { px, rgba };
}

test.each(icons)("$file is what the drawing gives today", (icon) => {
  const { px, rgba } = decode(icon.file);
  expect(px).toBe(icon.px);
  expect(rgba.equals(pixels(icon))).toBe(true);
});

test("a maskable icon and one for a home screen have no transparent corner, the others do", () => {
  const corners = icons.map((icon) => [icon.ground, pixels(icon)[3]]);
  for (const [ground, alpha] of corners) expect(alpha).toBe(ground === "full" ? 255 : 0);
});

test("the manifest names icons that are there, in the sizes they have", () => {
  const manifest = JSON.parse(readFileSync(join(root, "public", "manifest.webmanifest"), "utf8"));
  const drawn = manifest.icons.filter(({ type }: { type: string }) => type === "image/png");
  expect(drawn).toHaveLength(3);
  for (const { src, sizes } of drawn) {
    const { px } = decode(src);
    expect(sizes).toBe(`${px}x${px}`);
  }
});
