/** How many devices a job holds, beside how many it asks for. */
import { expect, test } from "vitest";
import { heldDevices, heldWords, sizeText } from "../../src/timeline/heldDevices.ts";

type Rect = readonly [
  jobIdx: number,
  startMs: number,
  endMs: number,
  devices: number,
  part?: number,
];
const rectsOf = (rects: readonly Rect[]) => ({
  jobIdx: Uint32Array.from(rects, ([jobIdx]) => jobIdx),
  startMs: Float64Array.from(rects, ([, startMs]) => startMs),
  endMs: Float64Array.from(rects, ([, , endMs]) => endMs),
  device: new Uint32Array(rects.length),
  deviceCount: Uint16Array.from(rects, ([, , , devices]) => devices),
  bits: Uint16Array.from(rects, ([, , , , part = 0]) => part << 6),
});
/** Job 1 holds 8 devices, from 10 on 6, from 20 on 8 again, of which the last two rectangles are open; job 2 a half of one. */
const source = {
  chunks: [
    {
      fromMs: 0,
      toMs: 15,
      rects: rectsOf([
        [1, 0, 10, 2],
        [2, 0, 12, 1, 500],
      ]),
    },
    { fromMs: 15, toMs: 30, rects: rectsOf([[3, 2, 20, 4]]) },
  ],
  open: {
    rects: rectsOf([
      [1, 0, Number.POSITIVE_INFINITY, 6],
      [1, 20, Number.POSITIVE_INFINITY, 2],
    ]),
  },
} as unknown as Parameters<typeof heldDevices>[0];
const held = (...args: readonly [number, number, number?]) => {
  const size = heldDevices(source, ...args);
  return size && sizeText(size);
};

test("an elastic job is told by what it holds then, not by what it asks for", () => {
  expect(held(1, 5)).toBe("8");
  expect(held(1, 10)).toBe("6");
  expect(held(1, 19, 20)).toBe("6");
  expect(held(1, 5, 25)).toBe("6–8");
  expect(held(1, 25)).toBe("8");
  expect(held(3, 20)).toBe(null);
});

test("parts of devices are no whole number", () => {
  expect(held(2, 5)).toBe(null);
});

test("what is held stands beside what is asked for where they differ", () => {
  const words = (least: number, most: number) =>
    heldWords({ least, most }, 64, "GPU").replaceAll("\u00a0", " ");
  expect(words(64, 64)).toBe("64 GPUs");
  expect(words(48, 48)).toBe("48 of 64 GPUs");
  expect(words(48, 64)).toBe("48–64 of 64 GPUs");
  expect(words(72, 72)).toBe("72 GPUs, asked for 64");
  expect(words(48, 72)).toBe("48–72 GPUs, asked for 64");
  expect(heldWords(null, 1, "GPU").replaceAll("\u00a0", " ")).toBe("1 GPU");
});
