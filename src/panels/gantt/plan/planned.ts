/** Who waits at a time with a promise, from the record alone: the newest promise of each job that has not come true yet. */
import type { Stage } from "../../../protocol/messages.ts";
import type { Future } from "../../../store/runData.ts";
import { LatestReasons } from "../../../timeline/latestReasons.ts";
import { eachWaitIn } from "../../../timeline/waits.ts";

export interface Promised {
  readonly jobIdx: number;
  readonly plannedMs: number;
}

/** More outlines than these would hide each other. */
const PLANS_MOST = 64;

export class Promises {
  #stage: Stage | null = null;
  #latest = new LatestReasons(0);
  /** The last answer: hovering asks again for the same moment. */
  #last: {
    readonly future: Future;
    readonly atMs: number;
    readonly found: readonly Promised[];
  } | null = null;

  /** The next starts, in order of time, then of job. O(decisions passed + waits). */
  at(stage: Stage, future: Future, atMs: number): readonly Promised[] {
    if (stage !== this.#stage) {
      this.#stage = stage;
      this.#latest = new LatestReasons(stage.jobs.count);
      this.#last = null;
    }
    if (this.#last?.future === future && this.#last.atMs === atMs) return this.#last.found;
    const found = this.#find(future, atMs);
    this.#last = { future, atMs, found };
    return found;
  }

  #find(future: Future, atMs: number): readonly Promised[] {
    if (!future.done && atMs > future.knownMs) return [];
    this.#latest.moveTo(future.chunks, atMs);
    const found: Promised[] = [];
    eachWaitIn(future, atMs, atMs, (jobIdx, fromMs, toMs) => {
      const plannedMs = this.#latest.plannedMs[jobIdx] ?? Number.POSITIVE_INFINITY;
      if (fromMs <= atMs && toMs > atMs && plannedMs >= atMs && Number.isFinite(plannedMs))
        found.push({ jobIdx, plannedMs });
      return true;
    });
    return found
      .sort((a, b) => a.plannedMs - b.plannedMs || a.jobIdx - b.jobIdx)
      .slice(0, PLANS_MOST);
  }
}
