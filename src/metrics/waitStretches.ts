/**
 * Waiting, taken apart by reason. A wait is recorded when it closes and its reasons when they change, so a stretch of one reason is told
 * once its wait has closed, or at the end of the record. Before its first reason a job waits for the next pass.
 *
 * O(decisions + waits); memory 18 bytes a job.
 */
import { WaitReasonCode } from "../model/reasons.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";

/** `jobIdx` waited for `reason` from `fromMs` to `toMs`. */
export type OnStretch = (jobIdx: number, reason: number, fromMs: number, toMs: number) => void;

export interface RecordOfWaits {
  readonly chunks: readonly Pick<Chunk, "waits" | "decisions">[];
  readonly open: Pick<OpenSet, "waits"> | null;
}

/** Calls `visit` for each stretch; open ones end at `endMs`. Yields after each chunk. */
export function* waitStretches(
  { chunks, open }: RecordOfWaits,
  jobs: number,
  endMs: number,
  visit: OnStretch,
): Generator<void> {
  const reader = new StretchReader(jobs, visit);
  for (const { decisions, waits } of chunks) {
    let row = 0;
    for (let wait = 0; wait < waits.jobIdx.length; wait++) {
      row = reader.decide(decisions, row, waits.toMs[wait]!);
      reader.close(waits.jobIdx[wait]!, waits.fromMs[wait]!, waits.toMs[wait]!);
    }
    reader.decide(decisions, row, Number.POSITIVE_INFINITY);
    yield;
  }
  if (open === null) return;
  for (let wait = 0; wait < open.waits.jobIdx.length; wait++)
    reader.close(open.waits.jobIdx[wait]!, open.waits.fromMs[wait]!, endMs);
}

/** The newest reason of each job that waits, and since when. */
class StretchReader {
  readonly #visit: OnStretch;
  readonly #reason: Uint8Array;
  readonly #sinceMs: Float64Array;
  /** When the first reason of the wait under way was given; NaN before. */
  readonly #firstMs: Float64Array;
  /** The wait of these reasons is over. One of no length leaves no row that would say so. */
  readonly #isOver: Uint8Array;
  /** Of jobs that wait again in the instant in which they started: the wait before. */
  readonly #before = new Map<
    number,
    {
      readonly firstMs: number;
      readonly sinceMs: number;
      readonly reason: number;
      readonly overMs: number;
    }
  >();

  constructor(jobs: number, visit: OnStretch) {
    this.#visit = visit;
    this.#reason = new Uint8Array(jobs);
    this.#sinceMs = new Float64Array(jobs).fill(Number.NaN);
    this.#firstMs = new Float64Array(jobs).fill(Number.NaN);
    this.#isOver = new Uint8Array(jobs);
  }

  /** Reads decisions up to `untilMs`, from row `from` on. Returns the next row. */
  decide(
    { kind, reason, jobIdx, atMs }: Chunk["decisions"],
    from: number,
    untilMs: number,
  ): number {
    let row = from;
    for (; row < kind.length && atMs[row]! <= untilMs; row++) {
      const job = jobIdx[row]!;
      if (kind[row] === DecisionKindCode.start) this.#isOver[job] = 1;
      else if (kind[row] === DecisionKindCode.wait) this.#change(job, reason[row]!, atMs[row]!);
    }
    return row;
  }

  #change(job: number, reason: number, atMs: number): void {
    const firstMs = this.#firstMs[job]!;
    if (this.#isOver[job] === 1 || Number.isNaN(firstMs)) {
      // It started and waits again within an instant: the row of the wait before is still to come.
      if (!Number.isNaN(firstMs))
        this.#before.set(job, {
          firstMs,
          sinceMs: this.#sinceMs[job]!,
          reason: this.#reason[job]!,
          overMs: atMs,
        });
      this.#firstMs[job] = atMs;
      this.#isOver[job] = 0;
    } else this.#tell(job, this.#reason[job]!, this.#sinceMs[job]!, atMs);
    this.#sinceMs[job] = atMs;
    this.#reason[job] = reason;
  }

  close(job: number, fromMs: number, toMs: number): void {
    const before = this.#before.get(job);
    this.#before.delete(job);
    if (before?.overMs === toMs && before.firstMs < toMs) {
      this.#last(job, before.reason, before.firstMs, before.sinceMs, fromMs, toMs);
      return;
    }
    const reason = this.#reason[job]!;
    this.#last(job, reason, this.#firstMs[job]!, this.#sinceMs[job]!, fromMs, toMs);
    this.#firstMs[job] = Number.NaN;
  }

  /** The last stretch of a wait, and the first where it began before its first reason; reasons of an earlier wait say nothing of it. */
  #last(
    job: number,
    reason: number,
    firstMs: number,
    sinceMs: number,
    fromMs: number,
    toMs: number,
  ): void {
    if (!(firstMs >= fromMs)) this.#visit(job, WaitReasonCode.none, fromMs, toMs);
    else {
      if (fromMs < firstMs) this.#visit(job, WaitReasonCode.none, fromMs, firstMs);
      this.#tell(job, reason, sinceMs, toMs);
    }
  }

  #tell(job: number, reason: number, fromMs: number, toMs: number): void {
    if (toMs > fromMs) this.#visit(job, reason, fromMs, toMs);
  }
}
