import { expect, test } from "vitest";
import { readClock } from "../../src/store/clockEntry.ts";

const HOUR = 3_600_000;
const now = 43 * HOUR;

test.each([
  ["Day 2 19:10:00", 43 * HOUR + 600_000],
  ["2 19:10", 43 * HOUR + 600_000],
  ["20:00", 44 * HOUR],
  ["+2h", 45 * HOUR],
  ["−30m", 42.5 * HOUR],
  ["1d 2h", 26 * HOUR],
  ["90m", 1.5 * HOUR],
])("%s typed at day 2, 19:00 is a time of the run", (text, expected) => {
  expect(readClock(text, now)).toBe(expected);
});

test.each(["", "soon", "25:99", "day two", "2026-03-14 10:00", "1:2:3:4"])(
  "%j is no time",
  (text) => {
    expect(readClock(text, now)).toBeNull();
  },
);

test("with a calendar, dates and times of day are those of the calendar", () => {
  const start = "2026-03-14T06:00:00";
  expect(readClock("2026-03-15 06:00", 0, start)).toBe(24 * HOUR);
  expect(readClock("07:30", 0, start)).toBe(1.5 * HOUR);
  expect(readClock("2026-03-14 05:00", 0, start)).toBeNull();
  expect(readClock("2026-04-31 05:00", 0, start)).toBeNull();
});
