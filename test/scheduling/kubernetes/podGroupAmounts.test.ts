/** Sums of parts of devices: what is added and taken away again leaves nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addAmounts, noAmounts } from "../../../src/scheduling/kubernetes/podGroups/amounts.ts";

test("parts of devices that all leave, in whatever order, leave a queue with nothing at all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1 }), (shares) => {
      const held = noAmounts();
      for (const share of shares) addAmounts(held, [share / 1_000, 500, 64]);
      for (const share of [...shares].sort()) addAmounts(held, [share / 1_000, 500, 64], -1);
      expect(held).toEqual([0, 0, 0]);
    }),
    { endOnFailure: true },
  );
});
