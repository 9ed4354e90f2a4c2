/**
 * A binary heap of timed entries in typed arrays: no object per entry, and a snapshot is a copy of four columns. Entries
 * leave in order of time, then of `order`; the caller makes `order` unique (class and sequence), so that ties never depend
 * on the shape of the heap.
 */
export interface HeapColumns {
  readonly timeMs: Float64Array<ArrayBuffer>;
  readonly order: Float64Array<ArrayBuffer>;
  readonly subject: Int32Array<ArrayBuffer>;
  readonly version: Uint32Array<ArrayBuffer>;
}

export class TimeHeap {
  size = 0;
  timeMs = new Float64Array(256);
  order = new Float64Array(256);
  subject = new Int32Array(256);
  version = new Uint32Array(256);

  /** O(log size). */
  push(timeMs: number, order: number, subject: number, version: number): void {
    if (this.size === this.timeMs.length) this.#grow();
    this.#siftUp(this.size++, timeMs, order, subject, version);
  }

  /** Removes the first entry; read it at index 0 before. O(log size). */
  pop(): void {
    const last = --this.size;
    if (last <= 0) return;
    this.#siftDown(
      0,
      this.timeMs[last]!,
      this.order[last]!,
      this.subject[last]!,
      this.version[last]!,
    );
  }

  /** Keeps the entries for which `alive` holds and restores the heap. O(size). */
  filter(alive: (subject: number, version: number, order: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.size; i++) {
      if (!alive(this.subject[i]!, this.version[i]!, this.order[i]!)) continue;
      this.#write(kept++, this.timeMs[i]!, this.order[i]!, this.subject[i]!, this.version[i]!);
    }
    this.size = kept;
    for (let i = (kept >> 1) - 1; i >= 0; i--) {
      this.#siftDown(i, this.timeMs[i]!, this.order[i]!, this.subject[i]!, this.version[i]!);
    }
  }

  copy(): HeapColumns {
    return {
      timeMs: this.timeMs.slice(0, this.size),
      order: this.order.slice(0, this.size),
      subject: this.subject.slice(0, this.size),
      version: this.version.slice(0, this.size),
    };
  }

  restore(columns: HeapColumns): void {
    this.size = 0;
    while (this.timeMs.length < columns.timeMs.length) this.#grow();
    this.size = columns.timeMs.length;
    this.timeMs.set(columns.timeMs);
    this.order.set(columns.order);
    this.subject.set(columns.subject);
    this.version.set(columns.version);
  }

  #siftUp(from: number, timeMs: number, order: number, subject: number, version: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const parentMs = this.timeMs[parent]!;
      if (parentMs < timeMs || (parentMs === timeMs && this.order[parent]! <= order)) break;
      this.#write(
        hole,
        parentMs,
        this.order[parent]!,
        this.subject[parent]!,
        this.version[parent]!,
      );
      hole = parent;
    }
    this.#write(hole, timeMs, order, subject, version);
  }

  #siftDown(from: number, timeMs: number, order: number, subject: number, version: number): void {
    const times = this.timeMs;
    const orders = this.order;
    const size = this.size;
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      const right = child + 1;
      if (
        right < size &&
        (times[right]! < times[child]! ||
          (times[right]! === times[child]! && orders[right]! < orders[child]!))
      ) {
        child = right;
      }
      const childMs = times[child]!;
      if (timeMs < childMs || (timeMs === childMs && order <= orders[child]!)) break;
      this.#write(hole, childMs, orders[child]!, this.subject[child]!, this.version[child]!);
      hole = child;
    }
    this.#write(hole, timeMs, order, subject, version);
  }

  #write(row: number, timeMs: number, order: number, subject: number, version: number): void {
    this.timeMs[row] = timeMs;
    this.order[row] = order;
    this.subject[row] = subject;
    this.version[row] = version;
  }

  #grow(): void {
    const length = this.timeMs.length * 2;
    const timeMs = new Float64Array(length);
    const order = new Float64Array(length);
    const subject = new Int32Array(length);
    const version = new Uint32Array(length);
    timeMs.set(this.timeMs);
    order.set(this.order);
    subject.set(this.subject);
    version.set(this.version);
    this.timeMs = timeMs;
    this.order = order;
    this.subject = subject;
    this.version = version;
  }
}
