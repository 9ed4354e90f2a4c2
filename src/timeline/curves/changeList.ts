/**
 * Changes of one number, noted in any order and made into steps in order of time. They are dealt into as many buckets of time as there are some dozens of
 * them, and each bucket is sorted alone: about O(n), in slices, where one sort of a million would hold the page up. Changes are whole numbers, so what is
 * taken away leaves nothing behind.
 */
import { type Steps, stepsOf } from "./steps.ts";

const PER_BUCKET = 32;
const SLICE = 8_192;

export class ChangeList {
  #atMs = new Float64Array(256);
  #by = new Float64Array(256);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  /** From `atMs` on the number is `by` more. */
  add(atMs: number, by: number): void {
    if (this.#count === this.#atMs.length) {
      this.#atMs = doubled(this.#atMs);
      this.#by = doubled(this.#by);
    }
    this.#atMs[this.#count] = atMs;
    this.#by[this.#count++] = by;
  }

  /** A number that is `by` more from `fromMs` to `toMs`. */
  span(fromMs: number, toMs: number, by: number): void {
    if (toMs <= fromMs || by === 0) return;
    this.add(fromMs, by);
    this.add(toMs, -by);
  }

  /** Hears each change in order of time, those of one instant as they were noted. Yields after each slice. */
  *inOrder(hear: (atMs: number, by: number) => void): Generator<void> {
    const order = yield* this.#order();
    for (let i = 0; i < order.length; i++) {
      hear(Math.max(0, this.#atMs[order[i]!]!), this.#by[order[i]!]!);
      if (i % SLICE === SLICE - 1) yield;
    }
  }

  /** The number over time from 0 on, divided by `unit`. Yields after each slice. */
  *steps(unit: number): Generator<void, Steps> {
    const order = yield* this.#order();
    const atMs = new Float64Array(order.length + 1);
    const values = new Float64Array(order.length + 1);
    let value = 0;
    let row = 0;
    for (let i = 0; i < order.length; i++) {
      const at = Math.max(0, this.#atMs[order[i]!]!);
      value += this.#by[order[i]!]!;
      if (atMs[row] !== at) row += 1;
      atMs[row] = at;
      values[row] = value / unit;
      if (i % SLICE === SLICE - 1) yield;
    }
    return stepsOf(atMs.subarray(0, row + 1), values.subarray(0, row + 1));
  }

  *#order(): Generator<void, Uint32Array> {
    const count = this.#count;
    const at = this.#atMs;
    let most = 1;
    for (let i = 0; i < count; i++) most = Math.max(most, at[i]!);
    const buckets = Math.max(1, Math.ceil(count / PER_BUCKET));
    const bucketOf = (atMs: number) =>
      Math.min(buckets - 1, Math.floor((Math.max(0, atMs) / most) * buckets));
    const first = new Uint32Array(buckets + 1);
    for (let i = 0; i < count; i++) first[bucketOf(at[i]!) + 1]! += 1;
    yield;
    for (let bucket = 0; bucket < buckets; bucket++) first[bucket + 1]! += first[bucket]!;
    const next = first.slice();
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[next[bucketOf(at[i]!)]!++] = i;
    yield;
    let since = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const part = order.subarray(first[bucket]!, first[bucket + 1]!);
      if (part.length > 1) part.sort((a, b) => at[a]! - at[b]! || a - b);
      since += part.length;
      if (since < SLICE) continue;
      since = 0;
      yield;
    }
    return order;
  }
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}
