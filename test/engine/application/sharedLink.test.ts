import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedLink } from "../../../src/engine/application/sharedLink.ts";
import { SPEED_ONE } from "../../../src/model/units.ts";

/** Ends of transfers by the textbook: step by step, everybody gets an equal part. */
function fluid(transfers: readonly { atMs: number; sizeMs: number }[]): number[] {
  const left = transfers.map(({ sizeMs }) => sizeMs);
  const ends = transfers.map(() => Number.NaN);
  let nowMs = 0;
  for (;;) {
    const active = transfers.flatMap(({ atMs }, i) =>
      atMs <= nowMs && Number.isNaN(ends[i]!) ? [i] : [],
    );
    const arrivals = transfers.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs);
    const nextMs = Math.min(...arrivals);
    if (active.length === 0 && arrivals.length === 0) return ends;
    const endMs = nowMs + Math.min(...active.map((i) => left[i]!)) * Math.max(1, active.length);
    const toMs = Math.min(nextMs, endMs);
    for (const i of active) {
      left[i] = left[i]! - (toMs - nowMs) / active.length;
      if (left[i]! <= 1e-6) ends[i] = toMs;
    }
    nowMs = toMs;
  }
}

describe("a bandwidth that is shared evenly", () => {
  test("ends each transfer less than a millisecond late for each that shares it", () => {
    const transfer = fc.record({
      atMs: fc.integer({ min: 0, max: 5_000 }),
      sizeMs: fc.integer({ min: 1, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(transfer, { minLength: 1, maxLength: 12 }), (transfers) => {
        const link = new SharedLink();
        const ends = transfers.map(() => Number.NaN);
        const arrivals = [...new Set(transfers.map(({ atMs }) => atMs))].sort((a, b) => a - b);
        for (;;) {
          const nowMs = Math.min(link.nextMs, arrivals[0] ?? Number.POSITIVE_INFINITY);
          if (nowMs === Number.POSITIVE_INFINITY) break;
          for (let done = link.takeOver(nowMs); done >= 0; done = link.takeOver(nowMs))
            ends[done] = nowMs;
          if (arrivals[0] !== nowMs) continue;
          arrivals.shift();
          transfers.forEach(({ atMs, sizeMs }, i) => {
            if (atMs === nowMs) link.join(i, sizeMs * SPEED_ONE, nowMs);
          });
        }
        const ideal = fluid(transfers);
        ends.forEach((endMs, i) => {
          expect(endMs).toBeGreaterThanOrEqual(ideal[i]! - 1e-6);
          expect(endMs).toBeLessThan(ideal[i]! + transfers.length);
        });
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  test("is never asked to look into the past when a transfer joins at the end of another", () => {
    const link = new SharedLink();
    link.join(0, 3 * SPEED_ONE + 1, 0);
    expect(link.nextMs).toBe(4);
    link.join(1, SPEED_ONE, 4);
    expect(link.nextMs).toBe(4);
    expect(link.takeOver(4)).toBe(0);
  });
});
