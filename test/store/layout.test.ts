import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeLayout, encodeLayout, PARTS, type SizedPart } from "../../src/store/layout.ts";

const size = (part: SizedPart) => fc.integer({ min: PARTS[part].leastPx, max: PARTS[part].mostPx });
const layout = fc.record({
  sizes: fc.record(
    { inspector: size("inspector"), queues: size("queues"), curves: size("curves") },
    { requiredKeys: [] },
  ),
  curves: fc.tuple(
    fc.constantFrom("held", "use", "waits", "team:3"),
    fc.constantFrom("waited", "demand", "fragmentation"),
  ),
});

describe("a layout in a link", () => {
  test("survives it, and is as short as what differs from the usual", () => {
    fc.assert(
      fc.property(layout, (one) => {
        expect(decodeLayout(encodeLayout(one))).toEqual({ ...one, curves: [...one.curves] });
      }),
    );
    expect(encodeLayout({ sizes: {}, curves: ["held", "waited"] })).toBe("1");
    expect(encodeLayout({ sizes: { queues: 200 }, curves: ["use", "waited"] })).toBe("1.q5k.ause");
  });

  test("written by a stranger gives sizes that can be used and curves that exist, or none", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.string({ maxLength: 8 })).map((parts) => ["1", ...parts].join(".")),
        ),
        (text) => {
          const read = decodeLayout(text);
          for (const [part, px] of Object.entries(read?.sizes ?? {})) {
            expect(px).toBeGreaterThanOrEqual(PARTS[part as SizedPart].leastPx);
            expect(px).toBeLessThanOrEqual(PARTS[part as SizedPart].mostPx);
          }
        },
      ),
      { endOnFailure: true },
    );
    expect(decodeLayout("1.q1.izzzz.a<b>.z9")).toEqual({
      sizes: { queues: 72, inspector: 520 },
      curves: ["held", "waited"],
    });
    expect(decodeLayout("2.q5k")).toBeNull();
  });
});
