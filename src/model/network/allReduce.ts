/**
 * Time of one collective among n members by the alpha-beta model: a message of s bytes takes α + s/B, B in ONE direction. Ring: 2(n−1) steps of S/n
 * bytes. Tree (double binary, pipelined): the sum goes up and comes down ⌈log2 n⌉ levels, all bytes both ways. Recursive doubling: all bytes at each of
 * ⌈log2 n⌉ levels. Hierarchical: reduce-scatter inside each group, all-reduce of the parts between the groups, all-gather inside.
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH" (2005); NCCL's double binary trees (2019);
 * factors of bus bandwidth: nccl-tests, PERFORMANCE.md. Seconds, bytes, bytes per second; one member needs no time. O(1) or O(log n).
 */

/** A class of links: bandwidth in one direction (bytes/s) and latency of a message (s). */
export interface Link {
  readonly bytesPerS: number;
  readonly alphaS: number;
}

export function ringS(members: number, bytes: number, { bytesPerS, alphaS }: Link): number {
  if (members < 2) return 0;
  return 2 * (members - 1) * alphaS + ((2 * (members - 1)) / members) * (bytes / bytesPerS);
}

export function treeS(members: number, bytes: number, { bytesPerS, alphaS }: Link): number {
  if (members < 2) return 0;
  return 2 * levels(members) * alphaS + 2 * (bytes / bytesPerS);
}

export function recursiveDoublingS(
  members: number,
  bytes: number,
  { bytesPerS, alphaS }: Link,
): number {
  return levels(members) * (alphaS + bytes / bytesPerS);
}

/** Reduce-scatter or all-gather by a ring: half of an all-reduce. */
function halfRingS(members: number, bytes: number, link: Link): number {
  return ringS(members, bytes, link) / 2;
}

/** `groups` groups of `each` members; between groups all bytes of a group go over `cards` links of `between` side by side. */
export function hierarchicalS(
  groups: number,
  each: number,
  bytes: number,
  inside: Link,
  between: Link,
  cards: number,
  acrossS: (members: number, bytes: number, link: Link) => number = ringS,
): number {
  return 2 * halfRingS(each, bytes, inside) + acrossS(groups, bytes / cards, between);
}

const BUS_FACTORS = {
  allReduce: (n: number) => (2 * (n - 1)) / n,
  allReduceInNetwork: (n: number) => (n - 1) / (n + 1),
  reduceScatter: (n: number) => (n - 1) / n,
  allGather: (n: number) => (n - 1) / n,
  broadcast: () => 1,
  reduce: () => 1,
  allToAll: (n: number) => (n - 1) / n,
} as const;

/** Bus bandwidth ÷ algorithm bandwidth (bytes ÷ time) of a collective: what makes it comparable with the links. */
export function busFactor(collective: keyof typeof BUS_FACTORS, members: number): number {
  return BUS_FACTORS[collective](members);
}

/** ⌈log2 n⌉ */
function levels(members: number): number {
  let count = 0;
  for (let reached = 1; reached < members; reached *= 2) count++;
  return count;
}
