import fc from "fast-check";
import { expect, test } from "vitest";
import { JoinedTexts } from "../../src/base/joinedTexts.ts";
import { joinTexts } from "../../src/base/joinTexts.ts";

const dense = fc
  .array(fc.string({ maxLength: 5 }))
  .map((list) => list.map((text, key) => [key, text] as const));
const sparse = fc.array(fc.tuple(fc.nat(40), fc.string({ maxLength: 5 })), { maxLength: 20 });

test("texts that crossed as one say what they said apart", () => {
  fc.assert(
    fc.property(fc.oneof(dense, sparse), (entries) => {
      const apart = new Map(entries);
      const told = new JoinedTexts(structuredClone(joinTexts(apart)));
      const inOrder = [...apart].sort(([a], [b]) => a - b);
      expect([...told]).toEqual(inOrder);
      expect([told.size, [...told.keys()], [...told.values()]]).toEqual([
        apart.size,
        inOrder.map(([key]) => key),
        inOrder.map(([, text]) => text),
      ]);
      const visited: [number, string][] = [];
      told.forEach((text, key) => void visited.push([key, text]));
      expect(visited).toEqual(inOrder);
      for (const key of [-1, 0.5, ...Array.from({ length: 42 }, (_, i) => i)])
        expect([told.get(key), told.has(key)]).toEqual([apart.get(key), apart.has(key)]);
    }),
    { endOnFailure: true },
  );
});

test("of a hundred thousand names one string crosses, and two buffers at most", () => {
  const names = (first: number) =>
    new Map(Array.from({ length: 100_000 }, (_, i) => [first + i, `job-${i}`]));
  expect(Object.values(joinTexts(names(0))).filter((part) => part !== null)).toHaveLength(2);
  expect(Object.values(joinTexts(names(1))).filter((part) => part !== null)).toHaveLength(3);
});
