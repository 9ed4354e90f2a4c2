import { expect, test } from "vitest";
import { calendarZeroMs } from "../../src/base/civilDate.ts";
import { clockParts } from "../../src/base/format.ts";
import { gridTicks, leastTickMs } from "../../src/timeline/gridTicks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ticks of a plot 900 pixels wide that shows `spanMs` from time 0. */
function ticksOver(spanMs: number, calendar?: string) {
  const scale = { pxPerMs: 900 / spanMs, originPx: 0 };
  return gridTicks(scale, 0, 900, leastTickMs(scale, 1), calendarZeroMs(calendar));
}

test("grid lines leave room for a label and mark midnights by the calendar's time of day", () => {
  const ticks = ticksOver(DAY_MS, "2026-03-02T08:00:00");
  for (let i = 1; i < ticks.x.length; i++)
    expect(ticks.x[i]! - ticks.x[i - 1]!).toBeGreaterThanOrEqual(62);
  expect(ticks.atMs[ticks.day.indexOf(true)]).toBe(16 * HOUR_MS);
});

test("over years the lines of a calendar stand on the first of a month, at midnight", () => {
  const calendar = "1998-04-24T18:11:04";
  const ticks = ticksOver(730 * DAY_MS, calendar);
  const days = ticks.atMs.map((atMs) => clockParts(atMs, calendar));
  expect(days.length).toBeGreaterThan(5);
  for (const { day, time, seconds } of days)
    expect([/ 1 (Jan|Apr|Jul|Oct)/.test(day.replaceAll("\u00a0", " ")), time, seconds]).toEqual([
      true,
      "00:00",
      "00",
    ]);
  expect(ticks.day.every(Boolean)).toBe(true);
});

test("a run that only counts days has lines at round numbers of them", () => {
  const ticks = ticksOver(730 * DAY_MS);
  expect(ticks.atMs.slice(1, 4)).toEqual([90 * DAY_MS, 180 * DAY_MS, 270 * DAY_MS]);
});
