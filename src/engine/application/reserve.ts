/**
 * Members of an elastic job beyond the size of its group: they hold their devices and do no work, so the record shows them as held. First come those that were
 * placed first; a member whose devices do not lie together with others of its entry stays with them.
 */

import { MemberStateCode } from "../../model/states.ts";
import type { World } from "../../model/world.ts";
import type { Allocations } from "../allocations.ts";
import { splitEntry, standsAlone } from "../entryRuns.ts";
import type { LiveJobs } from "../liveJobs.ts";

/** Of the first component of a job that runs, all that have started up and stand beyond the first `group` are held; others stay as they are. O(entries). */
export function relabelReserve(
  { jobs }: World,
  live: LiveJobs,
  allocations: Allocations,
  slot: number,
  group: number,
  nowMs: number,
): void {
  const row = jobs.at.firstComponent[live.at.jobIdx[slot]!]!;
  if (allocations.membersHeld[row]! <= group) return;
  const { holdings } = allocations;
  const asked = jobs.components.gpus[row]!;
  let members = 0;
  for (let entry = live.at.first[slot]!; entry >= 0; entry = holdings.at.next[entry]!) {
    const { at } = holdings;
    if (at.component[entry] !== row || at.readyMs[entry]! > nowMs) continue;
    const before = members;
    members += at.members[entry]!;
    // Devices without members go on with the member before them.
    if (members <= group) continue;
    if (before >= group) allocations.relabelEntry(slot, entry, MemberStateCode.held);
    else if (standsAlone(at, entry, asked)) {
      splitEntry(holdings, live, slot, entry, group - before);
      members = group;
    }
  }
}
