/**
 * The record from the last snapshot before a time up to that time, computed while nobody waits: a change there then goes on from its end and runs nothing of the past
 * again. It is what a rewind to the same snapshot would write, by the same code, so the record and its digest are the same with and without.
 */
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { openSetOf } from "./openSet.ts";
import type { Run } from "./run.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ReadyCut {
  readonly chunk: Chunk;
  readonly open: OpenSet;
  readonly snapshot: Snapshot;
  /** Rows of the digest that it wrote. */
  readonly digestRows: Uint8Array;
}

export class PreparedCut {
  readonly editMs: number;
  /** Chunks of the record that lie before it. */
  readonly chunks: number;
  readonly #fromMs: number;
  #run: Run | null;
  #ready: ReadyCut | null = null;

  /** `run`: stands at the snapshot behind so many chunks. */
  constructor(editMs: number, chunks: number, run: Run) {
    this.editMs = editMs;
    this.chunks = chunks;
    this.#run = run;
    this.#fromMs = run.clock.nowMs;
    run.lifecycle.rows.digest.keepRows();
  }

  /** What was computed, once it is complete; null where nothing happened in between. */
  get ready(): ReadyCut | null {
    return this.#ready;
  }

  /** Goes on for about so many events; true while something is left. */
  advance(events: number): boolean {
    const run = this.#run;
    if (run === null) return false;
    const before = run.eventCount;
    if (!run.advance(this.editMs - 1, events) && run.eventCount > before) return true;
    this.#run = null;
    const { nowMs } = run.clock;
    if (run.done || nowMs <= this.#fromMs) return false;
    const chunk = run.recorder.takeChunk(this.#fromMs, nowMs);
    const digestRows = run.lifecycle.rows.digest.takeRows();
    this.#ready = { chunk, open: openSetOf(run), snapshot: run.snapshot(), digestRows };
    return false;
  }
}
