/**
 * Jobs in order of submit time: the table's own order, merged with the injected jobs behind it, which are sorted once. Equal
 * times: the table first, then by number. Nothing of this is ever in the heap.
 */
import { JobFlag, type JobTable } from "../model/jobs.ts";

export interface ArrivalsCopy {
  readonly main: number;
  readonly injected: number;
}

export class Arrivals {
  /** Submit time of the next job; `Infinity` when all have come. */
  nextMs = Number.POSITIVE_INFINITY;
  readonly #submitMs: Float64Array;
  readonly #mainCount: number;
  readonly #injected: Int32Array;
  #main = 0;
  #extra = 0;

  constructor(jobs: JobTable) {
    const { submitMs, flags } = jobs.at;
    let mainCount = jobs.count;
    while (mainCount > 0 && (flags[mainCount - 1]! & JobFlag.injected) !== 0) mainCount--;
    this.#submitMs = submitMs;
    this.#mainCount = mainCount;
    this.#injected = Int32Array.from({ length: jobs.count - mainCount }, (_, i) => mainCount + i);
    this.#injected.sort((a, b) => submitMs[a]! - submitMs[b]! || a - b);
    for (let i = 1; i < mainCount; i++) {
      if (submitMs[i]! < submitMs[i - 1]!)
        throw new Error(`Invariant broken: job ${i} is not in order of submit time`);
    }
    this.#lookAhead();
  }

  get left(): number {
    return this.#mainCount - this.#main + this.#injected.length - this.#extra;
  }

  /** The next job; call only while `nextMs` is finite. */
  take(): number {
    const mainMs =
      this.#main < this.#mainCount ? this.#submitMs[this.#main]! : Number.POSITIVE_INFINITY;
    const jobIdx = mainMs === this.nextMs ? this.#main++ : this.#injected[this.#extra++]!;
    this.#lookAhead();
    return jobIdx;
  }

  forEachArrived(visit: (jobIdx: number) => void): void {
    for (let i = 0; i < this.#main; i++) visit(i);
    for (let i = 0; i < this.#extra; i++) visit(this.#injected[i]!);
  }

  copy(): ArrivalsCopy {
    return { main: this.#main, injected: this.#extra };
  }

  restore(copy: ArrivalsCopy): void {
    this.#main = copy.main;
    this.#extra = copy.injected;
    this.#lookAhead();
  }

  #lookAhead(): void {
    const mainMs =
      this.#main < this.#mainCount ? this.#submitMs[this.#main]! : Number.POSITIVE_INFINITY;
    const extraMs =
      this.#extra < this.#injected.length
        ? this.#submitMs[this.#injected[this.#extra]!]!
        : Number.POSITIVE_INFINITY;
    this.nextMs = Math.min(mainMs, extraMs);
  }
}
