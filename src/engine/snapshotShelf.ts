/**
 * The snapshots of a simulation, in order of time, within a budget of bytes and number. When it is exceeded, the one goes that
 * is missed least: so a seek or an edit anywhere in the past replays about the same number of events.
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

  /** A snapshot that alone exceeds the budget is not kept: going back then starts further back. */
  add(snapshot: Snapshot, chunks: number): void {
    if (snapshot.bytes > BYTES_MOST) return;
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

  /** Drops the one whose neighbours are fewest events apart, never the first or the newest (unless only two are left). */
  #thin(): void {
    const shelved = this.#shelved;
    let least = Number.POSITIVE_INFINITY;
    let dropped = 0;
    for (let i = 1; i < shelved.length - 1; i++) {
      const gap = shelved[i + 1]!.snapshot.eventCount - shelved[i - 1]!.snapshot.eventCount;
      if (gap >= least) continue;
      least = gap;
      dropped = i;
    }
    this.#keep(shelved.filter((_, i) => i !== dropped));
  }

  #keep(shelved: Shelved[]): void {
    this.#shelved = shelved;
    this.#bytes = shelved.reduce((sum, entry) => sum + entry.snapshot.bytes, 0);
  }
}
