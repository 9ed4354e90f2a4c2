import { expect, test } from "vitest";
import { migShapeKnown } from "../../src/model/mig.ts";

test("a profile that no table has is not known, even one named like a property of every object", () => {
  for (const profile of ["5g.60gb", "constructor", "toString", "__proto__"])
    expect(migShapeKnown("A100", 80 * 1024, profile)).toBeNull();
});
