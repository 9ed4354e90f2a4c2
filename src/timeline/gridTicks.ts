/** Where the hairlines of the time grid stand: the coarsest round step that leaves room for a label, days marked. */
import { type PixelScale, timeMsOfPixel, xDevOf } from "./pixelScale.ts";

const STEPS_MS = [
  1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000,
  21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000,
  7_776_000_000, 31_536_000_000,
];
const DAY_MS = 86_400_000;
const LABEL_ROOM_CSS = 62;

export interface Ticks {
  readonly stepMs: number;
  readonly atMs: readonly number[];
  readonly x: readonly number[];
  readonly day: readonly boolean[];
}

/** Step between ticks at a scale, ms. */
function tickStepMs(pxPerMs: number, ratio: number): number {
  const leastMs = (LABEL_ROOM_CSS * ratio) / pxPerMs;
  return STEPS_MS.find((step) => step >= leastMs) ?? STEPS_MS[STEPS_MS.length - 1]!;
}

/** Ticks on pixels `from` … `to`, aligned to midnight; `ofDayMs` is the time of day at time 0. */
export function gridTicks(
  scale: PixelScale,
  from: number,
  to: number,
  ratio: number,
  ofDayMs: number,
): Ticks {
  const stepMs = tickStepMs(scale.pxPerMs, ratio);
  const atMs: number[] = [];
  const x: number[] = [];
  const day: boolean[] = [];
  const fromMs = timeMsOfPixel(from - 2, scale);
  const toMs = timeMsOfPixel(to + 1, scale);
  for (let t = Math.ceil((fromMs + ofDayMs) / stepMs) * stepMs - ofDayMs; t <= toMs; t += stepMs) {
    atMs.push(t);
    x.push(xDevOf(t, scale));
    day.push((t + ofDayMs) % DAY_MS === 0);
  }
  return { stepMs, atMs, x, day };
}
