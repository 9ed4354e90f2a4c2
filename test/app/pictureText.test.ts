import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  pictureTextOf,
  svgMetadata,
  withPngText,
} from "../../src/app/share/picture/pictureText.ts";

/** One transparent pixel. */
const PIXEL = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const svg = (metadata: string) => new TextEncoder().encode(`<svg>${metadata}<path d=""/></svg>`);

describe("a picture holds what it was made from", () => {
  test("as a chunk of a PNG, before its end", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const png = withPngText(PIXEL, { kind: "link", text });
        expect(pictureTextOf(png)).toEqual({ kind: "link", text });
        expect(png.slice(-12)).toEqual(PIXEL.slice(-12));
      }),
    );
  });

  test("as metadata of an SVG, whatever its letters", () => {
    const text = 'http://x/#s=1:a&w=<"é">';
    expect(pictureTextOf(svg(svgMetadata({ kind: "scenario", text })))).toEqual({
      kind: "scenario",
      text,
    });
  });
});

describe("there is none", () => {
  test("in a picture from elsewhere", () => {
    expect(pictureTextOf(PIXEL)).toBeNull();
    expect(pictureTextOf(svg("<metadata>x</metadata>"))).toBeNull();
  });

  test("in one that was cut or changed", () => {
    const png = withPngText(PIXEL, { kind: "link", text: "http://x/#s=1:abc" });
    for (let length = 0; length < png.length - 12; length++)
      expect(pictureTextOf(png.slice(0, length))).toBeNull();
    const changed = png.slice();
    changed[png.length - 20] = changed[png.length - 20]! ^ 1;
    expect(pictureTextOf(changed)).toBeNull();
  });

  test("in any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(pictureTextOf(Uint8Array.from([...PIXEL.slice(0, 8), ...bytes]))).toBeNull();
      }),
    );
  });
});
