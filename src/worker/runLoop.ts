/**
 * The loop that runs ahead: slices of about 8 ms, then a breath, so that a cancel, a question or a new document is heard at
 * once. At most two chunks are on their way; while the page has not taken them in the loop rests. It knows the engine only by
 * `RunEngine`, so its promises are tested without one.
 */
import type { DataMessage, Progress } from "../protocol/messages.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

/** The rest of a record is that of a former run: its chunks from `fromChunk` on. */
export interface Joining {
  /** The generation of that run. */
  readonly tag: number;
  readonly fromChunk: number;
  /** How many they are. */
  readonly chunks: number;
}

export interface RunEngine {
  readonly nowMs: number;
  /** End of the run as far as it is known. */
  readonly endMs: number;
  readonly events: number;
  readonly jobsDone: number;
  readonly jobs: number;
  /** Runs at most `events` events; true while there is more. */
  advance(events: number): boolean;
  /** The next complete part of the record, or `null` while there is none. `all`: also what is not full. */
  takeChunk(all: boolean): { chunk: Chunk; open: OpenSet } | null;
  /** Once `advance` says no more and all chunks are taken: the rest of the record, where it is that of a former run. */
  join?(): Joining | null;
  digest(): string;
  refused(): Readonly<Record<string, number>>;
}

export interface LoopHooks {
  readonly send: (message: DataMessage) => void;
  /** Milliseconds, for the length of a slice. */
  readonly clock: () => number;
  /** Runs a task after whatever else waits. */
  readonly breathe: (task: () => void) => void;
}

const SLICE_MS = 8;
/** Events between looks at the clock: fewer where they are slow, so that a slice is never much longer than one of them. */
const MOST_EVENTS_A_LOOK = 8;
const SLOW_LOOK_MS = 2;
const PROGRESS_EVERY_MS = 100;
const CREDIT = 2;

export class RunLoop {
  readonly #hooks: LoopHooks;
  #engine: RunEngine | null = null;
  #generation = 0;
  #index = 0;
  #unacknowledged = 0;
  #eventsALook = 1;
  #state: "idle" | "running" | "cancelled" | "done" | "failed" = "idle";
  /** A turn is waiting in the queue of tasks. */
  #turning = false;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  readonly #drained: (() => void)[] = [];

  constructor(hooks: LoopHooks) {
    this.#hooks = hooks;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Starts a generation; chunks are numbered from `firstIndex`. */
  start(engine: RunEngine, generation: number, firstIndex: number): void {
    this.#engine = engine;
    this.#generation = generation;
    this.#index = firstIndex;
    this.#unacknowledged = 0;
    this.#eventsALook = 1;
    this.#state = "running";
    this.#toldAtMs = Number.NEGATIVE_INFINITY;
    this.#turnSoon();
  }

  /** Rests until the next `start` or `resume`, without a word to the page. */
  hold(): void {
    if (this.#state === "running") this.#state = "cancelled";
  }

  cancel(): void {
    if (this.#state !== "running") return;
    this.#state = "cancelled";
    this.#guard(() => {
      this.#sendChunks(true, Number.POSITIVE_INFINITY);
      this.#tell(true);
    });
  }

  resume(): void {
    if (this.#state !== "cancelled" || !this.#engine) return;
    this.#state = "running";
    this.#turnSoon();
  }

  /** The last run ended with an error: its engine must not be used again. */
  get failed(): boolean {
    return this.#state === "failed";
  }

  /** The run is over, and nothing else was started. */
  get done(): boolean {
    return this.#state === "done";
  }

  acknowledge(generation: number): void {
    if (generation !== this.#generation) return;
    this.#unacknowledged = Math.max(0, this.#unacknowledged - 1);
    if (this.#unacknowledged === 0) for (const resolve of this.#drained.splice(0)) resolve();
    if (this.#state === "running") this.#turnSoon();
  }

  /** Resolves when the page has taken in every chunk sent: only then is it known what both sides share. */
  drained(): Promise<void> {
    if (this.#unacknowledged === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  /** Chunks that the page has of this generation, those kept from before included. */
  get chunkCount(): number {
    return this.#index;
  }

  #turnSoon(): void {
    if (this.#turning) return;
    this.#turning = true;
    this.#hooks.breathe(() => {
      this.#turning = false;
      this.#guard(() => this.#turn());
    });
  }

  #turn(): void {
    const engine = this.#engine;
    if (!engine || this.#state !== "running" || this.#unacknowledged >= CREDIT) return;
    const more = this.#slice(engine);
    this.#sendChunks(!more, more ? CREDIT : Number.POSITIVE_INFINITY);
    if (more) {
      this.#tell(false);
      if (this.#unacknowledged < CREDIT) this.#turnSoon();
      return;
    }
    const joining = engine.join?.() ?? null;
    if (joining !== null) {
      const { tag, fromChunk } = joining;
      this.#hooks.send({
        kind: "joined",
        generation: this.#generation,
        index: this.#index,
        former: tag,
        fromChunk,
      });
      this.#index += joining.chunks;
    }
    this.#state = "done";
    this.#tell(true);
    this.#hooks.send({
      kind: "done",
      generation: this.#generation,
      digest: engine.digest(),
      endMs: engine.endMs,
      refused: engine.refused(),
    });
  }

  /** Runs until the slice is over; false when the run is. */
  #slice(engine: RunEngine): boolean {
    const startMs = this.#hooks.clock();
    let lookMs = startMs;
    while (engine.advance(this.#eventsALook)) {
      const nowMs = this.#hooks.clock();
      if (nowMs - lookMs > SLOW_LOOK_MS) this.#eventsALook = Math.max(1, this.#eventsALook >> 2);
      else if (this.#eventsALook < MOST_EVENTS_A_LOOK) this.#eventsALook *= 2;
      if (nowMs - startMs >= SLICE_MS) return true;
      lookMs = nowMs;
    }
    return false;
  }

  #sendChunks(all: boolean, credit: number): void {
    while (this.#unacknowledged < credit) {
      const taken = this.#engine?.takeChunk(all) ?? null;
      if (taken === null) return;
      this.#unacknowledged += 1;
      this.#hooks.send({
        kind: "chunk",
        generation: this.#generation,
        index: this.#index,
        chunk: taken.chunk,
        open: taken.open,
      });
      this.#index += 1;
    }
  }

  #tell(always: boolean): void {
    const engine = this.#engine;
    const nowMs = this.#hooks.clock();
    if (!engine || (!always && nowMs - this.#toldAtMs < PROGRESS_EVERY_MS)) return;
    this.#toldAtMs = nowMs;
    const progress: Progress = {
      generation: this.#generation,
      simulatedMs: engine.nowMs,
      endMs: engine.endMs,
      events: engine.events,
      jobsDone: engine.jobsDone,
      jobs: engine.jobs,
      done: this.#state === "done",
      cancelled: this.#state === "cancelled",
    };
    this.#hooks.send({ kind: "progress", progress });
  }

  /** A bug in the engine ends this run with a message; the worker lives on for the next document. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#state = "failed";
      this.#engine = null;
      const known = error instanceof Error;
      this.#hooks.send({
        kind: "failed",
        generation: this.#generation,
        message: known ? error.message : String(error),
        stack: known ? (error.stack ?? "") : "",
      });
    }
  }
}
