/**
 * What was held before now, run by run: the memory from which a scheduler that takes a pool over in the middle of a run learns what everybody has used
 * so far, whatever decided until then. One row for each run that closed, in the order in which they closed, and nothing else is ever read from
 * it. Full blocks are never changed, so snapshots share them: a copy costs O(1) for each 256 runs, and a new row O(1).
 */
import { type ArraysOf, allocate, sliceColumns } from "../base/columns.ts";

const PAST_SHAPE = {
  jobIdx: "i32",
  /** `EndStateCode`. */
  endState: "u8",
  tier: "u8",
  fromMs: "f64",
  toMs: "f64",
  /** Thousandths of devices × ms that the run held in all. */
  milliMs: "f64",
} as const;

const ROWS = 256;

type Rows = ArraysOf<typeof PAST_SHAPE>;

/** A full block. Its rows are no part of what a snapshot is charged for: all of them share it. */
class Block {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get rows(): Rows {
    return this.#rows;
  }
}

/** One run, or what is over of it. Runs that held nothing count too. */
export interface PastUse {
  readonly jobIdx: number;
  /** The tier at its end, or now. */
  readonly tier: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Thousandths of devices × ms. */
  readonly milliMs: number;
  /** `EndStateCode`; −1 = it is under way. */
  readonly endState: number;
}

export interface PastCopy {
  readonly full: readonly Block[];
  readonly last: Rows;
}

export class PastRuns {
  #full: Block[] = [];
  #last = allocate(PAST_SHAPE, ROWS);
  #length = 0;

  /** A run is over. */
  add({ jobIdx, endState, tier, fromMs, toMs, milliMs }: PastUse): void {
    const row = this.#length++;
    const last = this.#last;
    last.jobIdx[row] = jobIdx;
    last.endState[row] = endState;
    last.tier[row] = tier;
    last.fromMs[row] = fromMs;
    last.toMs[row] = toMs;
    last.milliMs[row] = milliMs;
    if (this.#length < ROWS) return;
    this.#full.push(new Block(last));
    this.#last = allocate(PAST_SHAPE, ROWS);
    this.#length = 0;
  }

  /** All closed runs, in the order in which they closed. O(runs). */
  visit(tell: (use: PastUse) => void): void {
    for (const block of this.#full) tellRows(block.rows, ROWS, tell);
    tellRows(this.#last, this.#length, tell);
  }

  /** The runs that closed behind the first so many, in the order in which they closed. O(runs). */
  after(count: number): PastUse[] {
    const uses: PastUse[] = [];
    let skipped = 0;
    this.visit((use) => {
      if (skipped < count) skipped++;
      else uses.push(use);
    });
    return uses;
  }

  /** Runs in a copy. O(1). */
  static countOf({ full, last }: PastCopy): number {
    return full.length * ROWS + last.jobIdx.length;
  }

  copy(): PastCopy {
    return { full: this.#full.slice(), last: sliceColumns(this.#last, 0, this.#length) };
  }

  restore({ full, last }: PastCopy): void {
    this.#full = full.slice();
    this.#length = last.jobIdx.length;
    this.#last = allocate(PAST_SHAPE, ROWS);
    for (const name of Object.keys(PAST_SHAPE) as (keyof typeof PAST_SHAPE)[])
      this.#last[name].set(last[name]);
  }
}

function tellRows(rows: Rows, length: number, tell: (use: PastUse) => void): void {
  for (let row = 0; row < length; row++) {
    tell({
      jobIdx: rows.jobIdx[row]!,
      endState: rows.endState[row]!,
      tier: rows.tier[row]!,
      fromMs: rows.fromMs[row]!,
      toMs: rows.toMs[row]!,
      milliMs: rows.milliMs[row]!,
    });
  }
}
