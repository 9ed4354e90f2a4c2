/** A hash of three numbers, 32 bits (the finalizer of murmur3): a draw that depends on nothing but them, where a stream of random numbers would have to be carried along. O(1). */
export function mix32(seed: number, one: number, other: number): number {
  let hash = seed | 0;
  for (const value of [one, other]) {
    hash = Math.imul(hash ^ value, 0x9e3779b1);
    hash ^= hash >>> 16;
    hash = Math.imul(hash, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
