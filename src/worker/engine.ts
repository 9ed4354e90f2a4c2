/** The engine as the run loop sees it: a simulation, the end it heads for, and when a part of its record is worth sending. */

import type { JobFacts } from "../engine/jobFacts.ts";
import type { Run } from "../engine/run.ts";
import { Simulation } from "../engine/simulation.ts";
import type { Explanation } from "../engine/view.ts";
import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import { LIMITS } from "../model/limits.ts";
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { World } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { schedulerOf } from "../schedulers/registry.ts";
import { tooLongRun } from "../workload/problems.ts";
import type { Joining, RunEngine } from "./runLoop.ts";

/** Small runs are cut finely, so that an edit recomputes little; long ones coarsely, so that chunks stay few. */
function chunkEvents(jobs: number): number {
  return Math.min(20_000, Math.max(500, jobs >> 4));
}

/**
 * After a change the first chunks are short, and each next one is twice as long: what is in view comes soon. The first of all ends right before the
 * change, so that the next change at that place goes back to a snapshot there and runs nothing of the past again.
 */
const FIRST_EVENTS = 250;

/** Up to so many jobs the run that a change leaves is kept: it takes some 80 bytes a job. */
const JOBS_JOINED = 300_000;

export class WorldEngine implements RunEngine {
  readonly #simulation: Simulation;
  #chunkedAtEvents = -1;
  /** Runs up to here, then a chunk is due; `Infinity` once it was. */
  #cutAtMs = Number.POSITIVE_INFINITY;
  #chunkAfterEvents = Number.POSITIVE_INFINITY;

  /** `tag`: what the owner calls the run. */
  constructor(world: World, tag = 0) {
    this.#simulation = new Simulation(world, schedulerOf, {
      chunkEvents: chunkEvents(world.jobs.count),
      joins: world.jobs.count <= JOBS_JOINED,
    });
    this.#simulation.rename(tag);
  }

  get nowMs(): number {
    return this.#simulation.nowMs;
  }

  get endMs(): number {
    const { horizonMs } = this.#simulation.world;
    return this.#simulation.done || !Number.isFinite(horizonMs) ? this.nowMs : horizonMs;
  }

  get events(): number {
    return this.#simulation.events;
  }

  get jobsDone(): number {
    return this.#simulation.jobsDone;
  }

  get jobs(): number {
    return this.#simulation.world.jobs.count;
  }

  advance(events: number): boolean {
    if (this.#simulation.done) return false;
    const before = this.#simulation.events;
    const untilMs = Math.min(this.#cutAtMs, LIMITS.horizonMs);
    const outcome = this.#simulation.advance({ untilMs, maxEvents: events });
    if (outcome !== "more") return false;
    if (this.#simulation.events > before) return true;
    if (untilMs === LIMITS.horizonMs) {
      const { message, remedy } = tooLongRun();
      throw new Error(`${message} ${remedy}`);
    }
    this.#cutAtMs = Number.POSITIVE_INFINITY;
    this.#chunkAfterEvents = this.events === this.#chunkedAtEvents ? FIRST_EVENTS : 0;
    return true;
  }

  takeChunk(all: boolean): { chunk: Chunk; open: OpenSet } | null {
    const ready = this.#simulation.takeReady();
    if (ready) return { chunk: ready.chunk, open: ready.open };
    if (!this.#isDue && !(all && this.events !== this.#chunkedAtEvents)) return null;
    this.#chunkAfterEvents = Math.max(FIRST_EVENTS, 2 * this.#chunkAfterEvents);
    this.#chunkedAtEvents = this.events;
    const chunk = this.#simulation.takeChunk();
    return { chunk, open: this.#simulation.openSet() };
  }

  get #isDue(): boolean {
    const since = this.events - this.#chunkedAtEvents;
    return this.#simulation.chunkDue || (since > 0 && since >= this.#chunkAfterEvents);
  }

  /** As `Simulation.join`. */
  join(): Joining | null {
    const joining = this.#simulation.join();
    if (joining === null) return null;
    this.#chunkedAtEvents = this.events;
    return joining;
  }

  /** The tag of the run that `goBack` goes back to; null where there is none. */
  get formerTag(): number | null {
    return this.#simulation.formerTag;
  }

  /** Chunks of the record so far. */
  get chunkCount(): number {
    return this.#simulation.chunkCount;
  }

  /** As `Simulation.goBack`: nothing is left to run or to send. */
  goBack(): World {
    const world = this.#simulation.goBack();
    this.#chunkedAtEvents = this.events;
    this.#cutAtMs = Number.POSITIVE_INFINITY;
    this.#chunkAfterEvents = Number.POSITIVE_INFINITY;
    return world;
  }

  /** Nothing of the run changes but what the owner calls it. */
  rename(tag: number): void {
    this.#simulation.rename(tag);
  }

  /** Goes back to before `editMs` with another world; returns how many chunks stay valid. `tag`: what the owner calls the new run. */
  rewind(world: World, editMs: number, tag = 0): number {
    const { atMs, keepChunks } = this.#simulation.rewind(world, editMs, tag);
    this.#chunkedAtEvents = keepChunks > 0 || atMs > 0 ? this.events : -1;
    this.#cutAtMs = editMs - 1;
    this.#chunkAfterEvents = Number.POSITIVE_INFINITY;
    return keepChunks;
  }

  /** As `Simulation.prepare`. */
  prepare(editMs: number, events: number): boolean {
    return this.#simulation.prepare(editMs, events);
  }

  explain(jobIdx: number, atMs: number): Explanation | null {
    return this.#simulation.explain(jobIdx, atMs);
  }

  /** As `Simulation.shares`. */
  shares(pool: number, atMs: number): readonly ShareRow[] {
    return this.#simulation.shares(pool, atMs);
  }

  /** As `Simulation.queues`. */
  queues(pool: number, atMs: number): readonly QueueFacts[] {
    return this.#simulation.queues(pool, atMs);
  }

  windows(pool: number, atMs: number): readonly KeptWindow[] {
    return this.#simulation.windows(pool, atMs);
  }

  tables(pool: number, atMs: number): SlurmTables | null {
    return this.#simulation.tables(pool, atMs);
  }

  candidates(jobIdx: number, atMs: number): Candidates | null {
    return this.#simulation.candidates(jobIdx, atMs);
  }

  jobFacts(jobIdx: number, atMs: number): JobFacts | null {
    return this.#simulation.jobFacts(jobIdx, atMs);
  }

  /** As `Simulation.trial`. */
  trial(world: World, editMs: number): Run {
    return this.#simulation.trial(world, editMs);
  }

  digest(): string {
    return this.#simulation.digest();
  }

  refused(): Readonly<Record<string, number>> {
    return this.#simulation.refused;
  }
}
