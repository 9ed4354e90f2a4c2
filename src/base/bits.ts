/**
 * Bit sets in Int32Array words, scanned word by word. Bit `i` is bit `i & 31` of word `i >> 5`. All ranges are [from, to).
 */
export function wordsFor(bits: number): number {
  return (bits + 31) >> 5;
}

/** Whether bit `bit` is set. O(1). */
export function hasBit(words: Int32Array, bit: number): boolean {
  return (words[bit >> 5]! & (1 << (bit & 31))) !== 0;
}

/** The bits of word `word` that lie in [from, to). */
function maskOf(word: number, from: number, to: number): number {
  let mask = -1;
  if (word === from >> 5) mask &= -1 << (from & 31);
  if (word === to >> 5) mask &= (1 << (to & 31)) - 1;
  return mask;
}

/** O(words). */
export function setBits(words: Int32Array, from: number, to: number): void {
  if (from >= to) return;
  const last = (to - 1) >> 5;
  for (let word = from >> 5; word <= last; word++)
    words[word] = words[word]! | maskOf(word, from, to);
}

/** Clears the bits in [from, to). O(words). */
export function clearBits(words: Int32Array, from: number, to: number): void {
  if (from >= to) return;
  const last = (to - 1) >> 5;
  for (let word = from >> 5; word <= last; word++)
    words[word] = words[word]! & ~maskOf(word, from, to);
}

/** Whether every bit of the range is set. */
export function allSet(words: Int32Array, from: number, to: number): boolean {
  if (from >= to) return true;
  const last = (to - 1) >> 5;
  for (let word = from >> 5; word <= last; word++) {
    const mask = maskOf(word, from, to);
    if ((words[word]! & mask) !== mask) return false;
  }
  return true;
}

/** The first set bit in [from, to), or `to`. */
export function nextSet(words: Int32Array, from: number, to: number): number {
  if (from >= to) return to;
  let word = from >> 5;
  const last = (to - 1) >> 5;
  let bits = words[word]! & (-1 << (from & 31));
  while (bits === 0) {
    if (++word > last) return to;
    bits = words[word]!;
  }
  const bit = (word << 5) + 31 - Math.clz32(bits & -bits);
  return Math.min(bit, to);
}

/** The first clear bit in [from, to), or `to`. */
export function nextClear(words: Int32Array, from: number, to: number): number {
  if (from >= to) return to;
  let word = from >> 5;
  const last = (to - 1) >> 5;
  let bits = ~words[word]! & (-1 << (from & 31));
  while (bits === 0) {
    if (++word > last) return to;
    bits = ~words[word]!;
  }
  const bit = (word << 5) + 31 - Math.clz32(bits & -bits);
  return Math.min(bit, to);
}

/** Set bits of one word. */
export function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
