/**
 * The open nodes of one pool by number of wholly free devices: a bit set over nodes for each count that has ever occurred,
 * all in one array, so that one node of 65,536 processors and 16,384 nodes of 8 GPUs both cost little.
 * Closed nodes are in none of the sets.
 */
import { clearBits, nextSet, setBits, wordsFor } from "../base/bits.ts";
import type { FreeIndex } from "./view.ts";

export class PoolFreeIndex implements FreeIndex {
  maxFree: number;
  readonly #words: number;
  readonly #nodeCount: number;
  /** Where the bit set of a count starts in `#bits`; −1 = none yet. */
  #startOf: Int32Array;
  #counts: Int32Array;
  #bits: Int32Array;
  #used = 0;

  constructor(nodeCount: number, maxFree: number) {
    this.maxFree = maxFree;
    this.#nodeCount = nodeCount;
    this.#words = Math.max(1, wordsFor(nodeCount));
    this.#startOf = new Int32Array(maxFree + 1).fill(-1);
    this.#counts = new Int32Array(maxFree + 1);
    this.#bits = new Int32Array(this.#words * Math.min(maxFree + 1, 16));
  }

  countWith(free: number): number {
    return free >= 0 && free <= this.maxFree ? this.#counts[free]! : 0;
  }

  nextNode(free: number, after: number): number {
    if (this.countWith(free) === 0) return -1;
    const start = this.#startOf[free]! << 5;
    const end = start + this.#nodeCount;
    const bit = nextSet(this.#bits, start + after + 1, end);
    return bit === end ? -1 : bit - start;
  }

  /** Makes room for nodes with more devices. */
  widen(maxFree: number): void {
    if (maxFree <= this.maxFree) return;
    const startOf = new Int32Array(maxFree + 1).fill(-1);
    const counts = new Int32Array(maxFree + 1);
    startOf.set(this.#startOf);
    counts.set(this.#counts);
    this.#startOf = startOf;
    this.#counts = counts;
    this.maxFree = maxFree;
  }

  add(node: number, free: number): void {
    if (this.#startOf[free]! < 0) this.#open(free);
    const bit = (this.#startOf[free]! << 5) + node;
    setBits(this.#bits, bit, bit + 1);
    this.#counts[free] = this.#counts[free]! + 1;
  }

  remove(node: number, free: number): void {
    const bit = (this.#startOf[free]! << 5) + node;
    clearBits(this.#bits, bit, bit + 1);
    this.#counts[free] = this.#counts[free]! - 1;
  }

  #open(free: number): void {
    if (this.#used + this.#words > this.#bits.length) {
      const grown = new Int32Array(this.#bits.length * 2);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#startOf[free] = this.#used;
    this.#used += this.#words;
  }
}
