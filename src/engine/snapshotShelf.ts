/**
 * The snapshots of a simulation, in order of time, within a budget of bytes and number. When it is exceeded, the one goes that
 * is missed least, measured by the gap it leaves against its age: gaps grow geometrically into the past, as edits and questions mostly
 * concern what was just seen, up to a bound that keeps the oldest times within reach.
 */
import type { Snapshot } from "./snapshot.ts";

const BYTES_MOST = 64 * 1024 * 1024;
const COUNT_MOST = 256;
/** Added to every age, as a part of the run: without it the oldest gap would be a third of the run with few snapshots. */
const AGE_LEAST = 1 / 8;

export interface Shelved {
  readonly snapshot: Snapshot;
  /** Chunks of the record that end at or before it. */
  readonly chunks: number;
}

export class SnapshotShelf {
  #shelved: Shelved[] = [];
  #bytes = 0;

  /** A shelf of its own with these. O(snapshots). */
  static of(shelved: readonly Shelved[]): SnapshotShelf {
    const shelf = new SnapshotShelf();
    shelf.#keep([...shelved]);
    return shelf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#shelved.length;
  }

  /** A snapshot that alone exceeds the budget is not kept: going back then starts further back. */
  add(snapshot: Snapshot, chunks: number): void {
    if (snapshot.bytes > BYTES_MOST) return;
    // A new list each time: the one before may be that of a run that was left.
    this.#shelved = [...this.#shelved, { snapshot, chunks }];
    this.#bytes += snapshot.bytes;
    while (
      this.#shelved.length > 1 &&
      (this.#bytes > BYTES_MOST || this.#shelved.length > COUNT_MOST)
    )
      this.#thin();
  }

  /** All of them, in order of time. */
  get all(): readonly Shelved[] {
    return this.#shelved;
  }

  lastAtOrBefore(atMs: number): Snapshot | null {
    return this.shelvedAtOrBefore(atMs)?.snapshot ?? null;
  }

  shelvedAtOrBefore(atMs: number): Shelved | null {
    return this.#shelved.findLast((entry) => entry.snapshot.atMs <= atMs) ?? null;
  }

  /** Forgets every snapshot taken at or after `atMs`; returns the newest that is left. */
  dropFrom(atMs: number): Shelved | null {
    this.#keep(this.#shelved.filter((entry) => entry.snapshot.atMs < atMs));
    return this.#shelved.at(-1) ?? null;
  }

  /**
   * Drops the one whose neighbours are fewest events apart for their age, never the first or the newest (unless only two are left).
   * With n kept of a run of E events, a time of age a has one at most about 5 (a + E/8) / n events before it.
   */
  #thin(): void {
    const shelved = this.#shelved;
    const newest = shelved.at(-1)!.snapshot.eventCount;
    let least = Number.POSITIVE_INFINITY;
    let dropped = 0;
    for (let i = 1; i < shelved.length - 1; i++) {
      const from = shelved[i - 1]!.snapshot.eventCount;
      const gap = shelved[i + 1]!.snapshot.eventCount - from;
      const missed = gap / (newest - from + newest * AGE_LEAST);
      if (missed >= least) continue;
      least = missed;
      dropped = i;
    }
    this.#keep(shelved.filter((_, i) => i !== dropped));
  }

  #keep(shelved: Shelved[]): void {
    this.#shelved = shelved;
    this.#bytes = shelved.reduce((sum, entry) => sum + entry.snapshot.bytes, 0);
  }
}
