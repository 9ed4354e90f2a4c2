/**
 * Events whose time is known ahead: ends of runs, phases and graces, transfers over a shared filesystem, members that have started up, nodes and devices that are
 * ready, begin times, times after a start that others wait for, wake-ups of schedulers. Arrivals and changes
 * are sorted lists and never enter the heap. At one instant events go by class, then by the order in which they were pushed.
 */
import { type HeapColumns, TimeHeap } from "../base/heap.ts";

export const EventClass = {
  end: 0,
  link: 1,
  ready: 2,
  node: 3,
  device: 4,
  begin: 5,
  dependency: 6,
  wake: 7,
} as const;
/** Class of an event in its `order`: what is left of it is the number of its push. */
export const CLASS_STEP = 2 ** 48;

export interface EventsCopy {
  readonly heap: HeapColumns;
  readonly sequence: number;
}

export class EventQueue {
  readonly #heap = new TimeHeap();
  #sequence = 0;

  push(atMs: number, eventClass: number, subject: number, version: number): void {
    this.#heap.push(atMs, eventClass * CLASS_STEP + this.#sequence++, subject, version);
  }

  get size(): number {
    return this.#heap.size;
  }

  /** `Infinity` when empty. */
  get nextMs(): number {
    return this.#heap.size === 0 ? Number.POSITIVE_INFINITY : this.#heap.timeMs[0]!;
  }

  get nextClass(): number {
    return Math.floor(this.#heap.order[0]! / CLASS_STEP);
  }

  get nextSubject(): number {
    return this.#heap.subject[0]!;
  }

  get nextVersion(): number {
    return this.#heap.version[0]!;
  }

  pop(): void {
    this.#heap.pop();
  }

  /** Drops void events. O(size). */
  compact(alive: (eventClass: number, subject: number, version: number) => boolean): void {
    this.#heap.filter((subject, version, order) =>
      alive(Math.floor(order / CLASS_STEP), subject, version),
    );
  }

  /** Gives the subjects of end events their new numbers; their order does not change. O(size). */
  renumberEnds(moved: Int32Array): void {
    const { order, subject } = this.#heap;
    for (let i = 0; i < this.#heap.size; i++) {
      if (order[i]! < CLASS_STEP) subject[i] = moved[subject[i]!]!;
    }
  }

  copy(): EventsCopy {
    return { heap: this.#heap.copy(), sequence: this.#sequence };
  }

  restore(copy: EventsCopy): void {
    this.#heap.restore(copy.heap);
    this.#sequence = copy.sequence;
  }
}
