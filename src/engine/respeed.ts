/**
 * Keeps the speeds of runs up to date: once a round those whose holdings or course have changed, and those that share a full link with them. Communication is a part
 * of its own (`addTraffic`), which only worlds with a network need.
 */
import { JobStateCode } from "../model/states.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import { broken } from "./ledger.ts";
import type { LiveJobs } from "./liveJobs.ts";
import { modelSpeeds } from "./modelSpeeds.ts";
import type { Progress } from "./progress.ts";
import type { RunFacts } from "./speeds.ts";
import type { Traffic } from "./traffic/traffic.ts";

type TrafficClass = new (...parts: ConstructorParameters<typeof Traffic>) => Traffic;
let traffics: TrafficClass | null = null;

/** Makes the model of communication known to this engine. */
export function addTraffic(part: TrafficClass): void {
  traffics = part;
}

/** Whether worlds with a network can run. */
export function hasTraffic(): boolean {
  return traffics !== null;
}

export class Respeed {
  readonly #live: LiveJobs;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(live: LiveJobs, progress: Progress, recorder: Recorder, clock: Clock) {
    this.#live = live;
    this.#progress = progress;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Where jobs have a life of their own: what they hold, and what they send, may decide how fast they go. Throws where there is a network and no model of it. */
  watch(world: World, allocations: Allocations): void {
    const { speeds } = this.#progress;
    speeds.factors.push(...modelSpeeds(world, this.#live, allocations));
    speeds.watch(world);
    allocations.onChange = (jobIdx) => speeds.touch(jobIdx);
    const { network } = world;
    if (network === undefined || network === null) return;
    if (traffics === null) broken("the model of communication is not there");
    speeds.traffic = new traffics(
      world,
      network,
      this.#live,
      allocations,
      this.#recorder,
      this.#clock,
    );
  }

  /** Speeds again of what has changed in the round; after it time may go on. O(what that concerns), nothing where nothing has. */
  refresh(): void {
    const { speeds } = this.#progress;
    if (!speeds.isTouched) return;
    const touched = speeds.takeTouched();
    const changed: number[] = [];
    speeds.traffic?.update(touched.filter(speeds.communicates, speeds), this.#talks, changed);
    for (const jobs of [touched, changed])
      for (const jobIdx of jobs)
        if (this.#runs(jobIdx)) this.#progress.respeed(this.#live.slotOf[jobIdx]!, jobIdx);
    if (speeds.traffic) this.#tell(touched, changed);
    speeds.takeTouched();
  }

  /** Who communicates follows from what has been restored. O(what lives). */
  restore(): void {
    this.#progress.speeds.traffic?.update(this.#communicating(), this.#talks, []);
  }

  /** Throws where somebody communicates unknown, or at another speed than if all were worked out anew. */
  check(): void {
    const { traffic } = this.#progress.speeds;
    if (!traffic) return;
    const before = traffic.factors();
    const changed: number[] = [];
    const communicating = this.#communicating();
    traffic.update(communicating, this.#talks, changed);
    const known = new Set(communicating);
    if (changed.length > 0 || before.some(([jobIdx]) => !known.has(jobIdx)))
      broken("speeds of communicating jobs are not what their places say");
  }

  /** How fast a job runs; null where it makes no progress. */
  factsOf(jobIdx: number): RunFacts | null {
    if (!this.#runs(jobIdx)) return null;
    return this.#progress.speeds.factsOf(this.#live.slotOf[jobIdx]!);
  }

  #runs(jobIdx: number): boolean {
    return this.#live.slotOf[jobIdx]! >= 0 && this.#live.jobState[jobIdx] === JobStateCode.running;
  }

  /** Whether a job sends now what it sends in each step. */
  readonly #talks = (jobIdx: number): boolean =>
    this.#runs(jobIdx) && this.#progress.speeds.aloneQ16(this.#live.slotOf[jobIdx]!) > 0;

  #communicating(): number[] {
    const jobs: number[] = [];
    for (let slot = 0; slot < this.#live.used; slot++) {
      const jobIdx = this.#live.at.jobIdx[slot]!;
      if (jobIdx >= 0 && this.#progress.speeds.communicates(jobIdx) && this.#talks(jobIdx))
        jobs.push(jobIdx);
    }
    return jobs.sort((a, b) => a - b);
  }

  /** Writes down what communication makes of the speed of those that hold devices; a run begins with 1. */
  #tell(touched: readonly number[], changed: readonly number[]): void {
    const different = new Set(changed);
    const told = new Set(changed);
    const { nowMs } = this.#clock;
    for (const jobIdx of touched) {
      const slot = this.#live.slotOf[jobIdx]!;
      if (slot >= 0 && this.#live.at.startMs[slot] === nowMs) told.add(jobIdx);
    }
    for (const jobIdx of [...told].sort((a, b) => a - b)) {
      const slot = this.#live.slotOf[jobIdx]!;
      if (slot < 0 || this.#live.at.runStartMs[slot]! < 0) continue;
      const factorQ16 = this.#progress.speeds.traffic!.factorQ16(jobIdx);
      if (factorQ16 === SPEED_ONE && !different.has(jobIdx)) continue;
      this.#recorder.decision(nowMs, DecisionKindCode.speed, 0, jobIdx, factorQ16 / SPEED_ONE);
    }
  }
}
