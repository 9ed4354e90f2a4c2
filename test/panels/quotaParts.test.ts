import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quotaParts, quotaScale, quotaWords } from "../../src/panels/queues/lab/quotaParts.ts";

const row = (gpusDue: number, gpusHeld: number, gpusBorrowed: number, gpusLent: number) => ({
  gpusDue,
  gpusHeld,
  gpusBorrowed,
  gpusLent,
});

describe("the bar of a quota", () => {
  test("who borrows fills the own quota and goes beyond it", () => {
    expect(quotaParts(row(32, 56, 24, 0))).toEqual([
      { kind: "own", from: 0, to: 32 },
      { kind: "borrowed", from: 32, to: 56 },
    ]);
    expect(quotaWords(row(32, 56, 24, 0))).toBe("32 of its own in use, 24 borrowed; quota 32");
  });

  test("what is lent stands at the end of the own quota; what nobody uses before it", () => {
    expect(quotaParts(row(32, 8, 0, 16))).toEqual([
      { kind: "own", from: 0, to: 8 },
      { kind: "idle", from: 8, to: 16 },
      { kind: "lent", from: 16, to: 32 },
    ]);
  });

  test("books without borrowing show what is beyond the due; without a due there is no bar", () => {
    expect(quotaParts(row(8, 12, Number.NaN, Number.NaN)).at(-1)).toEqual({
      kind: "beyond",
      from: 8,
      to: 12,
    });
    expect(quotaParts(row(Number.POSITIVE_INFINITY, 12, 0, 0))).toEqual([]);
    expect(quotaWords(row(Number.NaN, 12, 0, 0))).toBe("–");
  });

  test("parts join without gaps and end at the longest of all", () => {
    const number = fc.nat(512);
    fc.assert(
      fc.property(number, number, number, number, (due, held, borrowed, lent) => {
        const given = row(due, held, Math.min(borrowed, held), lent);
        let at = 0;
        for (const { from, to } of quotaParts(given)) {
          expect(from).toBe(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(quotaScale([given])).toBeGreaterThanOrEqual(at);
      }),
    );
  });
});
