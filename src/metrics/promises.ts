/** Promises: the first start that a scheduler planned for a job, against when it started. Kept if it started no later. O(1) a decision. */
import type { Chunk } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";

export class Promises {
  kept = 0;
  broken = 0;
  /** By job that has been promised a start and has not started yet. */
  readonly #firstMs = new Map<number, number>();
  readonly #started = new Set<number>();

  add({ atMs, kind, jobIdx, value }: Chunk["decisions"]): void {
    for (let row = 0; row < kind.length; row++) {
      const job = jobIdx[row]!;
      if (kind[row] === DecisionKindCode.plan) {
        if (!this.#firstMs.has(job) && !this.#started.has(job)) this.#firstMs.set(job, value[row]!);
      } else if (kind[row] === DecisionKindCode.start) {
        const promisedMs = this.#firstMs.get(job);
        if (promisedMs === undefined || this.#started.has(job)) continue;
        if (atMs[row]! <= promisedMs) this.kept++;
        else this.broken++;
        this.#started.add(job);
        this.#firstMs.delete(job);
      }
    }
  }

  /** Broken too: what was promised by the end of the record and has not started. O(promises). */
  brokenBy(endMs: number): number {
    let late = this.broken;
    for (const promisedMs of this.#firstMs.values()) if (promisedMs < endMs) late++;
    return late;
  }
}
