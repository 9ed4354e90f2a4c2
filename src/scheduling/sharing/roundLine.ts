/**
 * The line of a round: jobs with their keys; the smaller key stands before, ties by submit time and job index. It is sorted only from its end, as far as it must be:
 * the places of those that stand before enough others do not matter. A heap of which the greatest are taken, each put behind the rest.
 */
import type { PoolView } from "../../engine/view.ts";

export class RoundLine {
  length = 0;
  jobIdx = new Int32Array(64);
  key = new Float64Array(64);
  /** A note on each, for whoever works with the line. */
  mark = new Uint8Array(64);

  clear(): void {
    this.length = 0;
  }

  push(jobIdx: number, key: number): void {
    if (this.length === this.jobIdx.length) {
      const jobs = this.jobIdx;
      const keys = this.key;
      this.jobIdx = new Int32Array(2 * this.length);
      this.key = new Float64Array(2 * this.length);
      this.jobIdx.set(jobs);
      this.key.set(keys);
      this.mark = new Uint8Array(2 * this.length);
    }
    this.jobIdx[this.length] = jobIdx;
    this.key[this.length++] = key;
  }

  /** Negative: the job at one place stands before the other. */
  compare({ jobs }: PoolView, place: number, other: number): number {
    const [jobIdx, otherIdx] = [this.jobIdx[place]!, this.jobIdx[other]!];
    const { submitMs } = jobs.at;
    return (
      this.key[place]! - this.key[other]! ||
      submitMs[jobIdx]! - submitMs[otherIdx]! ||
      jobIdx - otherIdx
    );
  }

  /**
   * Puts those last, in order, without whom the others ask for at most so many devices; the place of the first of them. O(length + these × log length).
   */
  sortRest(view: PoolView, devices: number): number {
    const { gpuTotal } = view.jobs.at;
    let asked = 0;
    for (let at = 0; at < this.length; at++) asked += gpuTotal[this.jobIdx[at]!]!;
    let size = this.length;
    if (asked > devices) for (let at = (size >> 1) - 1; at >= 0; at--) this.#sink(view, at, size);
    while (asked > devices && size > 0) {
      asked -= gpuTotal[this.jobIdx[0]!]!;
      this.#swap(0, --size);
      this.#sink(view, 0, size);
    }
    return size;
  }

  /** Brings the greatest of a heap of this size to the top again. */
  #sink(view: PoolView, from: number, size: number): void {
    let at = from;
    for (let below = 2 * at + 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && this.compare(view, below, below + 1) < 0) below++;
      if (this.compare(view, at, below) >= 0) return;
      this.#swap(at, below);
      at = below;
    }
  }

  #swap(one: number, other: number): void {
    const jobIdx = this.jobIdx[one]!;
    const key = this.key[one]!;
    const mark = this.mark[one]!;
    this.jobIdx[one] = this.jobIdx[other]!;
    this.key[one] = this.key[other]!;
    this.mark[one] = this.mark[other]!;
    this.jobIdx[other] = jobIdx;
    this.key[other] = key;
    this.mark[other] = mark;
  }
}
