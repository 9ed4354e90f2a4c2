import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextLine } from "../../src/panels/queues/laneCursor.ts";
import { laneAt, laneTopCss, layBands, withLanes } from "../../src/panels/queues/laneLayout.ts";
import { paintDensity, paintLanes } from "../../src/panels/queues/laneRaster.ts";
import { tiersWithJobs } from "../../src/store/tiersWithJobs.ts";
import type { WaitLanes } from "../../src/timeline/waitLanes.ts";

const lanesOf = (
  lines: readonly (readonly [from: number, to: number, tier: number, lane: number])[],
): WaitLanes => ({
  packed: true,
  jobIdx: Uint32Array.from(lines, (_, index) => index),
  fromMs: Float64Array.from(lines, (line) => line[0]),
  toMs: Float64Array.from(lines, (line) => line[1]),
  tier: Uint16Array.from(lines, (line) => line[2]),
  lane: Uint32Array.from(lines, (line) => line[3]),
  lanesOfTier: Int32Array.of(1, 1),
});

function ascii(width: number, height: number, pixels: Uint32Array): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from(pixels.subarray(y * width, (y + 1) * width), (pixel) => ".ab"[pixel] ?? "?").join(
      "",
    ),
  );
}

describe("bands of tiers", () => {
  test("fill the strip without overlap, and lanes stay inside their band", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 600 }),
        fc.array(fc.nat(2_000), { minLength: 1, maxLength: 12 }),
        (height, lanes) => {
          const bands = layBands(height, lanes, true);
          bands.forEach((band, tier) => {
            const below = bands[tier + 1];

            if (below) expect(below.topCss).toBeCloseTo(band.topCss + band.heightCss, 6);
            else expect(band.topCss + band.heightCss).toBeCloseTo(height, 6);
            expect(band.topCss + band.heightCss).toBeLessThanOrEqual(height + 1e-6);
            if (band.mode !== "lanes" || lanes[tier] === 0) return;
            const last = lanes[tier]! - 1;
            expect(laneTopCss(band, last) + band.pitchCss).toBeLessThanOrEqual(
              band.topCss + band.heightCss + 1e-6,
            );
            expect(laneAt(band, laneTopCss(band, last) + band.pitchCss / 2)).toBe(last);
          });
        },
      ),
    );
  });

  test("lanes thinner than a pixel are drawn as density", () => {
    expect(layBands(100, [10_000, 2], true).map((band) => band.mode)).toEqual(["density", "lanes"]);
  });
});

describe("lines of waiting", () => {
  const band = (topCss: number, pitchCss: number) => ({
    topCss,
    heightCss: 8,
    pitchCss,
    mode: "lanes" as const,
  });

  test("are hollow where there is room, and a line where there is not", () => {
    const pixels = new Uint32Array(12 * 16);
    const lanes = lanesOf([
      [1, 7, 0, 0],
      [0, 4, 1, 0],
      [6, 12, 1, 1],
    ]);
    paintLanes(
      { pixels, widthDev: 12, heightDev: 16, ratio: 1, fromX: 0, toX: 12 },
      lanes,
      [band(0, 5), band(8, 2)],
      { pxPerMs: 1, originPx: 0 },
      Uint32Array.of(1, 2),
    );
    expect(ascii(12, 16, pixels)).toEqual([
      "............",
      "............",
      ".aaaaaa.....",
      ".a....a.....",
      ".a....a.....",
      ".aaaaaa.....",
      "............",
      "............",
      "............",
      "............",
      "bbbb........",
      "............",
      "......bbbbbb",
      "............",
      "............",
      "............",
    ]);
  });

  test("are striped from the admission on to the start, or until the quota is taken back", () => {
    const pixels = new Uint32Array(16 * 12);
    const spans = [
      [4, Number.POSITIVE_INFINITY],
      [3, 9],
    ];
    paintLanes(
      { pixels, widthDev: 16, heightDev: 12, ratio: 1, fromX: 0, toX: 16 },
      lanesOf([
        [1, 14, 0, 0],
        [0, 16, 1, 0],
      ]),
      [band(0, 5), band(8, 2)],
      { pxPerMs: 1, originPx: 0 },
      Uint32Array.of(1, 2),
      { of: (jobIdx) => spans[jobIdx]! },
    );
    expect(ascii(16, 12, pixels).filter((line) => /[ab]/.test(line))).toEqual([
      ".aaaaaaaaaaaaa..",
      ".a..a...a...aa..",
      ".a..a...a...aa..",
      ".aaaaaaaaaaaaa..",
      "bbbb.bbb.bbbbbbb",
    ]);
  });

  test("the shortest wait is still one pixel, and one that is wholly outside is none", () => {
    const pixels = new Uint32Array(12 * 8);
    paintLanes(
      { pixels, widthDev: 12, heightDev: 8, ratio: 1, fromX: 0, toX: 12 },
      lanesOf([
        [5, 5.01, 0, 0],
        [13, 14, 0, 0],
      ]),
      [band(0, 5)],
      { pxPerMs: 1, originPx: 0 },
      Uint32Array.of(1),
    );
    expect(pixels.filter((pixel) => pixel !== 0)).toHaveLength(4);
  });

  test("a strip is the same pixels as that part of a full picture", () => {
    const line = fc
      .tuple(fc.nat(600), fc.integer({ min: 1, max: 300 }), fc.nat(1), fc.nat(3))
      .map(([from, span, tier, lane]) => [from / 10, (from + span) / 10, tier, lane] as const);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.nat(40),
        fc.nat(20),
        (lines, from, wide) => {
          const lanes = lanesOf([...lines].sort((a, b) => a[0] - b[0]));
          const paint = (fromX: number, toX: number) => {
            const pixels = new Uint32Array(60 * 40);
            paintLanes(
              { pixels, widthDev: 60, heightDev: 40, ratio: 1, fromX, toX },
              lanes,
              [
                { ...band(0, 4), heightCss: 20 },
                { ...band(20, 2), heightCss: 20 },
              ],
              { pxPerMs: 1, originPx: 3 },
              Uint32Array.of(1, 2),
            );
            return pixels;
          };
          const toX = Math.min(60, from + wide);
          const full = paint(0, 60).map((pixel, i) => (i % 60 >= from && i % 60 < toX ? pixel : 0));
          expect(paint(from, toX)).toEqual(full);
        },
      ),
    );
  });

  test("density grows from the foot with the number of jobs, with an edge on top", () => {
    const pixels = new Uint32Array(3 * 8);
    paintDensity(
      { pixels, widthDev: 3, heightDev: 8, ratio: 1, fromX: 0, toX: 3 },
      band(0, 0.1),
      Float64Array.of(0, 5, 10),
      0,
      10,
      2,
      1,
    );
    expect(ascii(3, 8, pixels)).toEqual(["...", "...", "..b", "..a", ".ba", ".aa", ".aa", "..."]);
  });
});

describe("the keyboard's way through the lines", () => {
  const lanes = lanesOf([
    [0, 10, 0, 0],
    [2, 8, 0, 1],
    [12, 20, 0, 0],
    [13, 15, 1, 0],
  ]);
  const window = { fromMs: 9, toMs: 20 };

  test("starts with the first line in view, then goes along starts", () => {
    expect(nextLine(lanes, -1, "ArrowRight", window)).toBe(0);
    expect(nextLine(lanes, 0, "ArrowRight", window)).toBe(1);
    expect(nextLine(lanes, 3, "ArrowRight", window)).toBeNull();
    expect(nextLine(lanes, 2, "End", window)).toBe(3);
  });

  test("down leads to the next lane, then to the next tier, to the line nearest in time", () => {
    expect(nextLine(lanes, 0, "ArrowDown", window)).toBe(1);
    expect(nextLine(lanes, 1, "ArrowDown", window)).toBe(3);
    expect(nextLine(lanes, 3, "ArrowUp", window)).toBe(1);
    expect(nextLine(lanes, 0, "x", window)).toBeNull();
  });
});

describe("tiers that no job is in", () => {
  test("have no band: the others share the height as if they were alone", () => {
    const bands = layBands(100, [0, 3, 0, 9], true, [0, 1, 0, 1]);
    const alone = layBands(100, [3, 9], true);
    expect([bands[1], bands[3]]).toEqual(alone);
    expect([bands[0]?.heightCss, bands[2]?.heightCss]).toEqual([0, 0]);
    expect(laneAt(bands[3]!, bands[3]!.topCss + 3)).toBe(0);
  });

  test("are never too much to draw, while others may be", () => {
    const bands = layBands(100, [0, 3], true, [0, 1]);
    expect(withLanes(bands, [0, 200], true).map(({ mode }) => mode)).toEqual(["lanes", "density"]);
  });

  test("get one by a change that moves a job there, and all have one where there is no job", () => {
    const tiers = ["critical", "high", "low"].map((id) => ({ id }));
    const stage = { tiers, jobs: { count: 2, at: { tier: [1, 1] } } };
    const move = { kind: "retier", atMs: 5, job: "a", tier: "low" } as const;
    expect([...tiersWithJobs(stage, [])]).toEqual([0, 1, 0]);
    expect([...tiersWithJobs(stage, [move])]).toEqual([0, 1, 1]);
    expect([...tiersWithJobs(stage, [{ ...move, off: true }])]).toEqual([0, 1, 0]);
    expect([...tiersWithJobs({ tiers, jobs: { count: 0, at: { tier: [] } } }, [])]).toEqual([
      1, 1, 1,
    ]);
  });
});
