/**
 * Complete futures that the worker may name again: an Undo goes back to one as a whole, and a future after a change often ends as the one before it did. The worker says
 * which one it can still name; only that one is kept here.
 */
import { EMPTY_FUTURE, type Future } from "./runData.ts";

export class FormerFutures {
  readonly #byGeneration = new Map<number, Future>();

  /** A future is left for another one; `keeps`: the generation that can be named from now on. */
  leave(future: Future | undefined, keeps: number | null): void {
    if (future) this.#byGeneration.set(future.generation, future);
    for (const generation of this.#byGeneration.keys())
      if (generation !== keeps) this.#byGeneration.delete(generation);
  }

  /** Throws where it is not here, which is a bug. */
  of(generation: number): Future {
    const future = this.#byGeneration.get(generation);
    if (!future) throw new Error("The record builds on one that is not here.");
    return future;
  }

  /** As the beginning of another generation: all of it is known, and the worker has not said yet that it is complete. */
  again(generation: number): Partial<Future> {
    const { chunks, open, knownMs, endMs, refused } = this.of(generation);
    return { ...EMPTY_FUTURE, chunks, open, knownMs, endMs, refused };
  }

  /**
   * A future that goes on as a former one does, behind `index` chunks of its own. The chunks are objects of their own, since what was computed for those of the former
   * one may stand on what came before them there; their columns are the same.
   */
  joined(future: Future, index: number, former: number, fromChunk: number): Future {
    const { chunks, open, knownMs, endMs } = this.of(former);
    const rest = chunks.slice(fromChunk).map((chunk) => ({ ...chunk }));
    return { ...future, chunks: [...future.chunks.slice(0, index), ...rest], open, knownMs, endMs };
  }

  clear(): void {
    this.#byGeneration.clear();
  }
}
