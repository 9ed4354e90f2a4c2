/** Mixes one allocation into the digest's value of a run (FNV-1a over 32-bit words). */
export function mixAllocation(
  value: number,
  device: number,
  count: number,
  part: number,
  node: number,
): number {
  let mixed = Math.imul((value ^ device) | 0, 0x01000193);
  mixed = Math.imul(mixed ^ count, 0x01000193);
  mixed = Math.imul(mixed ^ part, 0x01000193);
  return Math.imul(mixed ^ node ^ (mixed >>> 15), 0x01000193) >>> 0;
}
