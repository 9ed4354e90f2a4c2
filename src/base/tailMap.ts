/**
 * A map of numbers that says the same as another one below a bound and something of its own from there on: a hundred thousand entries and one more, without a copy.
 * A tail on a tail of the same bound lies on the same head, so that chains of changes stay as quick as one.
 */
export class TailMap<V> implements ReadonlyMap<number, V> {
  readonly #head: ReadonlyMap<number, V>;
  readonly #bound: number;
  readonly #tail: ReadonlyMap<number, V>;

  /** `head` has no entry from `bound` on, `tail` none below. */
  private constructor(head: ReadonlyMap<number, V>, bound: number, tail: ReadonlyMap<number, V>) {
    this.#head = head;
    this.#bound = bound;
    this.#tail = tail;
  }

  /**
   * The entries of `known` below `bound`, and those of `tail`, which are none below. `end`: `known` has no entry from there on. O(end − bound); O(entries) once where
   * `known` is no such map and has entries from the bound on.
   */
  static over<V>(
    known: ReadonlyMap<number, V>,
    bound: number,
    end: number,
    tail: ReadonlyMap<number, V>,
  ): ReadonlyMap<number, V> {
    const head = TailMap.#headOf(known, bound, end);
    return tail.size === 0 ? head : new TailMap(head, bound, tail);
  }

  static #headOf<V>(
    known: ReadonlyMap<number, V>,
    bound: number,
    end: number,
  ): ReadonlyMap<number, V> {
    if (known instanceof TailMap && known.#bound === bound) return known.#head;
    for (let key = bound; key < end; key++)
      if (known.has(key)) return new Map([...known].filter(([each]) => each < bound));
    return known;
  }

  get size(): number {
    return this.#head.size + this.#tail.size;
  }

  get(key: number): V | undefined {
    return key < this.#bound ? this.#head.get(key) : this.#tail.get(key);
  }

  has(key: number): boolean {
    return key < this.#bound ? this.#head.has(key) : this.#tail.has(key);
  }

  forEach(visit: (value: V, key: number, map: ReadonlyMap<number, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  *entries(): MapIterator<[number, V]> {
    yield* this.#head.entries();
    yield* this.#tail.entries();
  }

  *keys(): MapIterator<number> {
    yield* this.#head.keys();
    yield* this.#tail.keys();
  }

  *values(): MapIterator<V> {
    yield* this.#head.values();
    yield* this.#tail.values();
  }

  [Symbol.iterator](): MapIterator<[number, V]> {
    return this.entries();
  }
}
