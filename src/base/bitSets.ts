/** Bit sets as wholes, word by word (`bits.ts` has single bits and ranges). All arguments have the same length. */
import { popCount } from "./bits.ts";

/** How many are in a set. O(words). */
export function countBits(set: Int32Array): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) {
    if (set[word] !== 0) count += popCount(set[word]!);
  }
  return count;
}

/** How many are in both sets. O(words). */
export function countBoth(one: Int32Array, other: Int32Array): number {
  let count = 0;
  for (let word = 0; word < one.length; word++) {
    const both = one[word]! & other[word]!;
    if (both !== 0) count += popCount(both);
  }
  return count;
}

/** Keeps in `set` what is in `other`. */
export function keepIn(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) set[word] = set[word]! & other[word]!;
}

/** Takes `other` out of `set`. */
export function takeOut(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) set[word] = set[word]! & ~other[word]!;
}

/** Adds `other` to `set`. */
export function addTo(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) set[word] = set[word]! | other[word]!;
}

/** Whether two sets have something in common. O(words). */
export function share(one: Int32Array, other: Int32Array): boolean {
  for (let word = 0; word < one.length; word++) if ((one[word]! & other[word]!) !== 0) return true;
  return false;
}

/** Whether all of `inner` is in `outer`. O(words). */
export function isWithin(inner: Int32Array, outer: Int32Array): boolean {
  for (let word = 0; word < inner.length; word++) {
    if ((inner[word]! & ~outer[word]!) !== 0) return false;
  }
  return true;
}

/** What is in a set, ascending. O(words + bits). */
export function listBits(set: Int32Array): Int32Array {
  const list = new Int32Array(countBits(set));
  let length = 0;
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word]!; bits !== 0; bits &= bits - 1) {
      list[length++] = (word << 5) + 31 - Math.clz32(bits & -bits);
    }
  }
  return list;
}
