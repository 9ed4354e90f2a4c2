import fc from "fast-check";
import { expect, test } from "vitest";
import { allSet, clearBits, nextClear, nextSet, setBits, wordsFor } from "../../src/base/bits.ts";

const SIZE = 150;
const range = fc
  .tuple(fc.nat(SIZE), fc.nat(SIZE))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const edits = fc.array(fc.tuple(fc.boolean(), range), { maxLength: 12 });

test("ranges of bits behave as an array of booleans does", () => {
  fc.assert(
    fc.property(edits, range, (list, [from, to]) => {
      const words = new Int32Array(wordsFor(SIZE));
      const plain = new Array<boolean>(SIZE).fill(false);
      for (const [on, [first, end]] of list) {
        (on ? setBits : clearBits)(words, first, end);
        plain.fill(on, first, end);
      }
      const seek = (wanted: boolean) => {
        const at = plain.indexOf(wanted, from);
        return at < 0 || at > to ? to : at;
      };
      expect(nextSet(words, from, to)).toBe(seek(true));
      expect(nextClear(words, from, to)).toBe(seek(false));
      expect(allSet(words, from, to)).toBe(plain.slice(from, to).every(Boolean));
    }),
  );
});
