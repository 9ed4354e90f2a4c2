import fc from "fast-check";
import { expect, test } from "vitest";
import { readClock } from "../../src/store/clockEntry.ts";
import { clockEntryText } from "../../src/store/clockEntryText.ts";

test("a time that is written into a field is read back as the same second", () => {
  const calendar = fc.constantFrom(undefined, "2026-03-02T08:00:20", "1999-12-31T23:59:59");
  fc.assert(
    fc.property(fc.nat(100 * 86_400), calendar, (second, start) => {
      const atMs = second * 1_000;
      expect(readClock(clockEntryText(atMs, start), 0, start)).toBe(atMs);
    }),
  );
});

test("seconds are written where they are not 0", () => {
  expect(clockEntryText(60_000)).toBe("Day 1 00:01");
  expect(clockEntryText(61_000)).toBe("Day 1 00:01:01");
  expect(clockEntryText(0, "2026-03-02T08:00:00")).toBe("2026-03-02 08:00");
});
