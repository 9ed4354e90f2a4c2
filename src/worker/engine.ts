/** The engine as the run loop sees it: a simulation, the end it heads for, and when a part of its record is worth sending. */

import type { Run } from "../engine/run.ts";
import { Simulation } from "../engine/simulation.ts";
import type { Explanation, JobFacts } from "../engine/view.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import { LIMITS } from "../model/limits.ts";
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { World } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { schedulerOf } from "../schedulers/registry.ts";
import { tooLongRun } from "../workload/problems.ts";
import type { RunEngine } from "./runLoop.ts";

/** Small runs are cut finely, so that an edit recomputes little; long ones coarsely, so that chunks stay few. */
function chunkEvents(jobs: number): number {
  return Math.min(20_000, Math.max(500, jobs >> 4));
}

export class WorldEngine implements RunEngine {
  readonly #simulation: Simulation;
  #chunkedAtEvents = -1;

  constructor(world: World) {
    this.#simulation = new Simulation(world, schedulerOf, {
      chunkEvents: chunkEvents(world.jobs.count),
    });
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
    const outcome = this.#simulation.advance({ untilMs: LIMITS.horizonMs, maxEvents: events });
    if (outcome === "done") return false;
    if (this.#simulation.events === before) {
      const { message, remedy } = tooLongRun();
      throw new Error(`${message} ${remedy}`);
    }
    return true;
  }

  takeChunk(all: boolean): { chunk: Chunk; open: OpenSet } | null {
    if (!this.#simulation.chunkDue && !(all && this.events !== this.#chunkedAtEvents)) return null;
    this.#chunkedAtEvents = this.events;
    const chunk = this.#simulation.takeChunk();
    return { chunk, open: this.#simulation.openSet() };
  }

  /** Goes back to before `editMs` with another world; returns how many chunks stay valid. */
  rewind(world: World, editMs: number): number {
    const { keepChunks } = this.#simulation.rewind(world, editMs);
    this.#chunkedAtEvents = keepChunks > 0 ? this.events : -1;
    return keepChunks;
  }

  explain(jobIdx: number, atMs: number): Explanation | null {
    return this.#simulation.explain(jobIdx, atMs);
  }

  /** As `Simulation.shares`. */
  shares(pool: number, atMs: number): readonly ShareRow[] {
    return this.#simulation.shares(pool, atMs);
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
