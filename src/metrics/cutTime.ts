/**
 * Device time in which MIG devices were cut anew, from the record's decisions: nobody holds them, and nobody could. It is overhead like a start-up, and no
 * idle time. O(cuts) in all, O(cuts under way) a stretch asked for.
 */
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";

export class CutTime {
  /** Begin and end of each, ms; those that a stretch asked for has passed are only in the sum. */
  #open: { readonly fromMs: number; readonly toMs: number }[] = [];
  #all: { readonly fromMs: number; readonly toMs: number }[] = [];

  add({ kind, atMs, value }: Pick<Chunk["decisions"], "kind" | "atMs" | "value">): void {
    for (let row = 0; row < kind.length; row++) {
      if (kind[row] !== DecisionKindCode.repartition) continue;
      const cut = { fromMs: atMs[row]!, toMs: atMs[row]! + value[row]! };
      this.#open.push(cut);
      this.#all.push(cut);
    }
  }

  /** Device-ms in a stretch. Stretches come in order of time. */
  over(fromMs: number, toMs: number): number {
    if (this.#open.length === 0) return 0;
    this.#open = this.#open.filter((cut) => cut.toMs > fromMs);
    return this.#open.reduce((sum, cut) => sum + overlap(cut, fromMs, toMs), 0);
  }

  /** Device-ms up to a time. */
  until(toMs: number): number {
    return this.#all.reduce((sum, cut) => sum + overlap(cut, 0, toMs), 0);
  }
}

function overlap(
  cut: { readonly fromMs: number; readonly toMs: number },
  fromMs: number,
  toMs: number,
) {
  return Math.max(0, Math.min(cut.toMs, toMs) - Math.max(cut.fromMs, fromMs));
}
