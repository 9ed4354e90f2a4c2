/**
 * The snapshots of a simulation, in order of time, within a budget of bytes and number. When it is exceeded every second one
 * goes, the first and the newest stay: so the past is covered evenly, the latest stretch most densely.
 */
import type { Snapshot } from "./snapshot.ts";

const BYTES_MOST = 64 * 1024 * 1024;
const COUNT_MOST = 256;

export interface Shelved {
  readonly snapshot: Snapshot;
  /** Chunks of the record that end at or before it. */
  readonly chunks: number;
}

export class SnapshotShelf {
  #shelved: Shelved[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#shelved.length;
  }

  add(snapshot: Snapshot, chunks: number): void {
    this.#shelved.push({ snapshot, chunks });
    this.#bytes += snapshot.bytes;
    while (
      this.#shelved.length > 1 &&
      (this.#bytes > BYTES_MOST || this.#shelved.length > COUNT_MOST)
    )
      this.#thin();
  }

  lastAtOrBefore(atMs: number): Snapshot | null {
    return this.#shelved.findLast((entry) => entry.snapshot.atMs <= atMs)?.snapshot ?? null;
  }

  /** Forgets every snapshot taken at or after `atMs`; returns the newest that is left. */
  dropFrom(atMs: number): Shelved | null {
    this.#keep(this.#shelved.filter((entry) => entry.snapshot.atMs < atMs));
    return this.#shelved.at(-1) ?? null;
  }

  #thin(): void {
    const last = this.#shelved.length - 1;
    if (last === 1) this.#keep([this.#shelved[1]!]);
    else this.#keep(this.#shelved.filter((_, i) => i % 2 === 0 || i === last));
  }

  #keep(shelved: Shelved[]): void {
    this.#shelved = shelved;
    this.#bytes = shelved.reduce((sum, entry) => sum + entry.snapshot.bytes, 0);
  }
}
