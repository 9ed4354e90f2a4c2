/**
 * The passes of schedulers that have several kinds of them, from the decision log: a table of all, and for each kind its times with
 * the number of starts summed up, so that any stretch of time is counted by two bisections. It grows with the record; what a
 * change of the run took back is dropped.
 */
import { lowerBound } from "../base/bisect.ts";
import { type ArraysOf, Table } from "../base/columns.ts";
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";

const PASS_SHAPE = { atMs: "f64", kind: "u8", looked: "u32", started: "u32" } as const;
const KIND_SHAPE = {
  atMs: "f64",
  /** Row in the table of all passes. */
  row: "u32",
  /** Starts in this pass and all before it, of its kind. */
  startedUpTo: "f64",
} as const;

export const PASS_KINDS = 2;

/** What lies in a stretch of time, of one kind. */
export interface PassSpan {
  /** Places in the kind's columns: `from` ≤ place < `to`. */
  readonly from: number;
  readonly to: number;
  readonly started: number;
}

export class PassIndex {
  readonly #all = new Table(PASS_SHAPE);
  readonly #kinds = Array.from({ length: PASS_KINDS }, () => new Table(KIND_SHAPE));
  #chunks: Chunk[] = [];
  /** Lengths of all tables after each chunk. */
  #lengths: number[][] = [];

  get count(): number {
    return this.#all.length;
  }

  /** Passes in order of time: rows 0 … `count` − 1. */
  get rows(): ArraysOf<typeof PASS_SHAPE> {
    return this.#all.at;
  }

  countOf(kind: number): number {
    return this.#kinds[kind]?.length ?? 0;
  }

  /** Row of a pass in `rows`, by its place among those of its kind. */
  rowOf(kind: number, place: number): number {
    return this.#kinds[kind]!.at.row[place]!;
  }

  /**
   * Takes in what is new, about `mostRows` rows of the log at a time; true while something is left. O(rows taken in).
   */
  update(chunks: readonly Chunk[], mostRows = Number.POSITIVE_INFINITY): boolean {
    let same = 0;
    while (same < this.#chunks.length && this.#chunks[same] === chunks[same]) same++;
    if (same < this.#chunks.length) this.#cutTo(same);
    let rows = 0;
    for (let at = same; at < chunks.length; at++) {
      if (rows > mostRows) return true;
      rows += chunks[at]!.decisions.kind.length;
      this.#add(chunks[at]!);
    }
    return false;
  }

  /** Passes of a kind at `fromMs` ≤ time < `toMs`. O(log passes). */
  span(kind: number, fromMs: number, toMs: number, startAt = 0): PassSpan {
    const table = this.#kinds[kind]!;
    const { atMs, startedUpTo } = table.at;
    const from = lowerBound(atMs, fromMs, startAt, table.length);
    const to = lowerBound(atMs, toMs, from, table.length);
    const before = from > 0 ? startedUpTo[from - 1]! : 0;
    return { from, to, started: to > from ? startedUpTo[to - 1]! - before : 0 };
  }

  /** The last pass of a kind at or before a time, as a row of `rows`; −1 = none. O(log passes). */
  lastRow(kind: number, atMs: number): number {
    const { to } = this.span(kind, Number.NEGATIVE_INFINITY, atMs + 1);
    return to > 0 ? this.rowOf(kind, to - 1) : -1;
  }

  #cutTo(chunks: number): void {
    const lengths = this.#lengths[chunks - 1] ?? [0, 0, 0];
    this.#chunks.length = chunks;
    this.#lengths.length = chunks;
    this.#all.length = lengths[0]!;
    this.#kinds.forEach((table, kind) => {
      table.length = lengths[kind + 1]!;
    });
  }

  #add(chunk: Chunk): void {
    const { kind, atMs, reason, jobIdx, value } = chunk.decisions;
    for (
      let row = kind.indexOf(DecisionKindCode.pass);
      row >= 0;
      row = kind.indexOf(DecisionKindCode.pass, row + 1)
    )
      this.#pass(atMs[row]!, Math.min(PASS_KINDS - 1, reason[row]!), jobIdx[row]!, value[row]!);
    this.#chunks.push(chunk);
    this.#lengths.push([this.#all.length, ...this.#kinds.map((table) => table.length)]);
  }

  #pass(atMs: number, kind: number, looked: number, started: number): void {
    this.#all.reserve(1);
    const row = this.#all.length++;
    this.#all.at.atMs[row] = atMs;
    this.#all.at.kind[row] = kind;
    this.#all.at.looked[row] = looked;
    this.#all.at.started[row] = started;
    const table = this.#kinds[kind]!;
    table.reserve(1);
    const place = table.length++;
    table.at.atMs[place] = atMs;
    table.at.row[place] = row;
    table.at.startedUpTo[place] = started + (place > 0 ? table.at.startedUpTo[place - 1]! : 0);
  }
}
