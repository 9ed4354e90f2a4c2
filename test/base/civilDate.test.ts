import fc from "fast-check";
import { expect, test } from "vitest";
import { civilOfDay, dayOfCivil } from "../../src/base/civilDate.ts";

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
