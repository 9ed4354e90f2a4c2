import { expect, test } from "vitest";
import { paintHeatBin } from "../../src/render/heatRaster.ts";
import type { RasterPalette, TierPixels } from "../../src/render/rasterPalette.ts";
import {
  type BarShape,
  ClosedLook,
  createRaster,
  Look,
  paintBar,
  paintClosed,
  type Raster,
  shiftRaster,
} from "../../src/render/spanRaster.ts";

// Each "colour" is the code of the letter that stands for it in the drawings below.
const code = (letter: string) => letter.charCodeAt(0);
const tier: TierPixels = {
  full: code("F"),
  pencil: code("p"),
  pale: code("a"),
  mark: code("m"),
  heat: code("h"),
  label: code("L"),
  hatch: 0,
};
const palette: RasterPalette = {
  sheet: code("."),
  raise: code("r"),
  line: code("-"),
  line2: code("="),
  rule: code("R"),
  idle: code("i"),
  idleDot: code("d"),
  idlePencil: code("j"),
  stripe: code("s"),
  signal: code("S"),
  tiers: [tier, { ...tier, full: code("G"), heat: code("g"), mark: code("n") }],
};

function sheet(width: number, height: number): Raster {
  const raster = createRaster(width, height, 1);
  raster.pixels.fill(code("."));
  return raster;
}

function drawn(raster: Raster): string[] {
  return Array.from({ length: raster.height }, (_, y) =>
    String.fromCharCode(...raster.pixels.subarray(y * raster.width, (y + 1) * raster.width)),
  );
}

function bar(
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  look: number = Look.running,
): BarShape {
  return { x0, x1, barX0: x0, y0, y1, start: true, end: true, joinedAbove: false, look };
}

test("what has run is solid, what will run is pale under a thin quiet edge, and the end keeps a pixel free", () => {
  const raster = sheet(14, 6);
  paintBar(raster, bar(1, 12, 1, 5), 5, tier, palette);
  expect(drawn(raster)).toEqual([
    "..............",
    ".FFFFmmmmmm...",
    ".FFFFpppppm...",
    ".FFFFpppppm...",
    ".FFFFmmmmmm...",
    "..............",
  ]);
});

test("a bar in the future has an edge at its start, one cut off by the window has none", () => {
  const raster = sheet(8, 4);
  paintBar(raster, bar(2, 7, 0, 4), 0, tier, palette);
  expect(drawn(raster)[1]).toBe("..mppm..");
  const cut = sheet(8, 4);
  paintBar(cut, { ...bar(-5, 7, 0, 4), end: false }, -9, tier, palette);
  expect(drawn(cut)[1]).toBe("ppppppp.");
});

test("a bar of the future that has room for a label has its edge in the full tint", () => {
  const raster = sheet(6, 12);
  paintBar(raster, bar(0, 6, 0, 12), 0, tier, palette);
  expect(drawn(raster).slice(0, 2)).toEqual(["FFFFF.", "FpppF."]);
});

test("bars of one or two pixels in the future take the palest tint that still reads", () => {
  const raster = sheet(6, 2);
  paintBar(raster, bar(0, 6, 0, 2), 0, tier, palette);
  expect(drawn(raster)).toEqual(["mmmmm.", "mmmmm."]);
});

test("bars under three pixels wide in the future are pale without edges", () => {
  const raster = sheet(8, 4);
  paintBar(raster, bar(1, 3, 0, 4), 0, tier, palette);
  paintBar(raster, bar(4, 8, 0, 4), 0, tier, palette);
  expect(drawn(raster)).toEqual([".hh.mmm.", ".hh.mpm.", ".hh.mpm.", ".hh.mmm."]);
});

test("lost work is signal hatch on pale with a signal edge at the stop", () => {
  const raster = sheet(12, 6);
  paintBar(raster, bar(0, 11, 0, 6, Look.lost), 99, tier, palette);
  const rows = drawn(raster);
  for (const row of rows) {
    expect(row.slice(8, 10)).toBe("SS");
    expect(new Set(row.slice(0, 8))).toEqual(new Set(["S", "a"]));
  }
  expect(rows[0]).not.toBe(rows[1]);
});

test("devices held without progress look unlike running ones and unlike the future", () => {
  const raster = sheet(12, 4);
  paintBar(raster, bar(0, 11, 0, 4, Look.stalled), 99, tier, palette);
  expect(new Set(drawn(raster)[1]!.slice(0, 10))).toEqual(new Set(["F", "a"]));
});

test("every state of a run has a pattern of its own, also without hue", () => {
  const pictures = Object.values(Look).map((look) => {
    const raster = sheet(24, 12);
    paintBar(raster, bar(0, 23, 0, 12, look), 99, tier, palette);
    // Only where ink is: hues are all one.
    return drawn(raster)
      .map((row) => row.replaceAll(/[FS]/g, "#").replaceAll(/[^#]/g, " "))
      .join("\n");
  });
  expect(new Set(pictures).size).toBe(pictures.length);
});

test("each way of being out of service has a pattern of its own", () => {
  const pictures = Object.values(ClosedLook).map((look) => {
    const raster = sheet(28, 14);
    paintClosed(raster, 0, 28, 0, 14, look, palette);
    return drawn(raster).join("\n");
  });
  expect(new Set(pictures).size).toBe(pictures.length);
});

test("a node on its way to another pool has chevrons that point to the right", () => {
  const raster = sheet(28, 15);
  paintClosed(raster, 0, 28, 0, 15, ClosedLook.moves, palette);
  const starts = drawn(raster).map((row) => row.indexOf("rs", 5));
  // They repeat every seven pixels; two rows off the tip they begin two pixels further left.
  expect((starts[7]! - starts[5]! + 7) % 7).toBe(2);
  expect(starts[5]).toBe(starts[9]);
});

test("drained and down nodes have stripes in opposite directions", () => {
  const drained = sheet(14, 3);
  paintClosed(drained, 0, 14, 0, 3, ClosedLook.drained, palette);
  const down = sheet(14, 3);
  paintClosed(down, 0, 14, 0, 3, ClosedLook.down, palette);
  const firstStripe = (raster: Raster) => drawn(raster).map((row) => row.indexOf("rs"));
  const [d0, d1] = firstStripe(drained);
  const [e0, e1] = firstStripe(down);
  // Wide stripes repeat every seven.
  expect((d1! - d0! + 7) % 7).toBe(6);
  // Narrow stripes repeat every five pixels.
  expect((e1! - e0! + 5) % 5).toBe(1);
});

test("the load of a block is stacked from the base, the highest tier lowest, pale right of the cursor", () => {
  const raster = sheet(4, 8);
  paintHeatBin(raster, 0, 4, 0, 8, Float64Array.of(50, 25, 0, 0, 0, 0), 0, 100, 2, palette);
  expect(drawn(raster)).toEqual(["....", "....", "GGnn", "GGgg", "FFmm", "FFhh", "FFhh", "FFhh"]);
});

test("the load of a bin is its own: nothing of the next bin is stacked on it", () => {
  const raster = sheet(4, 8);
  const dim = Array.from({ length: 10 }, () => ({ ...tier, full: code("!"), heat: code("!") }));
  const sums = Float64Array.of(50, 0, 0, 0, 0, 0, 50, 50, 0, 0, 0, 0);
  paintHeatBin(raster, 0, 4, 0, 8, sums, 0, 100, 9, {
    ...palette,
    tiers: [...palette.tiers, ...dim],
  });
  expect(drawn(raster)).toEqual(["....", "....", "....", "....", "FFFF", "FFFF", "FFFF", "FFFF"]);
});

test("a shift moves every pixel that stays in view", () => {
  const raster = createRaster(5, 3, 1);
  raster.pixels.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  shiftRaster(raster, 2, -1);
  expect([...raster.pixels.subarray(2, 5)]).toEqual([6, 7, 8]);
  expect([...raster.pixels.subarray(7, 10)]).toEqual([11, 12, 13]);
});
