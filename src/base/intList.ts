/**
 * A growing list of integers in one typed array, reused between passes: `at[0 … length−1]` is the content. `at` is replaced
 * when the list grows, so hold the list, not the array.
 */
export class IntList {
  length = 0;
  at: Int32Array<ArrayBuffer>;

  constructor(capacity = 16) {
    this.at = new Int32Array(Math.max(1, capacity));
  }

  /** Amortised O(1). */
  push(value: number): void {
    if (this.length === this.at.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.at);
      this.at = grown;
    }
    this.at[this.length++] = value;
  }

  clear(): void {
    this.length = 0;
  }

  /** Removes the first entry with this value, keeping the order of the others; false if there is none. O(length). */
  remove(value: number): boolean {
    const row = this.at.subarray(0, this.length).indexOf(value);
    if (row < 0) return false;
    this.at.copyWithin(row, row + 1, this.length);
    this.length--;
    return true;
  }

  sort(): void {
    this.at.subarray(0, this.length).sort();
  }

  copy(): Int32Array<ArrayBuffer> {
    return this.at.slice(0, this.length);
  }

  restore(values: Int32Array): void {
    this.length = 0;
    for (let i = 0; i < values.length; i++) this.push(values[i]!);
  }
}
