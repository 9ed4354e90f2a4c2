import fc from "fast-check";
import { expect, test } from "vitest";
import {
  copyWindow,
  createWindow,
  enterUse,
  fallsTo,
  usedAt,
} from "../../../src/scheduling/quota/usageWindow.ts";

const PERIOD_MS = 50;
const runs = fc.array(
  fc.record({
    lengthMs: fc.integer({ min: 0, max: 120 }),
    gapMs: fc.integer({ min: 0, max: 30 }),
    milli: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 80 },
);

test("use within the window is what an integral over all runs gives, whenever it is asked for, copies included", () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 0, max: 200 }), (drawn, most) => {
      let window = createWindow(PERIOD_MS);
      const known: { fromMs: number; toMs: number; milli: number }[] = [];
      const naive = (atMs: number): number =>
        known.reduce(
          (sum, { fromMs, toMs, milli }) =>
            sum + milli * Math.max(0, Math.min(toMs, atMs) - Math.max(fromMs, atMs - PERIOD_MS)),
          0,
        );
      let nowMs = 130;
      for (const { lengthMs, gapMs, milli } of drawn) {
        nowMs += gapMs;
        enterUse(window, nowMs - lengthMs, nowMs, milli);
        known.push({ fromMs: nowMs - lengthMs, toMs: nowMs, milli });
        if (gapMs % 3 === 0) expect(usedAt(window, nowMs)).toBe(naive(nowMs));
        if (gapMs % 5 === 0) window = copyWindow(window);
      }
      const atMs = fallsTo(window, nowMs, most);
      expect(naive(atMs)).toBeLessThanOrEqual(most);
      if (atMs > nowMs) expect(naive(atMs - 1)).toBeGreaterThan(most);
    }),
    { endOnFailure: true },
  );
});
