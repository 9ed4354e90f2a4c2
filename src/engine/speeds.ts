/**
 * How fast a run goes: the product of what acts on it, each factor in 1/65,536, rounded down after each. What the scheduler says (`setSpeed`) comes
 * first, then what belongs to the job (members, idle sessions) and to where it runs (device model, NUMA domains), then what it and its neighbours send each other. Nothing gets done
 * while a node is dead that nobody misses. Jobs whose holdings or course have changed are noted here, and their speeds worked out again once a round
 * (`Progress.refresh`), before time goes on: the work done so far was done at the speed of before.
 */
import { SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { LiveJobs } from "./liveJobs.ts";
import type { Traffic } from "./traffic/traffic.ts";

/** Part of the speed of a running job in 1/65,536. */
export interface SpeedFactor {
  readonly name: "size" | "model" | "numa";
  readonly ofQ16: (slot: number, jobIdx: number) => number;
}

/** What slows a run down most. */
export type SlowedBy = SpeedFactor["name"] | "nic" | "uplink";

/** How fast a job runs now, and why not faster. */
export interface RunFacts {
  readonly speedQ16: number;
  readonly slowedBy: SlowedBy | null;
}

export class Speeds {
  /** In the order in which they are multiplied. */
  readonly factors: SpeedFactor[] = [];
  /** Where jobs communicate. */
  traffic: Traffic | null = null;
  readonly #live: LiveJobs;
  /** 1 = its speed depends on what it holds, 2 = and on its neighbours. Null where that is so for no job. */
  #watched: Uint8Array | null = null;
  readonly #touched = new Set<number>();

  constructor(live: LiveJobs) {
    this.#live = live;
  }

  /** Looks after the jobs whose speeds depend on where they run. O(jobs with a life). */
  watch({ jobs, network }: World): void {
    for (const [jobIdx, { traffic, nodes }] of jobs.lab) {
      const talks = network !== undefined && network !== null && traffic !== null;
      const minds = nodes !== null && (nodes.models.length > 0 || nodes.remoteNumaQ16 < SPEED_ONE);
      if (!talks && !minds) continue;
      this.#watched ??= new Uint8Array(jobs.count);
      this.#watched[jobIdx] = talks ? 2 : 1;
    }
  }

  /** The job holds something else now, or goes on, or stops. O(1). */
  touch(jobIdx: number): void {
    if (this.#watched !== null && this.#watched[jobIdx] !== 0) this.#touched.add(jobIdx);
  }

  communicates(jobIdx: number): boolean {
    return this.#watched !== null && this.#watched[jobIdx] === 2;
  }

  get isTouched(): boolean {
    return this.#touched.size > 0;
  }

  /** Jobs touched since the last time, ascending. */
  takeTouched(): number[] {
    const jobs = [...this.#touched].sort((a, b) => a - b);
    this.#touched.clear();
    return jobs;
  }

  /** Without what it sends: 0 = it makes no progress. O(factors). */
  aloneQ16(slot: number): number {
    const live = this.#live.at;
    if (live.silent[slot] === 1) return 0;
    let speedQ16 = live.speedQ16[slot]!;
    for (const { ofQ16 } of this.factors)
      speedQ16 = Math.floor((speedQ16 * ofQ16(slot, live.jobIdx[slot]!)) / SPEED_ONE);
    return speedQ16;
  }

  /** The product for a job that is in state running now; communication alone never brings it to a stop. O(factors). */
  speedOf(slot: number): number {
    const speedQ16 = this.aloneQ16(slot);
    if (this.traffic === null || speedQ16 === 0) return speedQ16;
    const factorQ16 = this.traffic.factorQ16(this.#live.at.jobIdx[slot]!);
    return factorQ16 === SPEED_ONE
      ? speedQ16
      : Math.max(1, Math.floor((speedQ16 * factorQ16) / SPEED_ONE));
  }

  /** For a job in state running. O(factors). */
  factsOf(slot: number): RunFacts {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    let slowedBy: SlowedBy | null = this.traffic?.limitOf(jobIdx) ?? null;
    let leastQ16 = slowedBy === null ? SPEED_ONE : this.traffic!.factorQ16(jobIdx);
    for (const { name, ofQ16 } of this.factors) {
      const factorQ16 = ofQ16(slot, jobIdx);
      if (factorQ16 >= leastQ16) continue;
      leastQ16 = factorQ16;
      slowedBy = name;
    }
    return { speedQ16: this.#live.at.rateQ16[slot]!, slowedBy };
  }
}
