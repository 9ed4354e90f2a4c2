/**
 * The rule by which a pool changes hands at a change of policy: what jobs hold stays theirs, and runs go on. What the old
 * scheduler promised, admitted or held back is void: such jobs are queued again, and the new scheduler meets them in `init`.
 * Who keeps jobs back may change with it: a scheduler that does so itself meets every job that waits; where it leaves that to the engine, jobs with
 * a dependency, a begin time or a user's hold are held again. A suspended job whose devices are lent is queued again: nobody would take them back.
 */
import { JobStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Hold, HoldBy } from "./liveJobs.ts";

/** The rules of the new scheduler hold already. O(living jobs), at a change of policy only. */
export function handOver(world: World, lifecycle: Lifecycle, pool: number): void {
  const { live } = lifecycle;
  const { ownHolds } = lifecycle.rules[pool]!;
  for (let slot = 0; slot < live.used; slot++) {
    const jobIdx = live.at.jobIdx[slot]!;
    if (jobIdx < 0 || world.poolOfJob[jobIdx] !== pool) continue;
    live.at.planMs[slot] = -1;
    if (live.at.lent[slot] === 1) lifecycle.evict(slot, true, 0, -1);
    if (live.jobState[jobIdx] === JobStateCode.admitted)
      live.jobState[jobIdx] = JobStateCode.queued;
    if (live.jobState[jobIdx] === JobStateCode.held) {
      if (ownHolds) lifecycle.queueing.enter(slot, jobIdx);
      else lifecycle.queueing.release(slot, Hold.scheduler);
    }
    if (ownHolds) continue;
    if (live.jobState[jobIdx] === JobStateCode.queued) lifecycle.queueing.keepBack(slot, jobIdx);
    if (live.jobState[jobIdx] === JobStateCode.placed && live.at.heldBy[slot] !== HoldBy.nobody)
      lifecycle.evict(slot, true, 0, -1);
  }
}
