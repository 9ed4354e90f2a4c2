/**
 * Stretches of a run that make no progress: suspension, start-up (image pull, restore) and checkpoints. In the last two devices stay held and
 * the time limit counts on, as it does in Slurm, where it begins with the run and not with the first step. A phase ends by the
 * slot's end event; members that joined a run later start up on their own while the others go on.
 */
import { JobStateCode, MemberStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Application } from "./application/application.ts";
import type { Clock } from "./clock.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import type { Grant } from "./grant.ts";
import type { LiveJobs } from "./liveJobs.ts";
import { moveNode } from "./moves.ts";
import type { Progress } from "./progress.ts";
import { hasReadyMinimum } from "./readyMinimum.ts";

export class Phases {
  /** Where jobs have a life of their own. */
  application: Application | null = null;
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #progress: Progress;
  readonly #events: EventQueue;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(
    world: World,
    live: LiveJobs,
    allocations: Allocations,
    progress: Progress,
    events: EventQueue,
    recorder: Recorder,
    clock: Clock,
  ) {
    this.#world = world;
    this.#live = live;
    this.#allocations = allocations;
    this.#progress = progress;
    this.#events = events;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** The whole run starts up until `untilMs`. */
  startUp(slot: number, jobIdx: number, untilMs: number): void {
    this.enter(slot, jobIdx, JobStateCode.starting, untilMs);
    this.#allocations.relabel(slot, MemberStateCode.starting);
  }

  /** What members do that are given to a run: who needs no start-up forms the group, or reads the state back, with the others. */
  stateOnJoin(jobIdx: number, startupMs: number): number {
    const state = this.#live.jobState[jobIdx]!;
    if (startupMs > 0) return MemberStateCode.starting;
    if (state !== JobStateCode.starting) return MemberStateCode.running;
    return this.application?.memberState(jobIdx, state) ?? MemberStateCode.starting;
  }

  /** Members were given to a run and start up until `readyMs`. */
  join(slot: number, jobIdx: number, readyMs: number): void {
    if (readyMs <= this.#clock.nowMs) return;
    const live = this.#live.at;
    live.readyMs[slot] = Math.max(live.readyMs[slot]!, readyMs);
    this.#events.push(readyMs, EventClass.ready, jobIdx, live.run[slot]!);
  }

  /** Some members of a run have started up. While the run itself pauses, they join when it goes on. */
  ready(jobIdx: number): void {
    const slot = this.#live.slotOf[jobIdx]!;
    const state = this.#live.jobState[jobIdx]!;
    // Who has started up takes part from now on, whatever else changes.
    this.#progress.speeds.touch(jobIdx);
    if (state === JobStateCode.running && this.application?.holdsStill(slot, jobIdx)) return;
    if (state === JobStateCode.running) this.#relabelRunning(slot, jobIdx);
    if (state === JobStateCode.checkpointing)
      this.#allocations.relabelReady(slot, MemberStateCode.checkpointing);
    // Who comes while the others form their group or read the state back does the same from now on.
    const beside = this.application?.memberState(jobIdx, state);
    if (state === JobStateCode.starting && beside !== undefined)
      this.#allocations.relabelReady(slot, beside);
    this.application?.joined(slot, jobIdx);
  }

  /** Progress stops for `durationMs`; then what was done before is safe. */
  checkpoint(slot: number, jobIdx: number, durationMs: number): void {
    this.#progress.settle(slot);
    this.enter(slot, jobIdx, JobStateCode.checkpointing, this.#clock.nowMs + durationMs);
    this.#allocations.relabelReady(slot, MemberStateCode.checkpointing);
    if (durationMs <= 0) this.end(slot, jobIdx);
  }

  /** The end event of a slot that is in a phase has come. False when it is the time limit's. */
  end(slot: number, jobIdx: number): boolean {
    if (this.#live.at.phaseEndMs[slot]! > this.#clock.nowMs) return false;
    const saving = this.#live.jobState[jobIdx] === JobStateCode.checkpointing;
    if (saving && this.#live.at.silent[slot] === 0) {
      this.keepWork(slot, jobIdx);
      if (this.application?.saveOver(slot, jobIdx)) return true;
    } else this.application?.prepared(jobIdx);
    this.proceed(slot, jobIdx);
    return true;
  }

  /** The run goes on, or starts up until all members are ready where the ready ones are too few. Settle the work before. */
  proceed(slot: number, jobIdx: number): void {
    if (this.application?.holdsStill(slot, jobIdx)) return;
    if (!this.#hasReadyMinimum(slot)) {
      this.startUp(slot, jobIdx, this.#live.at.readyMs[slot]!);
      return;
    }
    if (this.application?.prepare(slot, jobIdx)) return;
    this.#live.jobState[jobIdx] = JobStateCode.running;
    this.#relabelRunning(slot, jobIdx);
    this.#progress.go(slot, jobIdx);
  }

  /** Members that have started up take part, those in reserve wait. */
  #relabelRunning(slot: number, jobIdx: number): void {
    this.#allocations.relabelReady(slot, MemberStateCode.running);
    this.application?.labelReserve(slot, jobIdx);
  }

  /** Another limit for the current or next run. */
  setLimit(slot: number, jobIdx: number, limitMs: number): void {
    this.#progress.setLimit(slot, jobIdx, limitMs);
    this.rearm(slot, jobIdx);
  }

  /** The end event of a run anew, after a change of what its limit means. */
  rearm(slot: number, jobIdx: number): void {
    const state = this.#live.jobState[jobIdx]!;
    if (state === JobStateCode.running) {
      this.#progress.settle(slot);
      this.#progress.go(slot, jobIdx);
    }
    if (state === JobStateCode.starting || state === JobStateCode.checkpointing)
      this.#progress.pushPhaseEnd(slot, jobIdx, this.#live.at.phaseEndMs[slot]!);
  }

  /** Progress stops, devices stay held (CPUs only unless they are freed), the clock of the limit stands still. */
  suspend(slot: number, jobIdx: number, freesCpus: boolean): void {
    this.pause(slot, jobIdx);
    if (freesCpus) this.#allocations.moveCpus(slot, true);
    this.#live.jobState[jobIdx] = JobStateCode.suspended;
    this.#allocations.relabel(slot, MemberStateCode.suspended);
  }

  resume(slot: number, jobIdx: number): void {
    this.#allocations.moveCpus(slot, false);
    this.#progress.endPause(slot, jobIdx);
    this.proceed(slot, jobIdx);
  }

  /** Progress and the limit's clock stop. A phase is cut short: a start-up begins anew, a checkpoint keeps nothing. */
  pause(slot: number, jobIdx: number): void {
    const state = this.#live.jobState[jobIdx]!;
    if (state === JobStateCode.running) this.#progress.settle(slot);
    if (state !== JobStateCode.suspended) this.#progress.pause(slot);
    this.application?.checkpoints.interrupt(jobIdx);
  }

  /** Moves what a job holds on a node; progress goes on. */
  move(slot: number, jobIdx: number, fromNode: number, grant: Grant): void {
    moveNode(this.#world, this.#live, this.#allocations, slot, fromNode, grant);
    this.#awaitReady(slot, jobIdx);
  }

  /** Members were lost, taken or moved, and the job still holds its minimum: a running job may have to wait for the ready ones. */
  afterLoss(slot: number, jobIdx: number): void {
    if (!this.application?.lost(slot, jobIdx)) this.#awaitReady(slot, jobIdx);
  }

  #awaitReady(slot: number, jobIdx: number): void {
    if (this.#live.jobState[jobIdx] !== JobStateCode.running) return;
    if (this.#hasReadyMinimum(slot)) return;
    this.#progress.settle(slot);
    this.proceed(slot, jobIdx);
  }

  #hasReadyMinimum(slot: number): boolean {
    return hasReadyMinimum(this.#world, this.#live, this.#allocations, slot, this.#clock.nowMs);
  }

  /** A stretch without progress begins; its end event is its end, or the limit. */
  enter(slot: number, jobIdx: number, state: number, untilMs: number): void {
    this.#live.jobState[jobIdx] = state;
    this.#live.at.phaseEndMs[slot] = untilMs;
    this.#progress.pushPhaseEnd(slot, jobIdx, untilMs);
  }

  /** What is done so far is safe. Nothing is written for a checkpoint that adds nothing to the last one. */
  keepWork(slot: number, jobIdx: number): void {
    const left = this.#live.at.workLeftQ16[slot]!;
    if (left === this.#live.at.safeLeftQ16[slot]) return;
    this.#live.at.safeLeftQ16[slot] = left;
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.saved, 0, jobIdx, 0);
  }
}
