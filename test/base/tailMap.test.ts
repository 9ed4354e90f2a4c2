import fc from "fast-check";
import { expect, test } from "vitest";
import { TailMap } from "../../src/base/tailMap.ts";

const entries = (min: number, max: number) =>
  fc.array(fc.tuple(fc.integer({ min, max }), fc.string()), { maxLength: 12 });

test("a tail over a map, and tails over that, say what a copy with the entries exchanged says", () => {
  fc.assert(
    fc.property(
      entries(0, 14),
      fc.array(entries(10, 19), { minLength: 1, maxLength: 3 }),
      (first, tails) => {
        let map: ReadonlyMap<number, string> = new Map(first);
        for (const tail of tails) {
          const copy = new Map([...map].filter(([key]) => key < 10));
          for (const [key, value] of tail) copy.set(key, value);
          map = TailMap.over(map, 10, 20, new Map(tail));
          expect(new Map(map)).toEqual(copy);
          expect([map.size, [...map.keys()], [...map.values()]]).toEqual([
            copy.size,
            [...copy.keys()],
            [...copy.values()],
          ]);
          const visited: [number, string][] = [];
          map.forEach((value, key) => void visited.push([key, value]));
          expect(visited).toEqual([...copy]);
          for (let key = 0; key < 20; key++)
            expect([map.get(key), map.has(key)]).toEqual([copy.get(key), copy.has(key)]);
        }
      },
    ),
    { endOnFailure: true },
  );
});

test("chains of tails lie on one head, and a chain that ends without one is the head itself", () => {
  const head = new Map([[1, "a"]]);
  const once = TailMap.over(head, 5, 5, new Map([[5, "b"]]));
  const twice = TailMap.over(once, 5, 6, new Map([[6, "c"]]));
  expect(TailMap.over(twice, 5, 7, new Map())).toBe(head);
});
