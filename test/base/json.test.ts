import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { sameJson } from "../../src/base/json.ts";
import { stableText } from "../../src/scenario/canonical.ts";

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

test("two values are the same JSON exactly where their sorted texts are", () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(sameJson(a, b)).toBe(stableText(a) === stableText(b));
      expect(sameJson(a, structuredClone(a))).toBe(true);
    }),
  );
});

test("the order of keys and keys without a value make no difference, prototypes do not stand in", () => {
  expect(sameJson({ a: 1, b: [{}] }, { b: [{}], a: 1, c: undefined })).toBe(true);
  expect(sameJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(sameJson({ toString: 1 }, {})).toBe(false);
  expect(sameJson([1], { 0: 1 })).toBe(false);
});
