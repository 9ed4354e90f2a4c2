/** Whether a job's minimum of members has started up, where members may have joined later than the run began. */
import type { World } from "../model/world.ts";
import type { Allocations } from "./allocations.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** O(components); O(components × entries) while members start up on their own. */
export function hasReadyMinimum(
  world: World,
  live: LiveJobs,
  allocations: Allocations,
  slot: number,
  nowMs: number,
): boolean {
  const jobIdx = live.at.jobIdx[slot]!;
  if (live.at.readyMs[slot]! <= nowMs) return allocations.hasMinimum(jobIdx);
  const { at, components } = world.jobs;
  const entries = allocations.holdings.at;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    let ready = allocations.membersHeld[row]!;
    for (let entry = live.at.first[slot]!; entry >= 0; entry = entries.next[entry]!) {
      if (entries.component[entry] === row && entries.readyMs[entry]! > nowMs)
        ready -= entries.members[entry]!;
    }
    if (ready < components.minMembers[row]!) return false;
  }
  return true;
}
