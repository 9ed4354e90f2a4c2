/**
 * Work, not run time: a run has work left (1/65,536 ms of reference work) and a speed. Whenever the speed changes, the work is
 * settled up to now and a new end event is pushed; the old one is void because its version is. The clock of the time limit
 * stands still while a run makes no progress because it was suspended or lacks members.
 */
import { JobFlag } from "../model/jobs.ts";
import { NEVER_MS } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Application } from "./application/application.ts";
import type { Clock } from "./clock.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import { stopMs } from "./lifeRules.ts";
import type { LiveJobs } from "./liveJobs.ts";
import { Speeds } from "./speeds.ts";
import type { LifeRules } from "./view.ts";

export class Progress {
  readonly speeds: Speeds;
  /** Where jobs have a life of their own. */
  application: Application | null = null;
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #events: EventQueue;
  readonly #clock: Clock;
  readonly #rules: readonly LifeRules[];

  constructor(
    world: World,
    live: LiveJobs,
    events: EventQueue,
    clock: Clock,
    rules: readonly LifeRules[],
  ) {
    this.#rules = rules;
    this.speeds = new Speeds(live);
    this.#world = world;
    this.#live = live;
    this.#events = events;
    this.#clock = clock;
  }

  /** Where the speed of a run in state running is another one now: what is done so far was done at the one of before. */
  respeed(slot: number, jobIdx: number): void {
    if (this.speeds.speedOf(slot) === this.#live.at.rateQ16[slot]) return;
    this.settle(slot);
    this.#schedule(slot, jobIdx);
  }

  /** A run starts: its limit counts from here, start-up included. */
  startLimit(slot: number, jobIdx: number): void {
    this.#live.at.startMs[slot] = this.#clock.nowMs;
    this.#live.limitEndMs[jobIdx] = this.#clock.nowMs + this.#live.at.limitMs[slot]!;
  }

  /** The limit of the current run ends where it would, had it been this from the start. */
  setLimit(slot: number, jobIdx: number, limitMs: number): void {
    const live = this.#live.at;
    live.limitMs[slot] = limitMs;
    if (live.startMs[slot]! < NEVER_MS)
      this.#live.limitEndMs[jobIdx] = live.startMs[slot]! + limitMs + live.pauseSumMs[slot]!;
  }

  /** Progress goes on from now at the present speed. */
  go(slot: number, jobIdx: number): void {
    this.#live.at.settledMs[slot] = this.#clock.nowMs;
    this.#schedule(slot, jobIdx);
  }

  /** The clock of the limit stops; settle before where progress was made. */
  pause(slot: number): void {
    this.#live.at.pausedMs[slot] = this.#clock.nowMs;
    this.voidEnd(slot);
  }

  /** The limit moves by the length of the pause; the caller lets progress go on. */
  endPause(slot: number, jobIdx: number): void {
    const pausedMs = this.#clock.nowMs - this.#live.at.pausedMs[slot]!;
    this.#live.at.pausedMs[slot] = -1;
    this.#live.at.pauseSumMs[slot] = this.#live.at.pauseSumMs[slot]! + pausedMs;
    this.#live.limitEndMs[jobIdx] = this.#live.limitEndMs[jobIdx]! + pausedMs;
  }

  /** Brings the work left of a run that makes progress up to now. */
  settle(slot: number): void {
    const nowMs = this.#clock.nowMs;
    const live = this.#live.at;
    const elapsedMs = nowMs - live.settledMs[slot]!;
    const rateQ16 = live.rateQ16[slot]!;
    live.workLeftQ16[slot] = Math.max(0, live.workLeftQ16[slot]! - elapsedMs * rateQ16);
    live.settledMs[slot] = nowMs;
    if (rateQ16 > 0) this.application?.ran(live.jobIdx[slot]!, elapsedMs);
  }

  setSpeed(slot: number, jobIdx: number, speedQ16: number, running: boolean): void {
    if (running) this.settle(slot);
    this.#live.at.speedQ16[slot] = speedQ16;
    if (running) this.#schedule(slot, jobIdx);
  }

  /** Whether the run holds a node that has failed unnoticed. */
  setSilent(slot: number, jobIdx: number, silent: boolean, running: boolean): void {
    if ((this.#live.at.silent[slot] === 1) === silent) return;
    if (running) this.settle(slot);
    this.#live.at.silent[slot] = silent ? 1 : 0;
    if (running) this.#schedule(slot, jobIdx);
  }

  /** Whether the work of a settled run is done; a service has no end of its own. */
  isDone(slot: number, jobIdx: number): boolean {
    return this.#live.at.workLeftQ16[slot]! <= 0 && !this.#isOpenEnded(jobIdx);
  }

  /** The end event of a slot, in place of any earlier one. */
  pushEnd(slot: number, endMs: number): void {
    this.voidEnd(slot);
    if (endMs < NEVER_MS)
      this.#events.push(endMs, EventClass.end, slot, this.#live.at.version[slot]!);
  }

  /** The end event of a phase without progress: at its end, or at the limit. */
  pushPhaseEnd(slot: number, jobIdx: number, endMs: number): void {
    this.pushEnd(slot, Math.min(endMs, this.stopMs(jobIdx)));
  }

  voidEnd(slot: number): void {
    this.#live.at.version[slot] = this.#live.at.version[slot]! + 1;
    this.speeds.touch(this.#live.at.jobIdx[slot]!);
  }

  #isOpenEnded(jobIdx: number): boolean {
    if ((this.#world.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0) return true;
    return this.application?.isOpenEnded(jobIdx) ?? false;
  }

  /** When the work is done at the present speed, rounded up to a whole ms, or at the limit. */
  #schedule(slot: number, jobIdx: number): void {
    const speed = this.speeds.speedOf(slot);
    this.#live.at.rateQ16[slot] = speed;
    let endMs = NEVER_MS;
    if (speed > 0 && !this.#isOpenEnded(jobIdx)) {
      endMs = this.#clock.nowMs + ceilDivide(this.#live.at.workLeftQ16[slot]!, speed);
    }
    const stopMs = this.stopMs(jobIdx);
    endMs = Math.min(endMs, stopMs);
    if (this.application) endMs = Math.min(endMs, this.application.breakMs(slot, jobIdx, stopMs));
    this.pushEnd(slot, endMs);
  }

  /** When the run is stopped at its limit. */
  stopMs(jobIdx: number): number {
    if (!this.#world.killAtLimit || this.#isLimitless(jobIdx)) return NEVER_MS;
    const rules = this.#rules[this.#world.poolOfJob[jobIdx]!]!;
    return stopMs(rules, this.#live.limitEndMs[jobIdx]!, this.#clock.nowMs);
  }

  /** Nobody has given it a limit, nor since it came. */
  #isLimitless(jobIdx: number): boolean {
    const { flags, limitMs } = this.#world.jobs.at;
    if ((flags[jobIdx]! & JobFlag.limitless) === 0) return false;
    return this.#live.at.limitMs[this.#live.slotOf[jobIdx]!] === limitMs[jobIdx];
  }
}

/** ⌈work / speed⌉ exactly, for integers whose product stays near 2^53. */
export function ceilDivide(work: number, speed: number): number {
  let quotient = Math.ceil(work / speed);
  while (quotient > 0 && (quotient - 1) * speed >= work) quotient--;
  while (quotient * speed < work) quotient++;
  return quotient;
}
