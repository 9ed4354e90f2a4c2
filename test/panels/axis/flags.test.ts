import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flagMs, showFlagAt, snapped } from "../../../src/panels/axis/flagMove.ts";
import { labelCentre } from "../../../src/panels/axis/labelPlace.ts";

const HOUR = 3_600_000;

describe("a flag on its way", () => {
  test("stands where it is shown, and back where its change is when it is let go", () => {
    const change = { kind: "cancel", atMs: 500, job: "a" } as const;
    showFlagAt({ index: 1, atMs: 900 });
    expect(flagMs(change, 1)).toBe(900);
    expect(flagMs(change, 0)).toBe(500);
    showFlagAt(null);
    expect(flagMs(change, 1)).toBe(500);
  });

  test("snaps to the minutes of the calendar, whatever second the run starts at", () => {
    expect(snapped(61_000, HOUR, 10 * HOUR, undefined)).toBe(60_000);
    expect(snapped(61_000, HOUR, 10 * HOUR, "2026-03-02T08:00:20")).toBe(40_000);
  });

  test("snaps to seconds where the window is short", () => {
    expect(snapped(61_400, 60_000, HOUR, undefined)).toBe(61_000);
  });

  test("stays inside the run", () => {
    expect(snapped(-5_000, HOUR, HOUR, undefined)).toBe(0);
    expect(snapped(2 * HOUR, HOUR, HOUR, undefined)).toBe(HOUR);
  });
});

describe("the cursor's label", () => {
  test("stands above the cursor where no flag does, and inside the axis", () => {
    expect(labelCentre(300, 50, 800, [[10, 25]])).toBe(300);
    expect(labelCentre(5, 50, 800, [])).toBe(50);
    expect(labelCentre(799, 50, 800, [])).toBe(750);
  });

  test("goes to the right of the flag that ends at the cursor, where a change was just made", () => {
    expect(labelCentre(300, 50, 800, [[283, 301]])).toBe(351);
  });

  test("goes to the left where the axis ends at the right", () => {
    expect(labelCentre(780, 50, 800, [[763, 781]])).toBe(713);
  });

  test("covers no flag, or stands in the middle", () => {
    const flag = fc.integer({ min: 0, max: 900 }).map((x) => [x, x + 18] as const);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.array(flag), (x, flags) => {
        const at = labelCentre(x, 40, 900, flags);
        const middle = Math.min(Math.max(x, 40), 860);
        const covers = flags.some(([from, to]) => to > at - 40 && from < at + 40);
        expect(at === middle || !covers).toBe(true);
        expect(Math.abs(at - x)).toBeLessThanOrEqual(Math.max(58, Math.abs(middle - x)));
      }),
    );
  });
});
