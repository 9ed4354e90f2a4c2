/**
 * The life of a job: submitted, held or queued, placed, starting, running, checkpointing, suspended, ending, queued again, done. Every change of state
 * goes through here, whoever asks for it (arrivals, ends, failures, interventions, schedulers), and leaves its trace in the
 * record, in the digest and in the news of the job's pool.
 */
import { JobFlag } from "../model/jobs.ts";
import { StopReasonCode } from "../model/reasons.ts";
import { EndStateCode, JobStateCode, MemberStateCode, NodeStateCode } from "../model/states.ts";
import { NEVER_MS } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { RunDigest } from "../record/digest.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Application, RunHost } from "./application/application.ts";
import { newApplication } from "./application/part.ts";
import type { Clock } from "./clock.ts";
import { DependencyLife } from "./dependencyLife.ts";
import type { EventQueue } from "./eventQueue.ts";
import type { Grant } from "./grant.ts";
import type { PoolNews } from "./happened.ts";
import { broken } from "./ledger.ts";
import { Ending, Hold, HoldBy, type LiveJobs } from "./liveJobs.ts";
import { Losses } from "./losses.ts";
import { Phases } from "./phases.ts";
import { Progress } from "./progress.ts";
import { Queueing } from "./queueing.ts";
import { Respeed } from "./respeed.ts";
import { RunRows } from "./runRows.ts";
import type { LifeRules } from "./view.ts";
import { Waits } from "./waits.ts";

export class Lifecycle implements RunHost {
  readonly live: LiveJobs;
  readonly dependencies: DependencyLife;
  readonly waits: Waits;
  readonly queueing: Queueing;
  jobsDone = 0;
  /** Refused jobs by `WaitReasonCode`. */
  readonly refused = new Float64Array(256);
  readonly rows: RunRows;
  readonly phases: Phases;
  readonly losses: Losses;
  readonly respeed: Respeed;
  /** Where jobs have a life of their own. */
  readonly application: Application | null;
  readonly #world: World;
  readonly #allocations: Allocations;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;
  /** Of each pool; replaced at a change of its policy. */
  readonly rules: readonly LifeRules[];

  constructor(
    world: World,
    live: LiveJobs,
    allocations: Allocations,
    events: EventQueue,
    recorder: Recorder,
    digest: RunDigest,
    news: readonly PoolNews[],
    clock: Clock,
    rules: readonly LifeRules[],
  ) {
    this.rules = rules;
    this.#world = world;
    this.live = live;
    this.#allocations = allocations;
    this.#recorder = recorder;
    this.rows = new RunRows(live, recorder, digest, clock);
    this.#news = news;
    this.#clock = clock;
    this.waits = new Waits(world, live, recorder, clock);
    this.queueing = new Queueing(
      world,
      live,
      this.waits,
      events,
      news,
      clock,
      rules,
      (slot, jobIdx) =>
        this.#leave(slot, jobIdx, EndStateCode.cancelled, StopReasonCode.dependencyNeverMet),
    );
    this.dependencies = new DependencyLife(world.jobs, live, events, clock, this.queueing);
    this.#progress = new Progress(world, live, events, clock, rules);
    this.respeed = new Respeed(live, this.#progress, recorder, clock);
    this.phases = new Phases(world, live, allocations, this.#progress, events, recorder, clock);
    this.losses = new Losses(this, live, allocations, news, world, recorder, clock);
    this.application =
      world.jobs.lab.size === 0
        ? null
        : newApplication(
            world,
            live,
            allocations,
            this.#progress,
            this.phases,
            events,
            recorder,
            clock,
            this,
          );
    if (this.application) this.respeed.watch(world, allocations);
    this.phases.application = this.application;
    this.#progress.application = this.application;
  }

  /** A job arrives. One that was cancelled before it came does not. */
  submit(jobIdx: number): void {
    if (this.live.jobState[jobIdx] !== JobStateCode.unsubmitted) {
      this.jobsDone++;
      this.dependencies.ended(jobIdx, EndStateCode.cancelled);
      return;
    }
    const slot = this.live.open(jobIdx);
    this.application?.opened(jobIdx);
    this.waits.start(slot, jobIdx);
    if (this.#world.jobs.slurm.get(jobIdx)?.hold) this.live.at.heldBy[slot] = HoldBy.user;
    this.dependencies.begin(slot, jobIdx);
    this.queueing.enter(slot, jobIdx);
  }

  /** Gives devices; the run starts once the minimum of members holds. Returns true when it started now. */
  place(slot: number, grant: Grant, startReason: number, startupMs: number): boolean {
    const live = this.live.at;
    const jobIdx = live.jobIdx[slot]!;
    const state = this.live.jobState[jobIdx]!;
    this.#newsOf(jobIdx).dealtWith(jobIdx);
    if (state === JobStateCode.running || state === JobStateCode.starting) {
      this.#join(slot, jobIdx, grant, startupMs);
      return false;
    }
    if (live.runStartMs[slot]! < 0) {
      live.runStartMs[slot] = this.#clock.nowMs;
      live.run[slot] = live.run[slot]! + 1;
      live.startReason[slot] = startReason;
      this.live.enterHolding(slot);
    }
    this.#allocations.give(slot, grant, MemberStateCode.held, -1);
    if (!this.#allocations.hasMinimum(jobIdx)) {
      this.live.jobState[jobIdx] = JobStateCode.placed;
      return false;
    }
    this.#start(slot, jobIdx, startupMs);
    return true;
  }

  /** The end event of a slot has come: work done, limit reached, a phase over, or the grace of an eviction. */
  end(slot: number): void {
    const jobIdx = this.live.at.jobIdx[slot]!;
    const state = this.live.jobState[jobIdx]!;
    if (state === JobStateCode.ending) {
      this.application?.checkpoints.graceOver(slot, jobIdx);
      if (this.live.at.requeue[slot] === Ending.timeout) this.timeOut(slot, jobIdx);
      else this.#finishEviction(slot, jobIdx);
      return;
    }
    if (state === JobStateCode.placed) {
      this.application?.moment(slot, jobIdx, NEVER_MS);
      return;
    }
    if (state !== JobStateCode.running) {
      if (this.phases.end(slot, jobIdx)) return;
    } else this.#progress.settle(slot);
    if (this.#progress.isDone(slot, jobIdx)) {
      const fails = (this.#world.jobs.at.flags[jobIdx]! & JobFlag.fails) !== 0;
      const endState = fails ? EndStateCode.failed : EndStateCode.completed;
      this.stop(slot, jobIdx, endState, StopReasonCode.workDone);
      this.finish(slot, jobIdx, endState);
      return;
    }
    const stopMs = this.#progress.stopMs(jobIdx);
    if (this.application && this.#clock.nowMs < stopMs) {
      this.application.moment(slot, jobIdx, stopMs);
      return;
    }
    if (this.#clock.nowMs < this.live.limitEndMs[jobIdx]!)
      broken(`job ${jobIdx} ended with work left before its limit`);
    const termMs = this.#world.jobs.slurm.get(jobIdx)?.termMs ?? 0;
    const killMs = Math.min(termMs, this.#rulesOf(jobIdx).killWaitMs ?? 0);
    if (killMs > 0) this.#endLater(slot, jobIdx, Ending.timeout, killMs);
    else this.timeOut(slot, jobIdx);
  }

  /** The run ends at its limit; a job that asked for it is queued again. */
  timeOut(slot: number, jobIdx: number): void {
    const then = this.application?.checkpoints.atLimit(slot, jobIdx) ?? "ends";
    const { fruitless, timeLimit } = StopReasonCode;
    this.stop(slot, jobIdx, EndStateCode.timeout, then === "givesUp" ? fruitless : timeLimit);
    if (then === "again") this.requeue(slot, jobIdx);
    else this.finish(slot, jobIdx, EndStateCode.timeout);
  }

  /** The run ends, and the job with it. */
  endRun(slot: number, jobIdx: number, endState: number, stopReason: number): void {
    this.withdrawPlaced(jobIdx);
    this.stop(slot, jobIdx, endState, stopReason);
    this.finish(slot, jobIdx, endState);
  }

  /** Progress is over; the devices stay held for `graceMs` more. */
  #endLater(slot: number, jobIdx: number, ending: number, graceMs: number): void {
    this.live.at.requeue[slot] = ending;
    this.live.jobState[jobIdx] = JobStateCode.ending;
    const memberState = this.application?.memberState(jobIdx, JobStateCode.ending);
    this.#allocations.relabel(slot, memberState ?? MemberStateCode.ending);
    this.#progress.pushEnd(slot, this.#clock.nowMs + graceMs);
  }

  /** The user cancels a job, wherever it is. */
  cancel(jobIdx: number): void {
    const slot = this.live.slotOf[jobIdx]!;
    if (slot < 0) this.cancelUnsubmitted(jobIdx);
    if (slot < 0) return;
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.cancel, 0, jobIdx, 0);
    if (this.live.at.runStartMs[slot]! < 0) {
      this.#leave(slot, jobIdx, EndStateCode.cancelled, StopReasonCode.cancelledByUser);
      return;
    }
    this.withdrawPlaced(jobIdx);
    this.stop(slot, jobIdx, EndStateCode.cancelled, StopReasonCode.cancelledByUser);
    this.finish(slot, jobIdx, EndStateCode.cancelled);
  }

  /** A job that has not come will not come; no effect on others. */
  cancelUnsubmitted(jobIdx: number): void {
    if (this.live.jobState[jobIdx] === JobStateCode.unsubmitted)
      this.live.jobState[jobIdx] = JobStateCode.done;
  }

  /** A waiting job that can never run leaves. */
  refuse(slot: number, waitReason: number): void {
    const jobIdx = this.live.at.jobIdx[slot]!;
    this.refused[waitReason] = this.refused[waitReason]! + 1;
    this.live.leaveWaiting(slot);
    this.#newsOf(jobIdx).dealtWith(jobIdx);
    this.#leaveRecord(slot, jobIdx, EndStateCode.refused, StopReasonCode.none);
  }

  retier(jobIdx: number, tier: number): void {
    const slot = this.live.slotOf[jobIdx]!;
    const before = this.live.tierOfJob[jobIdx]!;
    this.live.tierOfJob[jobIdx] = tier;
    if (slot < 0 || before === tier) return;
    this.#allocations.moveTier(slot, before, tier);
    this.waits.moveTier(slot, jobIdx, before, tier);
    this.#newsOf(jobIdx).retiered(jobIdx);
  }

  /** Stops a run after `graceMs`; a run that has made no start yet stops at once. */
  evict(
    slot: number,
    requeue: boolean,
    graceMs: number,
    forJobIdx: number,
    stopReason: number = StopReasonCode.preempted,
  ): void {
    const live = this.live.at;
    const jobIdx = live.jobIdx[slot]!;
    const state = this.live.jobState[jobIdx]!;
    const ending = requeue ? Ending.requeue : Ending.cancel;
    live.requeue[slot] = ending;
    live.evictedFor[slot] = forJobIdx;
    live.evictReason[slot] = stopReason;
    const hangMs = this.#world.jobs.lab.get(jobIdx)?.hangsOnEndMs ?? 0;
    // On devices that others have meanwhile nothing is left to end.
    const hasNone = state === JobStateCode.placed || live.lent[slot] === 1;
    if (graceMs + hangMs <= 0 || hasNone) {
      this.#finishEviction(slot, jobIdx);
      return;
    }
    if (state === JobStateCode.running) this.#progress.settle(slot);
    const stopsInMs =
      this.application?.checkpoints.signalled(slot, jobIdx, state, graceMs) ?? graceMs;
    this.#endLater(slot, jobIdx, ending, stopsInMs + hangMs);
  }

  /** Moves what a job holds on a node; progress goes on. */
  move(slot: number, jobIdx: number, fromNode: number, grant: Grant): void {
    this.phases.move(slot, jobIdx, fromNode, grant);
    this.refreshSilent(slot);
  }

  /** Looks again whether the job holds a node that has failed unnoticed. O(entries). */
  refreshSilent(slot: number): void {
    const jobIdx = this.live.at.jobIdx[slot]!;
    const silent = this.#allocations.holdsNodeIn(slot, NodeStateCode.silent);
    const running = this.live.jobState[jobIdx] === JobStateCode.running;
    this.#progress.setSilent(slot, jobIdx, silent, running);
  }

  setSpeed(slot: number, speedQ16: number): void {
    const jobIdx = this.live.at.jobIdx[slot]!;
    const running = this.live.jobState[jobIdx] === JobStateCode.running;
    this.#progress.setSpeed(slot, jobIdx, speedQ16, running);
  }

  #rulesOf(jobIdx: number): LifeRules {
    return this.rules[this.#world.poolOfJob[jobIdx]!]!;
  }

  #newsOf(jobIdx: number): PoolNews {
    return this.#news[this.#world.poolOfJob[jobIdx]!]!;
  }

  /** A job that holds too few members also waits: when something from outside stops it, it is withdrawn as well as released. */
  withdrawPlaced(jobIdx: number): void {
    if (this.live.jobState[jobIdx] === JobStateCode.placed) this.#newsOf(jobIdx).withdrawn(jobIdx);
  }

  /** The minimum of members holds: the run starts, or goes on where it lacked members. */
  #start(slot: number, jobIdx: number, startupMs: number): void {
    this.live.leaveWaiting(slot);
    this.waits.end(slot, jobIdx);
    const goesOn = this.live.at.pausedMs[slot]! >= 0;
    this.#allocations.moveCpus(slot, false);
    if (goesOn) this.#progress.endPause(slot, jobIdx);
    else this.#progress.startLimit(slot, jobIdx);
    if (this.application) this.application.runStarts(slot, jobIdx, startupMs, goesOn);
    else if (startupMs > 0) this.phases.startUp(slot, jobIdx, this.#clock.nowMs + startupMs);
    else this.phases.proceed(slot, jobIdx);
    if (!goesOn) this.dependencies.started(jobIdx);
  }

  /** Members join a run; where it makes progress already, it goes on with or without them. */
  #join(slot: number, jobIdx: number, grant: Grant, askedStartupMs: number): void {
    const startupMs = askedStartupMs + (this.application?.startupMs(jobIdx) ?? 0);
    const joined = this.phases.stateOnJoin(jobIdx, startupMs);
    const readyMs = startupMs > 0 ? this.#clock.nowMs + startupMs : -1;
    this.#allocations.give(slot, grant, joined, readyMs);
    this.phases.join(slot, jobIdx, readyMs);
    if (readyMs < 0) this.application?.joined(slot, jobIdx);
  }

  /** Closes the run: devices back, rows written. The job is then finished or queued again by the caller. */
  stop(slot: number, jobIdx: number, endState: number, stopReason: number): void {
    const state = this.live.jobState[jobIdx]!;
    this.application?.stopped(jobIdx);
    this.#progress.voidEnd(slot);
    this.#allocations.takeAll(slot, endState);
    this.live.leaveHolding(slot);
    if (state === JobStateCode.placed) {
      this.live.leaveWaiting(slot);
      this.waits.end(slot, jobIdx);
    }
    this.rows.close(slot, jobIdx, endState, stopReason);
    this.#newsOf(jobIdx).released(jobIdx);
  }

  #finishEviction(slot: number, jobIdx: number): void {
    const requeue = this.live.at.requeue[slot] === Ending.requeue;
    const endState =
      this.live.at.evictedFor[slot]! >= 0
        ? EndStateCode.preempted
        : requeue
          ? EndStateCode.requeued
          : EndStateCode.cancelled;
    this.stop(slot, jobIdx, endState, this.live.at.evictReason[slot]!);
    if (requeue) this.requeue(slot, jobIdx);
    else this.finish(slot, jobIdx, endState);
  }

  /** Queued again; the work of before its last checkpoint is kept. */
  requeue(slot: number, jobIdx: number): void {
    this.live.clearRun(slot);
    this.live.at.workLeftQ16[slot] = this.live.at.safeLeftQ16[slot]!;
    this.live.at.startMs[slot] = NEVER_MS;
    this.live.limitEndMs[jobIdx] = NEVER_MS;
    this.waits.start(slot, jobIdx);
    this.queueing.enter(slot, jobIdx);
  }

  /** A job that holds nothing leaves: cancelled, or its dependency can never be met. */
  #leave(slot: number, jobIdx: number, endState: number, stopReason: number): void {
    const state = this.live.jobState[jobIdx]!;
    if (state === JobStateCode.queued || state === JobStateCode.admitted) {
      this.live.leaveWaiting(slot);
      this.#newsOf(jobIdx).withdrawn(jobIdx);
    } else if (this.live.at.holds[slot] === Hold.scheduler) {
      this.#newsOf(jobIdx).withdrawn(jobIdx);
    }
    this.#leaveRecord(slot, jobIdx, endState, stopReason);
  }

  #leaveRecord(slot: number, jobIdx: number, endState: number, stopReason: number): void {
    this.waits.end(slot, jobIdx);
    this.rows.leave(jobIdx, endState, stopReason);
    this.finish(slot, jobIdx, endState);
  }

  finish(slot: number, jobIdx: number, endState: number): void {
    this.live.close(slot);
    this.application?.closed(jobIdx);
    this.jobsDone++;
    this.dependencies.ended(jobIdx, endState);
  }
}
