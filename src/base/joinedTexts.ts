/**
 * Texts by number, as one text and the places where each ends: what crosses between threads is one string and a few buffers instead of a hundred thousand strings, which
 * would hold up whoever receives them. Read as a map of numbers; a text is cut out when it is asked for. O(1), O(log n) where numbers are left out.
 */
import { lowerBound } from "./bisect.ts";
import type { Joined } from "./joinTexts.ts";

export class JoinedTexts implements ReadonlyMap<number, string> {
  readonly #joined: Joined;

  constructor(joined: Joined) {
    this.#joined = joined;
  }

  get size(): number {
    return this.#joined.ends.length;
  }

  get(key: number): string | undefined {
    const at = this.#placeOf(key);
    return at < 0 ? undefined : this.#textAt(at);
  }

  has(key: number): boolean {
    return this.#placeOf(key) >= 0;
  }

  forEach(visit: (text: string, key: number, map: ReadonlyMap<number, string>) => void): void {
    for (const [key, text] of this) visit(text, key, this);
  }

  *entries(): MapIterator<[number, string]> {
    for (let at = 0; at < this.size; at++) yield [this.#keyAt(at), this.#textAt(at)];
  }

  *keys(): MapIterator<number> {
    for (let at = 0; at < this.size; at++) yield this.#keyAt(at);
  }

  *values(): MapIterator<string> {
    for (let at = 0; at < this.size; at++) yield this.#textAt(at);
  }

  [Symbol.iterator](): MapIterator<[number, string]> {
    return this.entries();
  }

  #keyAt(at: number): number {
    return this.#joined.keys?.[at] ?? at;
  }

  #textAt(at: number): string {
    const { ends, text } = this.#joined;
    return text.slice(at === 0 ? 0 : ends[at - 1]!, ends[at]!);
  }

  #placeOf(key: number): number {
    const { keys } = this.#joined;
    if (keys === null) return Number.isInteger(key) && key >= 0 && key < this.size ? key : -1;
    const at = lowerBound(keys, key);
    return keys[at] === key ? at : -1;
  }
}
