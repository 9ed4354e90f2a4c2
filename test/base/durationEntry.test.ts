/** Durations in forms: what is shown is read back to the same number, and what people write is understood. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationEntry, readDuration } from "../../src/base/durationEntry.ts";

const HOUR = 3_600_000;

describe("durations as typed", () => {
  test("every whole number of milliseconds comes back from its text", () => {
    fc.assert(
      fc.property(fc.integer({ min: -40 * 366 * 24 * HOUR, max: 40 * 366 * 24 * HOUR }), (ms) => {
        expect(readDuration(durationEntry(ms))).toBe(ms);
      }),
    );
  });

  test.each([
    ["15 min", 900_000],
    ["1h 30m", 1.5 * HOUR],
    ["1.5 h", 1.5 * HOUR],
    ["1,5 h", 1.5 * HOUR],
    ["2 d 4 h", 52 * HOUR],
    ["1 week", 168 * HOUR],
    ["90s", 90_000],
    ["250 ms", 250],
    ["0", 0],
    ["0 s", 0],
    ["\u221230 s", -30_000],
  ])("%s", (text, ms) => {
    expect(readDuration(text)).toBe(ms);
  });

  test.each(["", "15", "soon", "3 apples", "h", "1 h 30", "--1 s", "1e3 s"])(
    "%s is no duration: its unit would be a guess",
    (text) => {
      expect(readDuration(text)).toBeNull();
    },
  );

  test("is written in the units that a person would take", () => {
    expect(durationEntry(900_000)).toBe("15 min");
    expect(durationEntry(7 * 24 * HOUR)).toBe("7 d");
    expect(durationEntry(1.5 * HOUR)).toBe("1 h 30 min");
    expect(durationEntry(1_500)).toBe("1.5 s");
    expect(durationEntry(250)).toBe("250 ms");
    expect(durationEntry(0)).toBe("0 s");
  });
});
