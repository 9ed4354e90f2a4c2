/**
 * Which work of a run was thrown away: what it did between its last complete checkpoint and its stop. The record says it in three places: runs that ended
 * by preemption, requeueing or failure; `saved` decisions, which keep all before them; `unsaved` and `restart` decisions, which throw away what was kept or in
 * memory. A stretch counts as lost from the moment it was lost (`atMs`), which may be long after it was done. `unsaved` while a run has its work in memory
 * loses nothing until that run stops; which of both it was is known when the job's next run has ended.
 */
import { JobFlag } from "../model/jobs.ts";
import { StopReasonCode } from "../model/reasons.ts";
import { EndStateCode } from "../model/states.ts";
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";
import type { JobStory } from "./jobStory.ts";

/** Work of one job done from `fromMs` to `toMs`, lost at `atMs`. */
export interface LostStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly atMs: number;
}

/** The stretches of one job, from its story alone. O(its runs and decisions). */
export function lostStretchesOf(story: JobStory, flags: Uint8Array): readonly LostStretch[] {
  const lost = new LostWork();
  const closed = story.runs.filter(({ endMs }) => Number.isFinite(endMs));
  const jobIdx = (length: number) => new Uint32Array(length).fill(story.jobIdx);
  lost.addRows(
    {
      atMs: Float64Array.from(story.decisions, (one) => one.atMs),
      kind: Uint8Array.from(story.decisions, (one) => one.kind),
      value: Float64Array.from(story.decisions, (one) => one.value),
      jobIdx: jobIdx(story.decisions.length),
    },
    {
      startMs: Float64Array.from(closed, (run) => run.startMs),
      endMs: Float64Array.from(closed, (run) => run.endMs),
      run: Uint16Array.from(closed, (run) => run.run),
      endState: Uint8Array.from(closed, (run) => run.endState),
      stopReason: Uint8Array.from(closed, (run) => run.stopReason),
      jobIdx: jobIdx(closed.length),
    },
    flags,
  );
  return lost.ofJob(story.jobIdx);
}

interface JobBooks {
  savedMs: number;
  /** An `unsaved` that is not understood yet; NaN = none. */
  unsavedMs: number;
}

const ALWAYS = Number.NEGATIVE_INFINITY;

/** Whether a run that ended like this has thrown away what it had not saved. */
export function losesWork(endState: number, stopReason: number): boolean {
  return (
    endState === EndStateCode.preempted ||
    endState === EndStateCode.requeued ||
    endState === EndStateCode.nodeFailed ||
    (endState === EndStateCode.failed && stopReason !== StopReasonCode.workDone)
  );
}

/** Grows with the record; a record that is another one is read from its beginning. */
export class LostWork {
  readonly #stretches = new Map<number, LostStretch[]>();
  #books = new Map<number, JobBooks>();
  #chunks: readonly Chunk[] = [];

  /** Takes in new chunks of jobs with these flags: services do no work that could be lost. O(their decisions and runs). */
  update(chunks: readonly Chunk[], flags: Uint8Array): void {
    const same = this.#chunks.every((chunk, index) => chunks[index] === chunk);
    const from = same ? this.#chunks.length : 0;
    if (!same) {
      this.#stretches.clear();
      this.#books = new Map();
    }
    this.#chunks = chunks;
    for (let index = from; index < chunks.length; index++) {
      const { decisions, runs } = chunks[index]!;
      this.addRows(decisions, runs, flags);
    }
  }

  /** When the work that a job was doing at `workMs` was lost; `Infinity` = it was not. O(stretches of the job). */
  lostAtMs(jobIdx: number, workMs: number): number {
    let atMs = Number.POSITIVE_INFINITY;
    for (const stretch of this.#stretches.get(jobIdx) ?? [])
      if (workMs >= stretch.fromMs && workMs < stretch.toMs) atMs = Math.min(atMs, stretch.atMs);
    return atMs;
  }

  /** In order of the time at which they were lost. */
  ofJob(jobIdx: number): readonly LostStretch[] {
    return this.#stretches.get(jobIdx) ?? [];
  }

  get any(): boolean {
    return this.#stretches.size > 0;
  }

  /** Takes in rows in order of time. At one instant decisions come first: a checkpoint that is complete as its run stops has kept the work. */
  addRows(
    decisions: Pick<Chunk["decisions"], "atMs" | "kind" | "jobIdx" | "value">,
    runs: Pick<Chunk["runs"], "startMs" | "endMs" | "jobIdx" | "run" | "endState" | "stopReason">,
    flags: Uint8Array,
  ): void {
    let row = 0;
    const decideUntil = (atMs: number): void => {
      for (; row < decisions.kind.length && decisions.atMs[row]! <= atMs; row++) {
        const kind = decisions.kind[row]!;
        if (
          kind === DecisionKindCode.saved ||
          kind === DecisionKindCode.unsaved ||
          kind === DecisionKindCode.restart
        )
          this.#decided(kind, decisions.jobIdx[row]!, decisions.atMs[row]!, decisions.value[row]!);
      }
    };
    for (let run = 0; run < runs.jobIdx.length; run++) {
      if (runs.run[run] === 0) continue;
      decideUntil(runs.endMs[run]!);
      this.#ended(
        runs.jobIdx[run]!,
        runs.startMs[run]!,
        runs.endMs[run]!,
        losesWork(runs.endState[run]!, runs.stopReason[run]!) &&
          (flags[runs.jobIdx[run]!]! & JobFlag.service) === 0,
      );
    }
    decideUntil(Number.POSITIVE_INFINITY);
  }

  #decided(kind: number, jobIdx: number, atMs: number, value: number): void {
    const known = this.#books.get(jobIdx);
    if (kind === DecisionKindCode.restart) {
      if (value > 0) this.#lose(jobIdx, known?.savedMs ?? ALWAYS, atMs, atMs);
      return;
    }
    const books = known ?? { savedMs: ALWAYS, unsavedMs: Number.NaN };
    this.#books.set(jobIdx, books);
    if (kind === DecisionKindCode.saved) {
      books.savedMs = atMs;
      books.unsavedMs = Number.NaN;
    } else books.unsavedMs = atMs;
  }

  #ended(jobIdx: number, startMs: number, endMs: number, loses: boolean): void {
    const books = this.#books.get(jobIdx);
    let fromMs = Math.max(startMs, books?.savedMs ?? ALWAYS);
    if (books && !Number.isNaN(books.unsavedMs)) {
      // The run had all of it in memory, or began after it was gone.
      if (startMs < books.unsavedMs) fromMs = ALWAYS;
      else this.#lose(jobIdx, ALWAYS, books.unsavedMs, books.unsavedMs);
      books.unsavedMs = Number.NaN;
      books.savedMs = ALWAYS;
    }
    if (loses) this.#lose(jobIdx, fromMs, endMs, endMs);
    else this.#books.delete(jobIdx);
  }

  #lose(jobIdx: number, fromMs: number, toMs: number, atMs: number): void {
    if (fromMs >= toMs) return;
    const list = this.#stretches.get(jobIdx);
    if (list) list.push({ fromMs, toMs, atMs });
    else this.#stretches.set(jobIdx, [{ fromMs, toMs, atMs }]);
  }
}
