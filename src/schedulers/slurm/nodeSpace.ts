/**
 * What backfill has promised: a line of time from the start of the pass to the end of its window, cut into spans, each with the
 * set of nodes that no planned job has in it (`node_space` of backfill.c). Planned jobs take whole nodes.
 */
import { countBits } from "./nodeSets.ts";

export class NodeSpace {
  /** Spans in use; span i lasts from `fromMs[i]` to `fromMs[i + 1]`, the last to `untilMs`. */
  count = 0;
  fromMs = new Float64Array(64);
  untilMs = 0;
  /** Nodes free of plans in each span, and how many. */
  nodes: Int32Array[] = [];
  free = new Int32Array(64);

  /** One span, with all nodes of `all`. */
  begin(fromMs: number, untilMs: number, all: Int32Array): void {
    this.count = 1;
    this.fromMs[0] = fromMs;
    this.untilMs = untilMs;
    this.#row(0, all.length).set(all);
    this.free[0] = countBits(all);
  }

  /** End of a span. */
  endMs(span: number): number {
    return span + 1 < this.count ? this.fromMs[span + 1]! : this.untilMs;
  }

  /**
   * The first time from `fromMs` on at which spans up to `toMs` could have `need` nodes, as far as counts tell: `fromMs` itself, the
   * end of the last span of too few, or `Infinity` where no span follows. O(spans).
   */
  roomFrom(fromMs: number, toMs: number, need: number): number {
    for (let span = this.count - 1; span >= 0; span--) {
      if (this.fromMs[span]! > toMs) continue;
      const endMs = this.endMs(span);
      if (endMs <= fromMs) break;
      if (this.free[span]! >= need) continue;
      return span + 1 < this.count ? endMs : Number.POSITIVE_INFINITY;
    }
    return fromMs;
  }

  /** Takes `taken` out of all spans between two times, cutting spans there. O(spans × words). */
  take(fromMs: number, toMs: number, taken: Int32Array): void {
    const startMs = Math.max(fromMs, this.fromMs[0]!);
    if (toMs <= startMs || startMs >= this.untilMs) return;
    this.#cut(startMs);
    if (toMs < this.untilMs) this.#cut(toMs);
    for (let span = 0; span < this.count; span++) {
      if (this.fromMs[span]! < startMs || this.fromMs[span]! >= toMs) continue;
      const set = this.nodes[span]!;
      for (let word = 0; word < set.length; word++) set[word] = set[word]! & ~taken[word]!;
      this.free[span] = countBits(set);
    }
  }

  #cut(atMs: number): void {
    let span = this.count - 1;
    while (this.fromMs[span]! > atMs) span--;
    if (this.fromMs[span] === atMs) return;
    if (this.count === this.fromMs.length) this.#grow();
    const words = this.nodes[span]!.length;
    const spare = this.#row(this.count, words);
    for (let at = this.count; at > span + 1; at--) {
      this.fromMs[at] = this.fromMs[at - 1]!;
      this.free[at] = this.free[at - 1]!;
      this.nodes[at] = this.nodes[at - 1]!;
    }
    this.fromMs[span + 1] = atMs;
    this.free[span + 1] = this.free[span]!;
    spare.set(this.nodes[span]!);
    this.nodes[span + 1] = spare;
    this.count++;
  }

  #row(at: number, words: number): Int32Array {
    let row = this.nodes[at];
    if (row === undefined || row.length !== words) {
      row = new Int32Array(words);
      this.nodes[at] = row;
    }
    return row;
  }

  #grow(): void {
    const from = new Float64Array(this.fromMs.length * 2);
    from.set(this.fromMs);
    this.fromMs = from;
    const free = new Int32Array(from.length);
    free.set(this.free);
    this.free = free;
  }
}
