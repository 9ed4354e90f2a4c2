/**
 * The life of jobs as far as it is their own: what the engine calls when a run starts, makes progress, pauses, loses or gains members, is told to
 * stop. Only made for worlds in which a job has a life (`JobTable.lab`); other worlds pay nothing.
 *
 * A running job's next moment of its own (checkpoint, idle, time-out of a collective) is part of its end event, as the end of its work and its
 * limit are; transfers over a shared filesystem have one event a direction. At one instant work that is done comes first, then the limit, then these.
 */
import { StopReasonCode } from "../../model/reasons.ts";
import { EndStateCode, JobStateCode, MemberStateCode } from "../../model/states.ts";
import { NEVER_MS, SPEED_ONE } from "../../model/units.ts";
import type { World } from "../../model/world.ts";
import type { Recorder } from "../../record/recorder.ts";
import type { Allocations } from "../allocations.ts";
import type { Clock } from "../clock.ts";
import type { EventQueue } from "../eventQueue.ts";
import { HoldBy, type LiveJobs } from "../liveJobs.ts";
import type { Phases } from "../phases.ts";
import type { Progress } from "../progress.ts";
import { type AppJob, AppJobs, forgetRun, Preparing, Saving } from "./appJobs.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Groups, groupSpeedQ16, WORKERS_LOST } from "./groups.ts";
import { relabelReserve } from "./reserve.ts";
import { SavedWork } from "./savedWork.ts";
import type { SharedLinkCopy } from "./sharedLink.ts";
import { Direction, Transfers } from "./transfers.ts";

/** What an application may do to its own run. */
export interface RunHost {
  /** The run ends, and the job with it. */
  endRun(slot: number, jobIdx: number, endState: number, stopReason: number): void;
  /** The run stops at its limit. */
  timeOut(slot: number, jobIdx: number): void;
  /** The end event of the slot has come. */
  end(slot: number): void;
}

export interface ApplicationCopy {
  readonly jobs: readonly AppJob[];
  readonly links: readonly SharedLinkCopy[];
}

export class Application {
  readonly transfers: Transfers;
  readonly saved: SavedWork;
  readonly checkpoints: Checkpoints;
  readonly groups: Groups;
  readonly #apps: AppJobs;
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #progress: Progress;
  readonly #phases: Phases;
  readonly #clock: Clock;
  readonly #host: RunHost;

  constructor(
    world: World,
    live: LiveJobs,
    allocations: Allocations,
    progress: Progress,
    phases: Phases,
    events: EventQueue,
    recorder: Recorder,
    clock: Clock,
    host: RunHost,
  ) {
    this.#world = world;
    this.#live = live;
    this.#allocations = allocations;
    this.#progress = progress;
    this.#phases = phases;
    this.#clock = clock;
    this.#host = host;
    this.#apps = new AppJobs(world.jobs);
    this.groups = new Groups(world, live, allocations, recorder, clock, this.#apps);
    this.transfers = new Transfers(world, events, recorder, clock);
    this.saved = new SavedWork(world.jobs, this.#apps, live, allocations, recorder, clock);
    this.checkpoints = new Checkpoints(this.#apps, live, this.transfers, this.saved, phases, clock);
    progress.speeds.factors.push({
      name: "size",
      ofQ16: (_, jobIdx) => this.#speedQ16(jobIdx),
    });
  }

  opened(jobIdx: number): void {
    this.#apps.open(jobIdx);
  }

  closed(jobIdx: number): void {
    this.#apps.close(jobIdx);
  }

  /** Nodes on which the state of a waiting job lies, ascending; empty = anywhere. */
  savedNodes(jobIdx: number): readonly number[] {
    return this.#apps.get(jobIdx)?.savedNodes ?? [];
  }

  /** A run has its members: from the start, or again (`goesOn`). Prepares it and lets it go on. */
  runStarts(slot: number, jobIdx: number, startupMs: number, goesOn: boolean): void {
    const app = this.#apps.get(jobIdx);
    if (app) {
      app.startupMs = startupMs + this.#apps.life(app).startupMs;
      app.stallEndMs = -1;
      if (!goesOn) this.saved.meet(app, slot);
    }
    if (app || startupMs <= 0) this.#phases.proceed(slot, jobIdx);
    else this.#phases.startUp(slot, jobIdx, this.#clock.nowMs + startupMs);
  }

  /** Start-up of members that join a run, of the job's own accord. */
  startupMs(jobIdx: number): number {
    return this.#world.jobs.lab.get(jobIdx)?.startupMs ?? 0;
  }

  /** A hung gang and an idle session hold what they have without progress. True where that is so. */
  holdsStill(slot: number, jobIdx: number): boolean {
    const memberState = this.memberState(jobIdx, JobStateCode.running);
    if (memberState === undefined) return false;
    this.#live.jobState[jobIdx] = JobStateCode.running;
    this.#allocations.relabelReady(slot, memberState);
    this.#progress.go(slot, jobIdx);
    return true;
  }

  /** What members of a job in this state do, where that is not what the state says. */
  memberState(jobIdx: number, jobState: number): number | undefined {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return undefined;
    if (jobState === JobStateCode.running) {
      if (app.stallEndMs >= 0) return MemberStateCode.stalled;
      return app.idleEndMs >= 0 ? MemberStateCode.held : undefined;
    }
    if (jobState === JobStateCode.ending)
      return app.saving === Saving.onSignal ? MemberStateCode.checkpointing : undefined;
    if (jobState === JobStateCode.starting)
      return app.preparing >= Preparing.rendezvous ? MemberStateCode.restoring : undefined;
    return undefined;
  }

  /** Begins what is left to be done before the run makes progress; false when it may. */
  prepare(slot: number, jobIdx: number): boolean {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return false;
    const { elastic, checkpoint } = this.#apps.life(app);
    if (app.startupMs > 0)
      return this.#begin(app, slot, Preparing.startUp, this.#clock.nowMs + app.startupMs);
    if (elastic) this.groups.noteSize(app, slot);
    if (app.rendezvous && elastic && elastic.rendezvousMs > 0)
      return this.#begin(app, slot, Preparing.rendezvous, this.#clock.nowMs + elastic.rendezvousMs);
    if (app.rendezvous) this.groups.formed(app);
    if (app.restores && checkpoint) {
      const sizeQ16 = this.transfers.aloneQ16(checkpoint, Direction.read);
      if (sizeQ16 > 0) {
        this.transfers.begin(jobIdx, Direction.read, sizeQ16);
        return this.#begin(app, slot, Preparing.read, NEVER_MS);
      }
      if (checkpoint.restoreMs > 0)
        return this.#begin(app, slot, Preparing.restore, this.#clock.nowMs + checkpoint.restoreMs);
    }
    app.restores = false;
    app.preparing = Preparing.nothing;
    return false;
  }

  /** A step of the preparation is over, or a checkpoint that nobody could complete. */
  prepared(jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return;
    if (app.preparing === Preparing.startUp) app.startupMs = 0;
    if (app.preparing === Preparing.rendezvous) this.groups.formed(app);
    if (app.preparing === Preparing.restore) app.restores = false;
    app.preparing = Preparing.nothing;
    app.saving = Saving.none;
  }

  /** The run has made progress for so long. */
  ran(jobIdx: number, elapsedMs: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return;
    app.sinceSaveMs += elapsedMs;
    app.usedMs += elapsedMs;
  }

  /** Whether the end of its work does not end the job: somebody has to end a session. */
  isOpenEnded(jobIdx: number): boolean {
    return (this.#world.jobs.lab.get(jobIdx)?.session ?? null) !== null;
  }

  /** The next moment of its own of a job in state running, not before now. `stopMs`: when it is stopped at its limit. */
  breakMs(slot: number, jobIdx: number, stopMs: number): number {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return NEVER_MS;
    const { nowMs } = this.#clock;
    if (app.stallEndMs >= 0) return Math.max(nowMs, app.stallEndMs);
    const life = this.#apps.life(app);
    const goes = this.#live.at.rateQ16[slot]! > 0;
    if (life.session) {
      if (app.idleEndMs >= 0) return Math.max(nowMs, app.idleEndMs);
      if (!goes) return NEVER_MS;
      const { workLeftQ16, rateQ16 } = this.#live.at;
      const leftMs = Math.ceil(workLeftQ16[slot]! / rateQ16[slot]!);
      return nowMs + Math.max(0, Math.min(leftMs, life.session.activeMs - app.usedMs));
    }
    if (!life.checkpoint || !goes) return NEVER_MS;
    const nextMs = nowMs + Math.max(0, life.checkpoint.everyMs - app.sinceSaveMs);
    return Math.min(nextMs, Math.max(nowMs, stopMs - this.checkpoints.lastSaveMs(life)));
  }

  /** The moment has come. `stopMs` as above. The run may be over afterwards. */
  moment(slot: number, jobIdx: number, stopMs: number): void {
    const app = this.#apps.get(jobIdx)!;
    const life = this.#apps.life(app);
    if (app.stallEndMs >= 0) {
      const reason = app.budget?.failed ? StopReasonCode.restartsUsed : StopReasonCode.hung;
      this.#host.endRun(slot, jobIdx, EndStateCode.failed, reason);
      return;
    }
    if (life.session) {
      if (app.idleEndMs >= 0) {
        this.#host.endRun(slot, jobIdx, EndStateCode.completed, StopReasonCode.idle);
        return;
      }
      app.idleEndMs = this.#clock.nowMs + life.session.idleTimeoutMs;
      this.holdsStill(slot, jobIdx);
      return;
    }
    const lastMs = stopMs - this.checkpoints.lastSaveMs(life);
    app.saving = this.#clock.nowMs >= lastMs ? Saving.atLimit : Saving.periodic;
    this.checkpoints.save(app, slot, life);
  }

  /** A checkpoint is complete. True when the run is over with it. */
  saveOver(slot: number, jobIdx: number): boolean {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return false;
    this.saved.saved(app, slot);
    const { saving } = app;
    app.saving = Saving.none;
    if (saving !== Saving.atLimit) return false;
    this.#host.timeOut(slot, jobIdx);
    return true;
  }

  /** Transfers of a direction may be over. */
  linkOver(direction: number): void {
    for (;;) {
      const jobIdx = this.transfers.takeOver(direction);
      if (jobIdx < 0) return;
      const slot = this.#live.slotOf[jobIdx]!;
      if (direction === Direction.read) this.#read(slot, jobIdx);
      else if (this.#live.jobState[jobIdx] === JobStateCode.ending) this.#host.end(slot);
      else {
        this.#live.at.phaseEndMs[slot] = this.#clock.nowMs;
        this.#phases.end(slot, jobIdx);
      }
    }
  }

  /** The run is over. */
  stopped(jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return;
    this.transfers.drop(jobIdx);
    forgetRun(app);
  }

  /** Members have started up and join a running job. */
  joined(slot: number, jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined || this.#live.jobState[jobIdx] !== JobStateCode.running) return;
    if (this.holdsStill(slot, jobIdx)) return;
    const { elastic } = this.#apps.life(app);
    const isSame = this.groups.sizeOf(app) === app.group;
    if (isSame) this.labelReserve(slot, jobIdx);
    if (!elastic || isSame) return;
    if (elastic.restart !== "none") {
      this.#progress.settle(slot);
      this.#phases.proceed(slot, jobIdx);
      return;
    }
    this.#progress.settle(slot);
    app.group = this.groups.sizeOf(app);
    this.#regroup(slot, jobIdx);
  }

  #regroup(slot: number, jobIdx: number): void {
    this.#allocations.relabelReady(slot, MemberStateCode.running);
    this.labelReserve(slot, jobIdx);
    this.#progress.go(slot, jobIdx);
  }

  /** Members of an elastic job that runs beyond the size of its group hold their devices and do no work. O(entries). */
  labelReserve(slot: number, jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app === undefined || app.group === 0 || !this.#apps.life(app).elastic) return;
    const { nowMs } = this.#clock;
    relabelReserve(this.#world, this.#live, this.#allocations, slot, app.group, nowMs);
  }

  /** Members were lost, the minimum still holds. True when the job has dealt with it itself. */
  lost(slot: number, jobIdx: number): boolean {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return false;
    const state = this.#live.jobState[jobIdx]!;
    const { elastic } = this.#apps.life(app);
    if (state === JobStateCode.checkpointing || state === JobStateCode.ending || elastic)
      this.checkpoints.interrupt(jobIdx);
    if (state === JobStateCode.ending) this.#allocations.relabel(slot, MemberStateCode.ending);
    if (!elastic || state === JobStateCode.ending) return false;
    if (state === JobStateCode.running) this.#progress.settle(slot);
    if (elastic.restart === "none") {
      if (state === JobStateCode.running) {
        app.group = this.groups.sizeOf(app);
        if (!this.holdsStill(slot, jobIdx)) this.#regroup(slot, jobIdx);
      }
      if (state === JobStateCode.starting) this.#phases.proceed(slot, jobIdx);
      return state === JobStateCode.starting;
    }
    this.groups.breakUp(app, slot, WORKERS_LOST);
    if (state !== JobStateCode.suspended) this.#phases.proceed(slot, jobIdx);
    return true;
  }

  /** Whether a job that is left with too few members does not give up what it holds. */
  endures(slot: number, jobIdx: number): boolean {
    const app = this.#apps.get(jobIdx);
    const state = this.#live.jobState[jobIdx]!;
    if (app === undefined || state === JobStateCode.ending || this.#live.at.lent[slot] === 1)
      return false;
    // A job that somebody holds must not wait with devices in its hands.
    const held = this.#live.at.heldBy[slot] !== HoldBy.nobody;
    const { elastic, collectiveTimeoutMs } = this.#apps.life(app);
    if (state === JobStateCode.placed)
      return elastic !== null && this.#live.at.startMs[slot]! < NEVER_MS;
    return elastic ? !held : collectiveTimeoutMs < NEVER_MS;
  }

  /**
   * The members left are fewer than the minimum. `stop`: as without a life; `hang`: nobody knows, the rest is held until the
   * collective times out; `wait`: an elastic job holds the rest and waits for members.
   */
  fallsShort(slot: number, jobIdx: number): "stop" | "hang" | "wait" {
    const app = this.#apps.get(jobIdx);
    if (app === undefined || !this.endures(slot, jobIdx)) return "stop";
    const state = this.#live.jobState[jobIdx]!;
    const { elastic, collectiveTimeoutMs } = this.#apps.life(app);
    const timesOut = collectiveTimeoutMs < NEVER_MS;
    this.checkpoints.interrupt(jobIdx);
    if (state === JobStateCode.running) this.#progress.settle(slot);
    if (elastic && elastic.restart !== "none") this.groups.breakUp(app, slot, WORKERS_LOST);
    if (timesOut && app.stallEndMs < 0) app.stallEndMs = this.#clock.nowMs + collectiveTimeoutMs;
    if (elastic && !app.budget?.failed) return "wait";
    if (state !== JobStateCode.suspended) this.holdsStill(slot, jobIdx);
    return "hang";
  }

  /** A job that waits for members has its time-out as its end event. Call after it was paused. */
  armWaiting(slot: number, jobIdx: number): void {
    const app = this.#apps.get(jobIdx);
    if (app && app.stallEndMs >= 0) this.#progress.pushEnd(slot, app.stallEndMs);
  }

  /** Throws away nothing: what lives, copied. */
  copy(): ApplicationCopy {
    return { jobs: this.#apps.copy(), links: this.transfers.copy() };
  }

  restore(copy: ApplicationCopy): void {
    this.#apps.restore(copy.jobs);
    this.transfers.restore(copy.links);
  }

  #speedQ16(jobIdx: number): number {
    const app = this.#apps.get(jobIdx);
    if (app === undefined) return SPEED_ONE;
    if (app.stallEndMs >= 0 || app.idleEndMs >= 0) return 0;
    return groupSpeedQ16(this.#apps.life(app).elastic, app.group);
  }

  #begin(app: AppJob, slot: number, preparing: number, untilMs: number): true {
    app.preparing = preparing;
    this.#phases.enter(slot, app.jobIdx, JobStateCode.starting, untilMs);
    const memberState = this.memberState(app.jobIdx, JobStateCode.starting);
    this.#allocations.relabelReady(slot, memberState ?? MemberStateCode.starting);
    return true;
  }

  /** The state is there: what is left of the restore takes a time of its own. */
  #read(slot: number, jobIdx: number): void {
    const app = this.#apps.get(jobIdx)!;
    const restoreMs = this.#apps.life(app).checkpoint?.restoreMs ?? 0;
    if (restoreMs > 0) {
      this.#begin(app, slot, Preparing.restore, this.#clock.nowMs + restoreMs);
      return;
    }
    app.restores = false;
    this.#live.at.phaseEndMs[slot] = this.#clock.nowMs;
    this.#phases.end(slot, jobIdx);
  }
}
