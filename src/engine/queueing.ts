/**
 * Jobs that hold no devices: queued, or held and for what. In most pools the engine keeps jobs back (a dependency, a begin time, a hold by a
 * user) and a scheduler hears of a job when it may start. Where the scheduler does that itself (`LifeRules.ownHolds`) every job is
 * queued at once, and it hears of what comes of dependencies.
 */
import { JobFlag } from "../model/jobs.ts";
import { JobStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Clock } from "./clock.ts";
import type { DependencyHost } from "./dependencyLife.ts";
import { dependencyOf } from "./dependencyState.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import type { PoolNews } from "./happened.ts";
import { Hold, HoldBy, type LiveJobs } from "./liveJobs.ts";
import type { LifeRules } from "./view.ts";
import { holdReason, type Waits } from "./waits.ts";

export class Queueing implements DependencyHost {
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #waits: Waits;
  readonly #events: EventQueue;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;
  readonly #rules: readonly LifeRules[];
  readonly #giveUp: (slot: number, jobIdx: number) => void;

  /** `giveUp`: a job whose dependency can never be met leaves. */
  constructor(
    world: World,
    live: LiveJobs,
    waits: Waits,
    events: EventQueue,
    news: readonly PoolNews[],
    clock: Clock,
    rules: readonly LifeRules[],
    giveUp: (slot: number, jobIdx: number) => void,
  ) {
    this.#world = world;
    this.#live = live;
    this.#waits = waits;
    this.#events = events;
    this.#news = news;
    this.#clock = clock;
    this.#rules = rules;
    this.#giveUp = giveUp;
  }

  /** A job that came or lost its run is queued, held, or leaves because its dependency can never be met. */
  enter(slot: number, jobIdx: number): void {
    const holds = this.#ownHolds(jobIdx) ? 0 : this.#holdsOf(slot, jobIdx);
    if (holds < 0) {
      this.#giveUp(slot, jobIdx);
      return;
    }
    this.#live.at.holds[slot] = holds;
    if (holds === 0) this.#enqueue(slot, jobIdx);
    else this.#setHeld(slot, jobIdx);
  }

  /** A queued job that the engine would have kept back is kept back from now on. */
  keepBack(slot: number, jobIdx: number): void {
    const holds = this.#holdsOf(slot, jobIdx);
    if (holds < 0) this.#giveUp(slot, jobIdx);
    else if (holds > 0) this.takeOut(slot, holds);
  }

  /** Takes one reason to hold a job away; without any left it is queued. */
  release(slot: number, hold: number): void {
    const holds = this.#live.at.holds[slot]!;
    if ((holds & hold) === 0) return;
    this.#live.at.holds[slot] = holds & ~hold;
    const jobIdx = this.#live.at.jobIdx[slot]!;
    if (this.#live.at.waitFromMs[slot]! < 0) this.#waits.start(slot, jobIdx);
    if (this.#live.at.holds[slot] === 0) this.#enqueue(slot, jobIdx);
    else this.#setHeld(slot, jobIdx);
  }

  /** The scheduler holds a queued job back. */
  hold(slot: number): void {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    this.#newsOf(jobIdx).dealtWith(jobIdx);
    this.takeOut(slot, Hold.scheduler);
    // A replica that its service does not want has nothing to wait for.
    if ((this.#world.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0) this.#waits.end(slot, jobIdx);
  }

  /** A user holds a job. One that runs goes on, and is held when it is queued again. */
  holdByUser(slot: number, jobIdx: number): void {
    const state = this.#live.jobState[jobIdx]!;
    if (state === JobStateCode.queued || state === JobStateCode.admitted) {
      this.#newsOf(jobIdx).withdrawn(jobIdx);
      this.takeOut(slot, Hold.user);
    } else if (state === JobStateCode.held) {
      this.#live.at.holds[slot] = this.#live.at.holds[slot]! | Hold.user;
      this.#setHeld(slot, jobIdx);
    }
  }

  /** A queued job leaves the queue and is held. */
  takeOut(slot: number, holds: number): void {
    this.#live.leaveWaiting(slot);
    this.#live.at.holds[slot] = holds;
    this.#setHeld(slot, this.#live.at.jobIdx[slot]!);
  }

  dependencyMet(slot: number): void {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    if (this.#ownHolds(jobIdx)) this.#newsOf(jobIdx).depended(jobIdx);
    else this.release(slot, Hold.dependency);
  }

  dependencyNeverMet(slot: number): void {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    if (this.#ownHolds(jobIdx)) this.#newsOf(jobIdx).depended(jobIdx);
    else this.#giveUp(slot, jobIdx);
  }

  #ownHolds(jobIdx: number): boolean {
    return this.#rules[this.#world.poolOfJob[jobIdx]!]!.ownHolds;
  }

  #newsOf(jobIdx: number): PoolNews {
    return this.#news[this.#world.poolOfJob[jobIdx]!]!;
  }

  /** What keeps a job back: bits of `Hold`; −1 = for ever. Orders the event of a begin time to come. */
  #holdsOf(slot: number, jobIdx: number): number {
    const dependency = dependencyOf(this.#live, slot);
    if (dependency === "never") return -1;
    let holds = dependency === "open" ? Hold.dependency : 0;
    const beginMs = this.#world.jobs.at.beginMs[jobIdx]!;
    if (beginMs > this.#clock.nowMs) {
      holds |= Hold.beginTime;
      this.#events.push(beginMs, EventClass.begin, jobIdx, 0);
    }
    if (this.#live.at.heldBy[slot] !== HoldBy.nobody) holds |= Hold.user;
    return holds;
  }

  #setHeld(slot: number, jobIdx: number): void {
    this.#live.jobState[jobIdx] = JobStateCode.held;
    this.#waits.reason(slot, jobIdx, holdReason(this.#live.at.holds[slot]!));
  }

  #enqueue(slot: number, jobIdx: number): void {
    this.#live.jobState[jobIdx] = JobStateCode.queued;
    this.#live.enterWaiting(slot);
    this.#newsOf(jobIdx).queued(jobIdx);
  }
}
