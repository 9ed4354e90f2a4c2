import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { stableText } from "../../src/scenario/canonical.ts";
import { diff, patch } from "../../src/scenario/jsonDiff.ts";

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe("patch(a, diff(a, b)) is b", () => {
  test("for any two values", () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        const patched = patch(from, JSON.parse(JSON.stringify(diff(from, to))));
        expect(patched.ok && stableText(patched.value)).toBe(stableText(to));
      }),
    );
  });

  test("for lists that share most entries", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3)),
        fc.array(fc.nat(3)),
        fc.array(fc.nat(3)),
        (head, middle, tail) => {
          const from = [...head, ...tail];
          const to = [...head, ...middle, ...tail];
          const patched = patch(from, diff(from, to) as Json);
          expect(patched).toEqual({ ok: true, value: to });
        },
      ),
    );
  });

  test("for a key called __proto__", () => {
    const to = JSON.parse('{"a":{"__proto__":{"b":1}}}') as Json;
    const patched = patch({ a: {} }, diff({ a: {} }, to) as Json);
    expect(patched.ok && stableText(patched.value)).toBe(stableText(to));
    expect(({} as { b?: number }).b).toBeUndefined();
  });
});

test("equal values differ in nothing", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(diff(value, structuredClone(value))).toEqual([]);
    }),
  );
});

test("one entry appended to a long list is one short edit", () => {
  const from = Array.from({ length: 1_000 }, (_, i) => ({ id: i }));
  const edits = diff({ list: from }, { list: [...from, { id: 1_000 }] });
  expect(edits).toEqual([[["list"], 1_000, 0, [{ id: 1_000 }]]]);
});

describe("edits from outside are refused, never thrown", () => {
  test("anything at all", () => {
    fc.assert(fc.property(json, json, (base, edits) => void patch(base, edits)));
  });

  test.each([
    ["no list", 3],
    ["a path into nothing", [[["x", "y"], 1]]],
    ["a stretch outside the list", [[["list"], 5, 1, []]]],
    ["an index that is no number", [[["list", "0"], 1]]],
    ["an edit of three parts", [[["list"], 1, 1]]],
    ["a removal of the root", [[[]]]],
    ["a path without end", [[Array.from({ length: 100_000 }, () => "a"), 1]]],
  ])("%s", (_title, edits) => {
    expect(patch({ list: [1, 2] }, edits as Json).ok).toBe(false);
  });
});
