/**
 * A simulation: a run that goes forward, the chunks of its record, and the snapshots between chunks that make it possible to
 * go back. An edit at t restores the last snapshot before t and keeps the chunks up to it; a question about t replays from
 * the nearest snapshot in a second run, by the same code, and leaves the main run alone.
 */

import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { World } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { differsFromMs } from "./differsFrom.ts";
import { Grant } from "./grant.ts";
import { explainHeld } from "./heldJobs.ts";
import { type JobFacts, jobFactsOf } from "./jobFacts.ts";
import { appendOpenRuns, openSetOf } from "./openSet.ts";
import type { Presets } from "./pool.ts";
import { PreparedCut, type ReadyCut } from "./preparedCut.ts";
import { explainRefused, refusedByReason } from "./refusals.ts";
import { type Joint, joinedAt, type Line, Meetings } from "./rejoin.ts";
import { Run } from "./run.ts";
import type { Snapshot } from "./snapshot.ts";
import { SnapshotShelf } from "./snapshotShelf.ts";
import type { Explanation } from "./view.ts";

export interface SimulationOptions {
  /** Whole-state invariants after each instant; slow. */
  readonly checks?: boolean;
  /** Keep snapshots at chunk boundaries (default). Off: `rewind` starts over and `explain` replays from time 0. */
  readonly snapshots?: boolean;
  /** Events after which a chunk is due. Has no influence on results. */
  readonly chunkEvents?: number;
  /** Keep the complete run that a change leaves: `advance` stops where the new one joins it, and `goBack` makes it the run again. Needs snapshots; 60 bytes a job. */
  readonly joins?: boolean;
}

/** Snapshots of a run that is left may take so much beside those of the new one. */
const FORMER_BYTES_MOST = 32 * 1024 * 1024;

export interface Budget {
  /** Runs instants up to this time, inclusive. */
  readonly untilMs: number;
  /** Stops after about this many events, always between instants. */
  readonly maxEvents: number;
}

export class Simulation {
  #world: World;
  #run: Run;
  #chunkFromMs = 0;
  #chunkCount = 0;
  #eventsAtChunk = 0;
  #shelf = new SnapshotShelf();
  /** The run that answers questions, and how far it has come. */
  #replay: Run | null = null;
  #cut: PreparedCut | null = null;
  #ready: ReadyCut | null = null;
  #tag = 0;
  #digestRows: Uint8Array[] = [];
  /** The complete run that a change left last. */
  #former: Line | null = null;
  #meetings: Meetings | null = null;
  #joint: Joint | null = null;
  readonly #presets: Presets;
  readonly #checks: boolean;
  readonly #snapshots: boolean;
  readonly #chunkEvents: number;
  readonly #joins: boolean;

  /** Allocates the state of a world at time 0. O(jobs + devices). Throws on a world that breaks its own rules. */
  constructor(world: World, presets: Presets, options: SimulationOptions = {}) {
    this.#world = world;
    this.#presets = presets;
    this.#checks = options.checks ?? false;
    this.#snapshots = options.snapshots ?? true;
    this.#chunkEvents = options.chunkEvents ?? 20_000;
    this.#joins = this.#snapshots && (options.joins ?? false);
    this.#run = this.#newRun(world, null);
  }

  #newRun(world: World, from: Snapshot | null): Run {
    const run = new Run(world, this.#presets, this.#checks, from);
    if (this.#joins) run.lifecycle.rows.digest.keepRows();
    return run;
  }

  get world(): World {
    return this.#world;
  }

  /** Time of the last complete instant; the horizon once the run is done. */
  get nowMs(): number {
    return this.#run.clock.nowMs;
  }

  get done(): boolean {
    return this.#run.done;
  }

  /** Ends, changes, arrivals, begin times and wake-ups so far. */
  get events(): number {
    return this.#run.eventCount;
  }

  /** Calls of a scheduler so far. */
  get passes(): number {
    return this.#run.passCount;
  }

  /** Jobs that left: ended, cancelled or refused. */
  get jobsDone(): number {
    return this.#run.lifecycle.jobsDone;
  }

  /** Refused jobs by the name of the reason. */
  get refused(): Readonly<Record<string, number>> {
    return refusedByReason(this.#run.lifecycle.refused);
  }

  /** Snapshots kept now, and their bytes. */
  get snapshotBytes(): number {
    return this.#shelf.bytes;
  }

  /** Whether the stretch since the last chunk is long enough to close. With much that lives, stretches are longer. O(1). */
  get chunkDue(): boolean {
    const most = Math.max(this.#chunkEvents, this.#run.live.count >> 1);
    return this.#run.eventCount - this.#eventsAtChunk >= most;
  }

  /**
   * Runs complete instants within the budget. Call again while it says `more`; results do not depend on the slices. `joined`: everything to come is as in the former run;
   * the last chunk is to be taken, then `join` takes the rest over.
   */
  advance(budget: Budget): "more" | "done" | "joined" {
    const run = this.#run;
    const stopAt = run.eventCount + budget.maxEvents;
    for (;;) {
      if (this.#joint) return "joined";
      const meetMs = this.#meetings?.nextMs ?? Number.POSITIVE_INFINITY;
      const untilMs = Math.min(budget.untilMs, meetMs);
      if (run.advance(untilMs, stopAt - run.eventCount)) return "done";
      if (meetMs > budget.untilMs || run.nextMs <= meetMs) return "more";
      this.#joint = this.#meetings?.meet(run) ?? null;
    }
  }

  /**
   * After `joined`, once everything before has been taken as chunks: the rest is the former run's, and this one is over. `tag`: of that run; `fromChunk`: its chunks from
   * there on are the next ones, so many as `chunks`. O(runs behind).
   */
  join(): { readonly tag: number; readonly fromChunk: number; readonly chunks: number } | null {
    const joint = this.#joint;
    if (joint === null) return null;
    const { line, at } = joint;
    const { later, end } = joinedAt(joint);
    const before = this.#chunkCount - at.chunks;
    for (const { snapshot, chunks } of later) this.#shelf.add(snapshot, before + chunks);
    this.#digestRows.push(...line.digestRows.slice(at.chunks));
    this.#stand(this.#newRun(this.#world, end), before + line.chunkCount);
    this.#run.done = true;
    return { tag: line.tag, fromChunk: at.chunks, chunks: line.chunkCount - at.chunks };
  }

  /** Chunks of the record so far, those of a joined run included. */
  get chunkCount(): number {
    return this.#chunkCount;
  }

  /** The tag of the complete run that a change left last; null where there is none. */
  get formerTag(): number | null {
    return this.#former?.tag ?? null;
  }

  /** Makes the former run the run again, as a whole; the present one takes its place if it is complete. Returns its world. O(1). */
  goBack(): World {
    const former = this.#former;
    if (former === null) throw new Error("Invariant broken: there is no former run");
    this.#former = this.#lineNow() ?? former;
    this.#world = former.world;
    this.#tag = former.tag;
    this.#shelf = SnapshotShelf.of(former.shelf);
    this.#digestRows = [...former.digestRows];
    this.#cut = null;
    this.#ready = null;
    this.#stand(former.run, former.chunkCount);
    return former.world;
  }

  /** What the owner calls the run from now on. */
  rename(tag: number): void {
    this.#tag = tag;
  }

  /** Goes on with a run that stands at the end of a chunk. */
  #stand(run: Run, chunkCount: number): void {
    this.#run = run;
    this.#replay = null;
    this.#joint = null;
    this.#meetings = null;
    this.#chunkCount = chunkCount;
    this.#chunkFromMs = run.clock.nowMs;
    this.#eventsAtChunk = run.eventCount;
  }

  #lineNow(): Line | null {
    const run = this.#run;
    const isWhole = run.done && this.#eventsAtChunk === run.eventCount;
    if (!this.#joins || !isWhole || this.#shelf.bytes > FORMER_BYTES_MOST) return null;
    return {
      world: this.#world,
      tag: this.#tag,
      run,
      shelf: this.#shelf.all,
      chunkCount: this.#chunkCount,
      digestRows: this.#digestRows.slice(),
    };
  }

  /** Closes the stretch since the last chunk and takes a snapshot. O(rows of the stretch + what lives). */
  takeChunk(): Chunk {
    const toMs = this.#run.clock.nowMs;
    const chunk = this.#run.recorder.takeChunk(this.#chunkFromMs, toMs);
    this.#chunkFromMs = toMs;
    this.#chunkCount++;
    this.#eventsAtChunk = this.#run.eventCount;
    if (this.#joins) this.#digestRows.push(this.#run.lifecycle.rows.digest.takeRows());
    if (this.#snapshots && !this.#run.done) this.#shelf.add(this.#run.snapshot(), this.#chunkCount);
    return chunk;
  }

  /** What is open now: rectangles, waits and node spans without an end. O(what lives). */
  openSet(): OpenSet {
    return openSetOf(this.#run);
  }

  /** SHA-256 of what happened so far (`record/digest.ts`), as hex. The run goes on unchanged. O(open runs). */
  digest(): string {
    const copy = this.#run.lifecycle.rows.digest.copy();
    appendOpenRuns(this.#run, copy);
    return copy.hex();
  }

  /**
   * Goes on with another world that is equal to this one before `editMs`: jobs may have been appended or dropped at the end of the table, changes may differ at or after it. Goes back to the
   * last snapshot before `editMs`, or to the start. Returns its time and how many chunks taken so far stay valid. `tag`: what the owner calls the new run. O(jobs + devices).
   */
  rewind(world: World, editMs: number, tag = 0): { atMs: number; keepChunks: number } {
    this.#former = this.#lineNow() ?? this.#former;
    const fromMs = differsFromMs(this.#world, world, editMs);
    const kept = this.#shelf.dropFrom(fromMs);
    const keepChunks = kept?.chunks ?? 0;
    const cut = this.#cut?.chunks === keepChunks ? this.#cut.ready : null;
    const ready = cut !== null && cut.snapshot.atMs < fromMs ? cut : null;
    this.#digestRows.length = Math.min(this.#digestRows.length, keepChunks);
    if (ready) {
      this.#shelf.add(ready.snapshot, keepChunks + 1);
      if (this.#joins) this.#digestRows.push(ready.digestRows);
    }
    this.#ready = ready;
    this.#cut = null;
    this.#world = world;
    this.#tag = tag;
    const from = ready?.snapshot ?? kept?.snapshot ?? null;
    this.#stand(this.#newRun(world, from), keepChunks + (ready ? 1 : 0));
    if (this.#former) this.#meetings = new Meetings(this.#former, world, fromMs, this.#presets);
    return { atMs: this.#chunkFromMs, keepChunks };
  }

  /**
   * Computes ahead what a change at `editMs` will need, for about so many events; true while something is left. The run, which must be complete or past that time, is
   * left as it is. O(jobs + devices) at the first call for a time.
   */
  prepare(editMs: number, events: number): boolean {
    if (editMs > this.nowMs) return false;
    if (this.#cut?.editMs !== editMs) {
      const kept = this.#shelf.shelvedAtOrBefore(editMs - 1);
      const run = new Run(this.#world, this.#presets, this.#checks, kept?.snapshot ?? null);
      this.#cut = new PreparedCut(editMs, kept?.chunks ?? 0, run);
    }
    return this.#cut.advance(events);
  }

  /** After a `rewind`, the chunk that was computed ahead, once: it follows those that stay valid and comes before all others. */
  takeReady(): { readonly chunk: Chunk; readonly open: OpenSet } | null {
    const ready = this.#ready;
    this.#ready = null;
    return ready;
  }

  /** What would come of a change: a run of another world that is equal to this one before `editMs`. The simulation is left as it is. O(jobs + devices). */
  trial(world: World, editMs: number): Run {
    const fromMs = differsFromMs(this.#world, world, editMs);
    return new Run(world, this.#presets, this.#checks, this.#shelf.lastAtOrBefore(fromMs - 1));
  }

  /**
   * Why a job waits, seen after everything that happened at or before `atMs`; null when it does not wait then. Replays from
   * the nearest snapshot, or goes on from the last question where that is nearer. Times after `nowMs` are read as `nowMs`.
   */
  explain(jobIdx: number, atMs: number): Explanation | null {
    if (jobIdx < 0 || jobIdx >= this.#world.jobs.count) return null;
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const held = explainHeld(run, jobIdx);
    if (held) return held;
    const slot = run.live.slotOf[jobIdx]!;
    if (slot < 0) return explainRefused(run, jobIdx);
    if (run.live.at.waitingAt[slot]! < 0) return null;
    const pool = run.pools[this.#world.poolOfJob[jobIdx]!]!;
    return pool.scheduler.explain(pool.desk, pool.state, jobIdx);
  }

  /**
   * The tables that a pool's scheduler shows, seen after everything that happened at or before `atMs`; null where it shows none.
   * Replays as `explain` does.
   */
  tables(pool: number, atMs: number): SlurmTables | null {
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const { scheduler, desk, state } = run.pools[pool]!;
    return scheduler.tables?.(desk, state, atMs) ?? null;
  }

  /** Who uses how much in a pool, seen after everything at or before `atMs`; empty where its scheduler keeps no books. Replays as `explain` does. */
  shares(pool: number, atMs: number): readonly ShareRow[] {
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const { scheduler, desk, state } = run.pools[pool]!;
    return scheduler.shares?.(desk, state) ?? [];
  }

  /** The queues of a pool's admission at `atMs`; empty where its scheduler has none. Replays as `explain` does. */
  queues(pool: number, atMs: number): readonly QueueFacts[] {
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const { scheduler, desk, state } = run.pools[pool]!;
    return scheduler.queues?.(desk, state) ?? [];
  }

  /** Windows and reservations of a pool as its scheduler keeps them at `atMs`. Replays as `explain` does. */
  windows(pool: number, atMs: number): readonly KeptWindow[] {
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const { scheduler, state } = run.pools[pool]!;
    return scheduler.windows?.(state) ?? [];
  }

  /** The nodes that a waiting job could go to, and what takes each away; null when it does not wait, or its scheduler does not say. Replays as `explain` does. */
  candidates(jobIdx: number, atMs: number): Candidates | null {
    if (jobIdx < 0 || jobIdx >= this.#world.jobs.count) return null;
    const run = this.#runAt(Math.min(atMs, this.nowMs));
    const slot = run.live.slotOf[jobIdx]!;
    if (slot < 0 || run.live.at.waitingAt[slot]! < 0 || explainHeld(run, jobIdx)) return null;
    const { scheduler, desk, state } = run.pools[this.#world.poolOfJob[jobIdx]!]!;
    return scheduler.candidates?.(desk, state, jobIdx) ?? null;
  }

  /**
   * What a job depends on and what its pool's scheduler says of it, seen after everything that happened at or before `atMs`; null for a
   * job that is none. Replays as `explain` does. O(dependencies of all jobs).
   */
  jobFacts(jobIdx: number, atMs: number): JobFacts | null {
    if (jobIdx < 0 || jobIdx >= this.#world.jobs.count) return null;
    const seenMs = Math.min(atMs, this.nowMs);
    return jobFactsOf(this.#runAt(seenMs), this.#world, jobIdx, seenMs);
  }

  /** Nodes on which a living job holds anything now, CPUs without devices included, in the order held. O(what it holds). */
  nodesOf(jobIdx: number): number[] {
    const grant = new Grant();
    this.#run.pools[this.#world.poolOfJob[jobIdx]!]!.desk.holdings(jobIdx, grant);
    return [...new Set(grant.node.subarray(0, grant.length))];
  }

  /** A run whose last complete instant is the last one at or before `atMs`. */
  #runAt(atMs: number): Run {
    if (atMs >= this.nowMs) return this.#run;
    const near = this.#shelf.lastAtOrBefore(atMs);
    const nearMs = near?.atMs ?? 0;
    let run = this.#replay;
    if (run === null || run.clock.nowMs > atMs || run.clock.nowMs < nearMs) {
      run = new Run(this.#world, this.#presets, this.#checks, near);
    }
    run.advance(atMs, Number.POSITIVE_INFINITY);
    run.recorder.takeChunk(0, 0);
    this.#replay = run;
    return run;
  }
}
