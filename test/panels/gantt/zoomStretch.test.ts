import { expect, test, vi } from "vitest";
import type { GanttView } from "../../../src/panels/gantt/basePainter.ts";
import { GanttScene } from "../../../src/panels/gantt/scene.ts";
import { type KeptLabels, paintText } from "../../../src/panels/gantt/textPainter.ts";
import { ZoomStretch } from "../../../src/panels/gantt/zoomStretch.ts";
import { EMPTY_FUTURE } from "../../../src/store/runData.ts";
import { palette } from "../../../src/theme/palette.ts";
import { xDevOf } from "../../../src/timeline/pixelScale.ts";
import { layoutRows } from "../../../src/timeline/rows.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 8, gpusPerNode: 8, nodesPerLeaf: 4, rects: 2_000 });
const { chunks, open, knownMs, endMs } = record;
const scene = new GanttScene();
scene.update({
  version: 1,
  stage: record.stage,
  current: { ...EMPTY_FUTURE, chunks, open, knownMs, endMs, done: true },
  ghost: null,
  ghostFromMs: 0,
  progress: null,
});
while (scene.step(64));
const wish = { heightCss: 1_200, ratio: 1, u: 1, chosen: { 0: 2, 1: 2 } as const, selected: -1 };
const layout = layoutRows(scene.units!, wish);

/** A tenth of the run on 1,000 pixels, zoomed by a factor around its middle. */
function view(by: number): GanttView {
  const pxPerMs = (by * 1_000) / (endMs / 10);
  return {
    scale: { pxPerMs, originPx: Math.floor((endMs / 2) * pxPerMs - 500) },
    width: 1_000,
    height: 800,
    layout,
    scrollDev: 0,
    cursorMs: endMs,
    ratio: 1,
    zeroMs: 0,
  };
}

/** After one step of a zoom, at time 0, that painted so many bars. */
function stretchOf(bars: number): ZoomStretch {
  const stretch = new ZoomStretch();
  stretch.painted(view(0.9), 1, bars);
  stretch.goesOn(view(1), 1, 0);
  stretch.painted(view(1), 1, bars);
  return stretch;
}

test.each([
  ["few bars are painted in each frame of a zoom", 999, 1.05, 1, 0, false],
  ["of many bars the last picture is stretched", 1_000, 1.05, 1, 0, true],
  ["and pressed where a zoom goes out", 1_000, 1 / 1.05, 1, 0, true],
  ["until it is a fifth wider than it was painted", 1_000, 1.21, 1, 0, false],
  ["or narrower", 1_000, 1 / 1.21, 1, 0, false],
  ["very many bars are stretched for longer", 20_000, 1.4, 1, 0, true],
  ["but not until a pixel is as wide as two", 20_000, 1.6, 1, 0, false],
  ["a picture of an older record is not stretched", 1_000, 1.05, 2, 0, false],
])("%s", (_, bars, by, version, atMs, expected) => {
  expect(stretchOf(bars).goesOn(view(by), version, atMs)).toBe(expected);
});

test("what moves without a zoom right after one is painted as ever", () => {
  const stretch = stretchOf(1_000);
  expect(stretch.goesOn(view(1.3), 1, 1_000)).toBe(false);
  stretch.painted(view(1.3), 1, 1_000);
  expect(stretch.goesOn(view(1.3), 1, 1_016)).toBe(false);
});

test("a zoom that rests is painted sharp, however many bars there are", () => {
  const stretch = stretchOf(50_000);
  expect(stretch.goesOn(view(1.1), 1, 100)).toBe(true);
  expect(stretch.goesOn(view(1.1), 1, 219)).toBe(true);
  expect(stretch.goesOn(view(1.1), 1, 220)).toBe(false);
});

test("the first step of a zoom is painted sharp", () => {
  expect(stretchOf(50_000).goesOn(view(1.1), 1, 120)).toBe(false);
});

test("a pressed picture covers what it showed, and the columns at its sides are left to be painted", () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  const drawImage = vi.fn();
  const canvas = document.createElement("canvas");
  const context = { canvas, setTransform: vi.fn(), drawImage } as unknown;
  const stretch = stretchOf(1_000);
  const out = view(1 / 1.1);
  expect(stretch.goesOn(out, 1, 0)).toBe(true);
  const sides = stretch.show(context as CanvasRenderingContext2D, out);
  expect(sides).toEqual([
    [0, 46],
    [954, 1_000],
  ]);
  expect(drawImage).toHaveBeenCalledOnce();
  expect(stretch.shows(out)).toBe(true);
  expect(stretch.shows(view(1 / 1.12))).toBe(false);
  stretch.painted(out, 1, null);
  expect(stretch.stretched).toBe(false);
  vi.restoreAllMocks();
});

interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

function labelsOf(shown: GanttView, kept: KeptLabels, moving: boolean): Word[] {
  const words: Word[] = [];
  const context = new Proxy({} as Record<string, unknown>, {
    get: (own, key: string) => {
      if (key === "measureText") return (text: string) => ({ width: text.length * 6 });
      if (key === "fillText")
        return (text: string, x: number, y: number) => words.push({ text, x, y });
      return own[key] ?? (() => undefined);
    },
  });
  paintText(
    context as unknown as CanvasRenderingContext2D,
    scene,
    shown,
    { ...palette(), u: 1 },
    kept,
    moving,
  );
  return words;
}

test("labels keep their words while a zoom goes in, and move with their bars", () => {
  const kept: KeptLabels = { scan: null, words: new Map() };
  labelsOf(view(1), kept, false);
  const before = new Map(kept.words);
  const { scale, width } = view(1.15);
  const during = labelsOf(view(1.15), kept, true);
  let whole = 0;
  for (const [span, said] of before) {
    const x = xDevOf(span.startMs, scale);
    if (said.text === "" || x < 0 || xDevOf(span.endMs, scale) > width) continue;
    whole += 1;
    expect(kept.words.get(span)).toBe(said);
    expect(during).toContainEqual(expect.objectContaining({ text: said.text, x: x + 5 }));
  }
  expect(whole).toBeGreaterThan(10);
});

test("labels at rest are those of a picture painted from nothing", () => {
  const kept: KeptLabels = { scan: null, words: new Map() };
  labelsOf(view(1), kept, false);
  labelsOf(view(1.15), kept, true);
  const fresh = labelsOf(view(1.15), { scan: null, words: new Map() }, false);
  expect(labelsOf(view(1.15), kept, false)).toEqual(fresh);
});
