/**
 * When a job saves its state, apart from its own interval: told to stop within a grace, and shortly before its limit where it is queued again then. A
 * checkpoint that is cut short keeps nothing.
 */
import type { Checkpointing, JobLife } from "../../model/lab/jobLife.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS, SPEED_ONE } from "../../model/units.ts";
import type { Clock } from "../clock.ts";
import type { LiveJobs } from "../liveJobs.ts";
import type { Phases } from "../phases.ts";
import { type AppJob, type AppJobs, Preparing, Saving } from "./appJobs.ts";
import type { SavedWork } from "./savedWork.ts";
import { Direction, type Transfers } from "./transfers.ts";

/** Runs in a row that reach their limit and add nothing to what is saved; then a job that is queued again at its limit gives up. */
const FRUITLESS_MOST = 100;

export class Checkpoints {
  readonly #apps: AppJobs;
  readonly #live: LiveJobs;
  readonly #transfers: Transfers;
  readonly #saved: SavedWork;
  readonly #phases: Phases;
  readonly #clock: Clock;

  constructor(
    apps: AppJobs,
    live: LiveJobs,
    transfers: Transfers,
    saved: SavedWork,
    phases: Phases,
    clock: Clock,
  ) {
    this.#apps = apps;
    this.#live = live;
    this.#transfers = transfers;
    this.#saved = saved;
    this.#phases = phases;
    this.#clock = clock;
  }

  /** A phase is cut short: what is on its way is broken off. */
  interrupt(jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return;
    this.#transfers.drop(jobIdx);
    app.saving = Saving.none;
    app.preparing = Preparing.nothing;
  }

  /** The job is told to stop within a grace; how long it takes (ms, at most the grace). Settle its work before. */
  signalled(slot: number, jobIdx: number, state: number, graceMs: number): number {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return graceMs;
    const { checkpoint } = this.#apps.life(app);
    const still = app.stallEndMs >= 0 || app.idleEndMs >= 0 || state === JobStateCode.suspended;
    if (!checkpoint?.onSignal || still) {
      this.interrupt(jobIdx);
      return graceMs;
    }
    if (state === JobStateCode.checkpointing) {
      const leftMs = this.#live.at.phaseEndMs[slot]! - this.#clock.nowMs;
      return this.#finishOnSignal(app, leftMs, graceMs);
    }
    this.interrupt(jobIdx);
    const live = this.#live.at;
    if (state !== JobStateCode.running || live.workLeftQ16[slot] === live.safeLeftQ16[slot])
      return 0;
    const sizeQ16 = this.#transfers.aloneQ16(checkpoint, Direction.write);
    if (sizeQ16 < 0) return this.#finishOnSignal(app, checkpoint.costMs, graceMs);
    this.#transfers.begin(jobIdx, Direction.write, sizeQ16);
    app.saving = Saving.onSignal;
    return graceMs;
  }

  /** The grace is over, or the job has ended within it. */
  graceOver(slot: number, jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app?.saving !== Saving.onSignal || this.#transfers.has(jobIdx)) return;
    if (this.#live.at.silent[slot] === 0) this.#phases.keepWork(slot, jobIdx);
    this.#saved.saved(app, slot);
  }

  /**
   * The run stops at its limit: whether the job is queued again, or would be if another run could do better. A job that saves in no time saves at the
   * signal.
   */
  atLimit(slot: number, jobIdx: number): "ends" | "again" | "givesUp" {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return "ends";
    const life = this.#apps.life(app);
    if (!life.requeueAtLimit) return "ends";
    const running = this.#live.jobState[jobIdx] === JobStateCode.running;
    if (running && this.lastSaveMs(life) === 0 && this.#live.at.silent[slot] === 0) {
      this.#phases.keepWork(slot, jobIdx);
      this.#saved.saved(app, slot);
    }
    const gained = this.#live.at.safeLeftQ16[slot]! < app.safeAtStartQ16;
    app.fruitless = gained ? 0 : app.fruitless + 1;
    if (app.fruitless === 0) return "again";
    const hopeless = app.fruitless >= FRUITLESS_MOST || this.#isHopeless(app, life, slot);
    return hopeless ? "givesUp" : "again";
  }

  /**
   * Whether no run within the limit can end the work or save anything, at the best: filesystem to itself, full speed, nothing lost on the way. Only asked of
   * jobs that are never faster than their work says. O(1).
   */
  #isHopeless(app: AppJob, life: JobLife, slot: number): boolean {
    const { checkpoint, startupMs } = life;
    if (life.elastic !== null || life.session !== null || (life.nodes?.models.length ?? 0) > 0)
      return false;
    const leftQ16 = this.#live.at.safeLeftQ16[slot]!;
    const goesOn = life.continues === true || leftQ16 < this.#apps.workQ16(app);
    const reads = checkpoint !== null && goesOn;
    const readMs = reads ? this.#aloneMs(checkpoint, Direction.read, 0) + checkpoint.restoreMs : 0;
    const worksMs = this.#live.at.limitMs[slot]! - startupMs - readMs;
    if (leftQ16 / SPEED_ONE <= worksMs) return false;
    if (checkpoint === null) return true;
    const saveMs = this.#aloneMs(checkpoint, Direction.write, checkpoint.costMs);
    return checkpoint.everyMs + saveMs > worksMs && !(checkpoint.onSignal && saveMs < worksMs);
  }

  /** How long a state is on its way with nobody beside it, ms; `otherwiseMs` where its size is not known. */
  #aloneMs(checkpoint: Checkpointing, direction: number, otherwiseMs: number): number {
    const sizeQ16 = this.#transfers.aloneQ16(checkpoint, direction);
    return sizeQ16 < 0 ? otherwiseMs : Math.ceil(sizeQ16 / SPEED_ONE);
  }

  /** Begins a checkpoint of a running job. It may be over, and the run with it, when this returns. */
  save(app: AppJob, slot: number, life: JobLife): void {
    const checkpoint = life.checkpoint!;
    const sizeQ16 = this.#transfers.aloneQ16(checkpoint, Direction.write);
    if (sizeQ16 < 0) {
      this.#phases.checkpoint(slot, app.jobIdx, checkpoint.costMs);
      return;
    }
    this.#phases.checkpoint(slot, app.jobIdx, NEVER_MS);
    this.#transfers.begin(app.jobIdx, Direction.write, sizeQ16);
  }

  /** How long before its limit a job that is queued again then begins to save; −∞ for one that does not. */
  lastSaveMs(life: JobLife): number {
    const { checkpoint, requeueAtLimit } = life;
    if (!checkpoint?.onSignal || !requeueAtLimit) return Number.NEGATIVE_INFINITY;
    return this.#aloneMs(checkpoint, Direction.write, checkpoint.costMs);
  }

  #finishOnSignal(app: AppJob, leftMs: number, graceMs: number): number {
    app.saving = leftMs <= graceMs || leftMs === NEVER_MS ? Saving.onSignal : Saving.none;
    return Math.min(leftMs, graceMs);
  }
}
