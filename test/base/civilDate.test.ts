import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarZeroMs, civilOfDay, dayOfCivil, readCivil } from "../../src/base/civilDate.ts";

const DAY_MS = 86_400_000;

test("days and dates agree with the platform's calendar, leap centuries and times before 1970 included", () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (dayNumber) => {
      const date = new Date(dayNumber * DAY_MS);
      const civil = {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      };
      expect(civilOfDay(dayNumber)).toEqual(civil);
      expect(dayOfCivil(civil)).toBe(dayNumber);
    }),
  );
  for (const [year, month, day] of [
    [2000, 2, 29],
    [1900, 3, 1],
    [2100, 2, 28],
    [1970, 1, 1],
  ] as const) {
    const dayNumber = Date.UTC(year, month - 1, day) / DAY_MS;
    expect(civilOfDay(dayNumber)).toEqual({ year, month, day });
    expect(dayOfCivil({ year, month, day })).toBe(dayNumber);
  }
});

test("a calendar text is a day since 1970 and a time of day", () => {
  expect(readCivil("1970-01-02T01:02:03")).toEqual({
    year: 1970,
    month: 1,
    day: 2,
    dayNumber: 1,
    ofDayMs: 3_723_000,
  });
  expect(readCivil("2024-02-29T23:59:59")?.dayNumber).toBe(Date.UTC(2024, 1, 29) / DAY_MS);
});

test.each([
  "2026-02-30T00:00:00",
  "2023-02-29T00:00:00",
  "2026-13-01T00:00:00",
  "2026-00-10T00:00:00",
  "2026-01-00T00:00:00",
  "2026-01-01T24:00:00",
  "2026-01-01T00:60:00",
  "2026-01-01T00:00:60",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
])("%s is no moment of the calendar", (text) => {
  expect(readCivil(text)).toBeNull();
});

test("a run without a calendar begins at midnight", () => {
  expect(calendarZeroMs(undefined)).toBe(null);
  expect(calendarZeroMs("1970-01-02T06:30:15")).toBe(86_400_000 + 23_415_000);
});
