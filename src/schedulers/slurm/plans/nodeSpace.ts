/**
 * What backfill has promised (`node_space` of backfill.c): planned jobs, each with whole nodes from a start to an end. The times at
 * which one begins or ends cut the window of the pass into spans. Sets of nodes are looked at only where a promise has nodes.
 */

import { countBits } from "../../../base/bitSets.ts";
import { nextSet } from "../../../base/bits.ts";

interface Kept {
  fromMs: number;
  toMs: number;
  nodes: Int32Array;
  /** Words of `nodes` that are not empty. */
  firstWord: number;
  lastWord: number;
}

export class NodeSpace {
  /** Start of the pass, end of its window. */
  fromMs = 0;
  untilMs = 0;
  /** Promises, in the order in which they were made; those behind `count` are spare. */
  #kept: Kept[] = [];
  #count = 0;
  /** Starts of spans, ascending; span i ends where the next begins, the last at `untilMs`. */
  #spans = 1;
  #spanMs = new Float64Array(64);
  /** Nodes of promises that end at the start of a span. */
  #ended = new Int32Array(64);
  /** Nodes free of promises in each span, or more. */
  #free = new Int32Array(64);

  /** Promises of each node, by begin; those of the pass before are dropped when a node is first touched (`#passOf`). */
  readonly #ofNode: Kept[][] = [];
  readonly #passOf: number[] = [];
  #pass = 0;
  /** Promises that are in these lists: they are made when somebody asks, which on a flat machine nobody does. */
  #noted = 0;

  /** No promises; `all`: the nodes that take work. */
  begin(fromMs: number, untilMs: number, all: Int32Array): void {
    this.fromMs = fromMs;
    this.untilMs = untilMs;
    this.#count = 0;
    this.#spans = 1;
    this.#spanMs[0] = fromMs;
    this.#free[0] = countBits(all);
    this.#pass++;
    this.#noted = 0;
  }

  /** The first time from `fromMs` on at which a node is promised to nobody for `limitMs`. O(promises of the node). */
  freeFrom(node: number, fromMs: number, limitMs: number): number {
    while (this.#noted < this.#count) this.#noteNodes(this.#kept[this.#noted++]!);
    if (this.#passOf[node] !== this.#pass) return fromMs;
    let atMs = fromMs;
    for (const kept of this.#ofNode[node]!) {
      if (kept.toMs <= atMs) continue;
      if (kept.fromMs > atMs + limitMs) break;
      atMs = kept.toMs;
    }
    return atMs;
  }

  /** End of the span that holds a time; `Infinity` for the last. O(spans). */
  spanEndMs(atMs: number): number {
    for (let span = 1; span < this.#spans; span++) {
      if (this.#spanMs[span]! > atMs) return this.#spanMs[span]!;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first time to try, `atMs` or an edge after it, whose next edge does not come before `leastMs`. O(spans). */
  tryBefore(atMs: number, leastMs: number): number {
    let tryMs = atMs;
    for (let span = 1; span < this.#spans; span++) {
      const edgeMs = this.#spanMs[span]!;
      if (edgeMs <= atMs) continue;
      if (edgeMs >= leastMs) return tryMs;
      tryMs = edgeMs;
    }
    return tryMs;
  }

  /**
   * The next start worth trying after `atMs`. One that comes to lie behind the next edge is put off to that edge (`TRY_LATER`); so is the
   * one after it, unless the nodes of promises that have ended since make it earlier. `leastMs`: no start before this with so
   * many nodes more than at `atMs`. O(spans).
   */
  nextTryMs(atMs: number, leastMs: (moreNodes: number) => number): number {
    let more = 0;
    for (let span = 1; span < this.#spans; span++) {
      if (this.#spanMs[span]! <= atMs) continue;
      more += this.#ended[span]!;
      const nextMs = span + 1 < this.#spans ? this.#spanMs[span + 1]! : Number.POSITIVE_INFINITY;
      if (nextMs >= leastMs(more)) return this.#spanMs[span]!;
    }
    return Number.POSITIVE_INFINITY;
  }

  /**
   * The first time from `fromMs` on at which spans up to `toMs` could have `need` nodes, as far as counts tell: `fromMs` itself, the
   * end of the last span of too few, or `Infinity` where no span follows. O(spans).
   */
  roomFrom(fromMs: number, toMs: number, need: number): number {
    for (let span = this.#spans - 1; span >= 0; span--) {
      if (this.#spanMs[span]! > toMs) continue;
      const endMs = span + 1 < this.#spans ? this.#spanMs[span + 1]! : this.untilMs;
      if (endMs <= fromMs) break;
      if (this.#free[span]! >= need) continue;
      return span + 1 < this.#spans ? endMs : Number.POSITIVE_INFINITY;
    }
    return fromMs;
  }

  /** Takes out of `nodes` what is promised in a span that a run from `fromMs` to `toMs` touches. O(promises × words they have). */
  takeOut(fromMs: number, toMs: number, nodes: Int32Array): void {
    for (let at = 0; at < this.#count; at++) {
      const kept = this.#kept[at]!;
      if (kept.toMs <= fromMs || kept.fromMs > toMs) continue;
      for (let word = kept.firstWord; word <= kept.lastWord; word++)
        nodes[word] = nodes[word]! & ~kept.nodes[word]!;
    }
  }

  /** Whether any of `nodes` is promised in [`fromMs`, `toMs`). O(promises × words they have). */
  hasAny(fromMs: number, toMs: number, nodes: Int32Array): boolean {
    for (let at = 0; at < this.#count; at++) {
      const kept = this.#kept[at]!;
      if (kept.toMs > fromMs && kept.fromMs < toMs && sharesWith(kept, nodes)) return true;
    }
    return false;
  }

  /** When the first promise of any of `nodes` begins after `afterMs`; `Infinity` = never. O(promises × words they have). */
  nextBeginMs(afterMs: number, nodes: Int32Array): number {
    let next = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#count; at++) {
      const kept = this.#kept[at]!;
      if (kept.fromMs > afterMs && kept.fromMs < next && sharesWith(kept, nodes))
        next = kept.fromMs;
    }
    return next;
  }

  /** When the clock passes the first edge, and when the end of the window reaches the first end beyond it; `Infinity` = never. */
  firstEdgeMs(): number {
    let first = this.#spans > 1 ? this.#spanMs[1]! : Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#count; at++) {
      const beyondMs = this.#kept[at]!.toMs - this.untilMs;
      if (beyondMs >= 0) first = Math.min(first, this.fromMs + beyondMs + 1);
    }
    return first;
  }

  /** Keeps `nodes` from one time to another. `alone`: nobody else has any of them in that time. O(spans + words). */
  keep(fromMs: number, toMs: number, nodes: Int32Array, alone: boolean): void {
    const count = countBits(nodes);
    const startMs = Math.max(fromMs, this.fromMs);
    if (toMs <= startMs || startMs >= this.untilMs) return;
    let firstWord = 0;
    let lastWord = nodes.length - 1;
    while (firstWord < lastWord && nodes[firstWord] === 0) firstWord++;
    while (lastWord > firstWord && nodes[lastWord] === 0) lastWord--;
    this.#kept[this.#count++] = { fromMs: startMs, toMs, nodes, firstWord, lastWord };
    this.#cut(startMs);
    if (toMs < this.untilMs) {
      const span = this.#cut(toMs);
      this.#ended[span] = this.#ended[span]! + count;
    }
    if (!alone) return;
    for (let span = 0; span < this.#spans; span++) {
      const atMs = this.#spanMs[span]!;
      if (atMs >= startMs && atMs < toMs) this.#free[span] = this.#free[span]! - count;
    }
  }

  #noteNodes(kept: Kept): void {
    const end = (kept.lastWord + 1) << 5;
    for (let node = nextSet(kept.nodes, kept.firstWord << 5, end); node < end; ) {
      if (this.#passOf[node] !== this.#pass) {
        this.#passOf[node] = this.#pass;
        this.#ofNode[node] = [];
      }
      const list = this.#ofNode[node]!;
      let at = list.length;
      while (at > 0 && list[at - 1]!.fromMs > kept.fromMs) at--;
      list.splice(at, 0, kept);
      node = nextSet(kept.nodes, node + 1, end);
    }
  }

  /** The span that starts at a time, made if need be. */
  #cut(atMs: number): number {
    let span = this.#spans - 1;
    while (this.#spanMs[span]! > atMs) span--;
    if (this.#spanMs[span] === atMs) return span;
    if (this.#spans === this.#spanMs.length) this.#grow();
    this.#spanMs.copyWithin(span + 2, span + 1, this.#spans);
    this.#free.copyWithin(span + 2, span + 1, this.#spans);
    this.#ended.copyWithin(span + 2, span + 1, this.#spans);
    this.#ended[span + 1] = 0;
    this.#spanMs[span + 1] = atMs;
    this.#free[span + 1] = this.#free[span]!;
    this.#spans++;
    return span + 1;
  }

  #grow(): void {
    const times = new Float64Array(this.#spanMs.length * 2);
    times.set(this.#spanMs);
    this.#spanMs = times;
    const free = new Int32Array(times.length);
    free.set(this.#free);
    this.#free = free;
    const ended = new Int32Array(times.length);
    ended.set(this.#ended);
    this.#ended = ended;
  }
}

function sharesWith(kept: Kept, nodes: Int32Array): boolean {
  for (let word = kept.firstWord; word <= kept.lastWord; word++) {
    if ((kept.nodes[word]! & nodes[word]!) !== 0) return true;
  }
  return false;
}
