/**
 * The newest reason for waiting and the newest promise of every job at a time, for tables. It reads the decision log forward and
 * keeps its place, so that moving the cursor on costs what was decided in between; moving back starts again.
 */
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";

export class LatestReasons {
  readonly reason: Uint8Array;
  /** Promised start; `Infinity` where none was made. */
  readonly plannedMs: Float64Array;
  #chunks: readonly Chunk[] = [];
  #chunkIdx = 0;
  #row = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(jobs: number) {
    this.reason = new Uint8Array(jobs);
    this.plannedMs = new Float64Array(jobs).fill(Number.POSITIVE_INFINITY);
  }

  /** Goes to `atMs` (decisions at that time included). O(decisions passed). */
  moveTo(chunks: readonly Chunk[], atMs: number): void {
    const sameSoFar = this.#chunks.every(
      (chunk, index) => index > this.#chunkIdx || chunks[index] === chunk,
    );
    if (atMs < this.#atMs || !sameSoFar) this.#restart();
    this.#chunks = chunks;
    this.#atMs = atMs;
    while (this.#chunkIdx < chunks.length) {
      const chunk = chunks[this.#chunkIdx]!;
      this.#read(chunk, atMs);
      if (this.#row < chunk.decisions.atMs.length || this.#chunkIdx === chunks.length - 1) return;
      this.#chunkIdx++;
      this.#row = 0;
    }
  }

  #restart(): void {
    this.reason.fill(0);
    this.plannedMs.fill(Number.POSITIVE_INFINITY);
    this.#chunkIdx = 0;
    this.#row = 0;
  }

  #read(chunk: Chunk, atMs: number): void {
    const { atMs: times, kind, reason, jobIdx, value } = chunk.decisions;
    const wait = DecisionKindCode.wait;
    const plan = DecisionKindCode.plan;
    let row = this.#row;
    for (; row < times.length && times[row]! <= atMs; row++) {
      if (kind[row] === wait) this.reason[jobIdx[row]!] = reason[row]!;
      else if (kind[row] === plan) this.plannedMs[jobIdx[row]!] = value[row]!;
    }
    this.#row = row;
  }
}
