/**
 * The rule by which a pool changes hands at a change of policy: what jobs hold stays theirs, and runs go on. What the old
 * scheduler promised, admitted or held back is void: such jobs are queued again, and the new scheduler meets them in `init`.
 * Jobs that the engine itself holds (dependency, begin time) stay held.
 */
import { JobStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Hold } from "./liveJobs.ts";

/** O(living jobs), at a change of policy only. */
export function handOver(world: World, lifecycle: Lifecycle, pool: number): void {
  const { live } = lifecycle;
  for (let slot = 0; slot < live.used; slot++) {
    const jobIdx = live.at.jobIdx[slot]!;
    if (jobIdx < 0 || world.poolOfJob[jobIdx] !== pool) continue;
    live.at.planMs[slot] = -1;
    if (live.jobState[jobIdx] === JobStateCode.admitted)
      live.jobState[jobIdx] = JobStateCode.queued;
    lifecycle.release(slot, Hold.scheduler);
  }
}
