/**
 * Waiting, taken apart by reason. A wait is recorded when it closes and its reasons when they change, so reasons are kept until their wait has closed, and
 * those of a wait that goes on until the end of the record. Before its first reason a job waits for the next pass. A reason may be older than its
 * wait (a replica that is not wanted yet has one), and a job may start and wait again within an instant.
 *
 * O(decisions + waits); memory O(reasons of jobs that wait).
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
  endMs: number,
  visit: OnStretch,
): Generator<void> {
  const reader = new StretchReader(visit);
  for (const { decisions, waits } of chunks) {
    let row = 0;
    for (let wait = 0; wait < waits.jobIdx.length; wait++) {
      row = reader.decide(decisions, row, waits.toMs[wait]!);
      reader.close(waits.jobIdx[wait]!, waits.fromMs[wait]!, waits.toMs[wait]!);
    }
    reader.decide(decisions, row, Number.POSITIVE_INFINITY);
    reader.forgetStarted();
    yield;
  }
  if (open === null) return;
  for (let wait = 0; wait < open.waits.jobIdx.length; wait++)
    reader.close(open.waits.jobIdx[wait]!, open.waits.fromMs[wait]!, endMs);
}

/** Since when which reason holds, oldest first. */
interface Reasons {
  readonly atMs: number[];
  readonly reason: number[];
}

class StretchReader {
  readonly #visit: OnStretch;
  /** Of jobs that have been given a reason since their last wait closed. */
  readonly #reasons = new Map<number, Reasons>();
  /** Jobs of these that have started since: a wait of no length leaves no row that would say so. */
  readonly #started = new Set<number>();

  constructor(visit: OnStretch) {
    this.#visit = visit;
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
      if (kind[row] === DecisionKindCode.wait) {
        this.#note(job, reason[row]!, atMs[row]!);
        this.#started.delete(job);
      } else if (kind[row] === DecisionKindCode.start && this.#reasons.has(job)) {
        this.#note(job, WaitReasonCode.none, atMs[row]!);
        this.#started.add(job);
      }
    }
    return row;
  }

  #note(job: number, reason: number, atMs: number): void {
    let reasons = this.#reasons.get(job);
    if (!reasons) {
      reasons = { atMs: [], reason: [] };
      this.#reasons.set(job, reasons);
    }
    reasons.atMs.push(atMs);
    reasons.reason.push(reason);
  }

  /** Tells the stretches of a wait; what was decided at its end may belong to the next one. */
  close(job: number, fromMs: number, toMs: number): void {
    const reasons = this.#reasons.get(job);
    if (!reasons) {
      this.#tell(job, WaitReasonCode.none, fromMs, toMs);
      return;
    }
    const { atMs, reason } = reasons;
    this.#tell(job, WaitReasonCode.none, fromMs, Math.min(toMs, atMs[0]!));
    let kept = atMs.length;
    for (let i = 0; i < atMs.length; i++) {
      const untilMs = Math.min(toMs, atMs[i + 1] ?? toMs);
      this.#tell(job, reason[i]!, Math.max(fromMs, atMs[i]!), untilMs);
      if (kept === atMs.length && atMs[i]! >= toMs) kept = i;
    }
    if (kept === atMs.length) this.#reasons.delete(job);
    else {
      atMs.splice(0, kept);
      reason.splice(0, kept);
    }
  }

  /** Rows of the waits that ended with these starts have come by now. */
  forgetStarted(): void {
    for (const job of this.#started) this.#reasons.delete(job);
    this.#started.clear();
  }

  #tell(job: number, reason: number, fromMs: number, toMs: number): void {
    if (toMs > fromMs) this.#visit(job, reason, fromMs, toMs);
  }
}
