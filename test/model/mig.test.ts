import { expect, test } from "vitest";
import { migStarts } from "../../src/model/mig.ts";

test("a profile that no table has is not known, even one named like a property of every object", () => {
  for (const profile of ["5g.60gb", "constructor", "toString", "__proto__"])
    expect(migStarts("A100", 80 * 1024, profile)).toBeNull();
});
