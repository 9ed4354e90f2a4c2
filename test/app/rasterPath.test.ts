import fc from "fast-check";
import { expect, test } from "vitest";
import { rasterPaths } from "../../src/app/share/picture/rasterPath.ts";

const COLOURS = [0x00000000, 0xff0000ff, 0x00ff00ff, 0x0000ff80];

function rasterOf(rows: readonly (readonly number[])[]) {
  const width = rows[0]?.length ?? 0;
  const data = new Uint8ClampedArray(width * rows.length * 4);
  rows.flat().forEach((place, at) => {
    const colour = COLOURS[place]!;
    data.set([colour >>> 24, (colour >>> 16) & 255, (colour >>> 8) & 255, colour & 255], at * 4);
  });
  return { width, height: rows.length, data };
}

/** Fills the rectangles of the paths again. */
function filled(paths: NonNullable<ReturnType<typeof rasterPaths>>, width: number, height: number) {
  const cells = Array.from({ length: height }, () => Array<number>(width).fill(0));
  for (const { fill, opacity, path } of paths) {
    const place = COLOURS.findIndex(
      (colour) =>
        fill === `#${(colour >>> 8).toString(16).padStart(6, "0")}` &&
        opacity === (colour & 255) / 255,
    );
    for (const [, x, y, w, h] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g)) {
      for (let row = Number(y); row < Number(y) + Number(h); row++)
        for (let column = Number(x); column < Number(x) + Number(w); column++) {
          expect(cells[row]![column]).toBe(0);
          cells[row]![column] = place;
        }
    }
  }
  return cells;
}

test("the rectangles cover each pixel of a colour once, and nothing else", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }).chain((width) =>
        fc.array(fc.array(fc.nat(3), { minLength: width, maxLength: width }), {
          minLength: 1,
          maxLength: 9,
        }),
      ),
      (rows) => {
        const raster = rasterOf(rows);
        expect(filled(rasterPaths(raster)!, raster.width, raster.height)).toEqual(rows);
      },
    ),
  );
});

test("a bar costs one rectangle whatever its size", () => {
  const raster = rasterOf(Array.from({ length: 40 }, () => Array<number>(300).fill(1)));
  expect(rasterPaths(raster)).toEqual([{ fill: "#ff0000", opacity: 1, path: "M0 0h300v40h-300z" }]);
});

test("too many rectangles are no picture in shapes", () => {
  const board = Array.from({ length: 20 }, (_, y) =>
    Array.from({ length: 20 }, (_, x) => ((x + y) % 2) + 1),
  );
  expect(rasterPaths(rasterOf(board), 400)).not.toBeNull();
  expect(rasterPaths(rasterOf(board), 399)).toBeNull();
});
