import { expect, test } from "vitest";
import { migStarts } from "../../src/model/mig.ts";

test("a 3g slice starts at the first or the fifth eighth of an A100, media extensions or not", () => {
  expect(migStarts("A100-SXM4-80GB", 80 * 1024, "3g.40gb")).toEqual([0, 4]);
  expect(migStarts("NVIDIA A100", 80 * 1024, "1g.10gb+me")).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("a profile that no table has is not known, even one named like a property of every object", () => {
  for (const profile of ["5g.60gb", "constructor", "toString", "__proto__"])
    expect(migStarts("A100", 80 * 1024, profile)).toBeNull();
});
