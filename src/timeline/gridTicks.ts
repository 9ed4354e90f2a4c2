/**
 * Where the hairlines of the time grid stand: at the shortest round step that leaves room for a label. Up to two weeks steps
 * are counted from midnight; above, a run with a calendar goes by the first of a month, one without by round numbers of days.
 */
import { civilOfDay, dayOfCivil } from "../base/civilDate.ts";
import { type PixelScale, timeMsOfPixel, xDevOf } from "./pixelScale.ts";

const STEPS_MS = [
  1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000,
  21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000,
  7_776_000_000, 31_536_000_000, 157_680_000_000,
];
const STEPS_MONTHS = [1, 3, 6, 12, 60, 120];
const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
const LONGEST_COUNTED_MS = 14 * DAY_MS;
const LABEL_ROOM_CSS = 62;

export interface Ticks {
  /** Step between two ticks; of months, as if each had 30 days. */
  readonly stepMs: number;
  readonly atMs: readonly number[];
  readonly x: readonly number[];
  readonly day: readonly boolean[];
}

/** The least step of the grid that axis and Gantt share, ms. */
export function leastTickMs(scale: PixelScale, ratio: number): number {
  return (LABEL_ROOM_CSS * ratio) / scale.pxPerMs;
}

/**
 * Ticks on pixels `from` … `to`, at least `leastMs` apart where steps allow. `zeroMs` is the calendar's time at simulated time 0
 * (`calendarZeroMs`), null for a run that counts days. O(ticks).
 */
export function gridTicks(
  scale: PixelScale,
  from: number,
  to: number,
  leastMs: number,
  zeroMs: number | null,
): Ticks {
  const fromMs = timeMsOfPixel(from - 2, scale);
  const toMs = timeMsOfPixel(to + 1, scale);
  const byMonth = zeroMs !== null && leastMs > LONGEST_COUNTED_MS;
  const months = STEPS_MONTHS.find((step) => step * MONTH_MS >= leastMs) ?? STEPS_MONTHS.at(-1)!;
  const stepMs = byMonth
    ? months * MONTH_MS
    : (STEPS_MS.find((step) => step >= leastMs) ?? STEPS_MS.at(-1)!);
  const ofDayMs = (zeroMs ?? 0) % DAY_MS;
  const atMs = byMonth
    ? firstsOfMonths(fromMs, toMs, months, zeroMs)
    : multiples(fromMs, toMs, stepMs, ofDayMs);
  return {
    stepMs,
    atMs,
    x: atMs.map((tickMs) => xDevOf(tickMs, scale)),
    day: atMs.map((tickMs) => (tickMs + ofDayMs) % DAY_MS === 0),
  };
}

function multiples(fromMs: number, toMs: number, stepMs: number, ofDayMs: number): number[] {
  const atMs: number[] = [];
  const firstMs = Math.ceil((fromMs + ofDayMs) / stepMs) * stepMs - ofDayMs;
  for (let tickMs = firstMs; tickMs <= toMs; tickMs += stepMs) atMs.push(tickMs);
  return atMs;
}

function firstsOfMonths(fromMs: number, toMs: number, step: number, zeroMs: number): number[] {
  const atMs: number[] = [];
  const first = civilOfDay(Math.floor((fromMs + zeroMs) / DAY_MS));
  let month = Math.floor((first.year * 12 + first.month - 1) / step) * step;
  for (;;) {
    const day = dayOfCivil({ year: Math.floor(month / 12), month: (month % 12) + 1, day: 1 });
    const tickMs = day * DAY_MS - zeroMs;
    if (tickMs > toMs) return atMs;
    if (tickMs >= fromMs) atMs.push(tickMs);
    month += step;
  }
}
