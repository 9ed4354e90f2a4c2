/**
 * How fast a run goes: the product of what acts on it, each factor in 1/65,536, rounded down after each. What the scheduler says (`setSpeed`) comes
 * first, then what belongs to the job (members, idle sessions) and to where it runs. Nothing gets done while a node is dead that nobody misses.
 * Who changes a factor says so (`Lifecycle.respeed`): the work done so far was done at the speed of before.
 */
import { SPEED_ONE } from "../model/units.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Part of the speed of a running job in 1/65,536; it must not change without a word. */
export type SpeedFactor = (slot: number, jobIdx: number) => number;

export class Speeds {
  /** In the order in which they are multiplied. */
  readonly factors: SpeedFactor[] = [];
  readonly #live: LiveJobs;

  constructor(live: LiveJobs) {
    this.#live = live;
  }

  /** The product for a job that is in state running now. O(factors). */
  speedOf(slot: number): number {
    const live = this.#live.at;
    if (live.silent[slot] === 1) return 0;
    let speedQ16 = live.speedQ16[slot]!;
    for (const factor of this.factors)
      speedQ16 = Math.floor((speedQ16 * factor(slot, live.jobIdx[slot]!)) / SPEED_ONE);
    return speedQ16;
  }
}
