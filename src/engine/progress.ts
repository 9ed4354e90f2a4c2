/**
 * Work, not run time: a run has work left (1/65,536 ms of reference work) and a speed. Whenever the speed changes, the work is
 * settled up to now and a new end event is pushed; the old one is void because its version is. The clock of the time limit
 * stands still while a run makes no progress because it was suspended or lacks members.
 */
import { JobFlag } from "../model/jobs.ts";
import { JobStateCode } from "../model/states.ts";
import { NEVER_MS, SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Application } from "./application/application.ts";
import type { Clock } from "./clock.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import { broken } from "./ledger.ts";
import { stopMs } from "./lifeRules.ts";
import type { LiveJobs } from "./liveJobs.ts";
import { modelSpeeds } from "./modelSpeeds.ts";
import { Speeds } from "./speeds.ts";
import { Traffic } from "./traffic/traffic.ts";
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
  readonly #recorder: Recorder;

  constructor(
    world: World,
    live: LiveJobs,
    events: EventQueue,
    clock: Clock,
    rules: readonly LifeRules[],
    recorder: Recorder,
  ) {
    this.#recorder = recorder;
    this.#rules = rules;
    this.speeds = new Speeds(live);
    this.#world = world;
    this.#live = live;
    this.#events = events;
    this.#clock = clock;
  }

  /** Where jobs have a life of their own: what they hold, and what they send, may decide how fast they go. */
  watch(allocations: Allocations): void {
    this.speeds.factors.push(...modelSpeeds(this.#world, this.#live, allocations));
    this.speeds.watch(this.#world);
    allocations.onChange = (jobIdx) => this.speeds.touch(jobIdx);
    this.speeds.traffic = this.#trafficOf(allocations);
  }

  #trafficOf(allocations: Allocations): Traffic | null {
    const { network } = this.#world;
    if (network === undefined || network === null) return null;
    return new Traffic(this.#world, network, this.#live, allocations, this.#recorder, this.#clock);
  }

  /** Speeds again of what has changed in the round, and of those that share a link with it. O(what that concerns), nothing where nothing has. */
  refresh(): void {
    const { speeds } = this;
    if (!speeds.isTouched) return;
    const touched = speeds.takeTouched();
    const changed: number[] = [];
    speeds.traffic?.update(touched.filter(speeds.communicates, speeds), this.#talks, changed);
    for (const jobIdx of touched) this.#respeed(jobIdx);
    for (const jobIdx of changed) this.#respeed(jobIdx);
    if (speeds.traffic) this.#tellSpeeds(touched, changed);
    speeds.takeTouched();
  }

  /** After a restore. O(what lives). */
  restoreTraffic(): void {
    const { traffic } = this.speeds;
    traffic?.update(this.#communicating(), this.#talks, []);
  }

  /** Throws where somebody communicates unknown, or at another speed than if all were worked out anew. */
  checkTraffic(): void {
    const { traffic } = this.speeds;
    if (!traffic) return;
    const before = traffic.factors();
    const changed: number[] = [];
    const communicating = this.#communicating();
    traffic.update(communicating, this.#talks, changed);
    const known = new Set(communicating);
    if (changed.length > 0 || before.some(([jobIdx]) => !known.has(jobIdx)))
      broken("speeds of communicating jobs are not what their places say");
  }

  /** Whether a job sends now what it sends in each step. */
  readonly #talks = (jobIdx: number): boolean => {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0 || this.#live.jobState[jobIdx] !== JobStateCode.running) return false;
    return this.speeds.aloneQ16(slot) > 0;
  };

  #communicating(): number[] {
    const jobs: number[] = [];
    for (let slot = 0; slot < this.#live.used; slot++) {
      const jobIdx = this.#live.at.jobIdx[slot]!;
      if (jobIdx >= 0 && this.speeds.communicates(jobIdx) && this.#talks(jobIdx)) jobs.push(jobIdx);
    }
    return jobs.sort((a, b) => a - b);
  }

  #respeed(jobIdx: number): void {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0 || this.#live.jobState[jobIdx] !== JobStateCode.running) return;
    if (this.speeds.speedOf(slot) === this.#live.at.rateQ16[slot]) return;
    this.settle(slot);
    this.#schedule(slot, jobIdx);
  }

  /** Writes down what communication makes of the speed of those that hold devices; a run begins with 1. */
  #tellSpeeds(touched: readonly number[], changed: readonly number[]): void {
    const told = new Set(changed);
    const { nowMs } = this.#clock;
    for (const jobIdx of touched) {
      const slot = this.#live.slotOf[jobIdx]!;
      if (slot >= 0 && this.#live.at.startMs[slot] === nowMs) told.add(jobIdx);
    }
    for (const jobIdx of [...told].sort((a, b) => a - b)) {
      const slot = this.#live.slotOf[jobIdx]!;
      if (slot < 0 || this.#live.at.runStartMs[slot]! < 0) continue;
      const factorQ16 = this.speeds.traffic!.factorQ16(jobIdx);
      if (factorQ16 === SPEED_ONE && !changed.includes(jobIdx)) continue;
      this.#recorder.decision(nowMs, DecisionKindCode.speed, 0, jobIdx, factorQ16 / SPEED_ONE);
    }
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
    if (!this.#world.killAtLimit) return NEVER_MS;
    const rules = this.#rules[this.#world.poolOfJob[jobIdx]!]!;
    return stopMs(rules, this.#live.limitEndMs[jobIdx]!, this.#clock.nowMs);
  }
}

/** ⌈work / speed⌉ exactly, for integers whose product stays near 2^53. */
export function ceilDivide(work: number, speed: number): number {
  let quotient = Math.ceil(work / speed);
  while (quotient > 0 && (quotient - 1) * speed >= work) quotient--;
  while (quotient * speed < work) quotient++;
  return quotient;
}
