/** What a job holds on one node moves to the devices of a grant: the same members in the same state, elsewhere. */
import type { World } from "../model/world.ts";
import type { Allocations } from "./allocations.ts";
import type { Grant } from "./grant.ts";
import { broken } from "./ledger.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Throws where the grant carries other members. O(entries + rows). */
export function moveNode(
  world: World,
  live: LiveJobs,
  allocations: Allocations,
  slot: number,
  fromNode: number,
  grant: Grant,
): void {
  const jobIdx = live.at.jobIdx[slot]!;
  const first = live.at.first[slot]!;
  if (first < 0) broken(`job ${jobIdx} holds nothing that could move`);
  const entries = allocations.holdings.at;
  let memberState = entries.memberState[first]!;
  let readyMs = -1;
  for (let entry = first; entry >= 0; entry = entries.next[entry]!) {
    if (entries.node[entry] !== fromNode || entries.readyMs[entry]! <= readyMs) continue;
    readyMs = entries.readyMs[entry]!;
    memberState = entries.memberState[entry]!;
  }
  const { firstComponent } = world.jobs.at;
  const firstRow = firstComponent[jobIdx]!;
  const before = allocations.membersHeld.slice(firstRow, firstComponent[jobIdx + 1]!);
  allocations.dropMembersOnNode(slot, fromNode);
  allocations.takeNode(slot, fromNode, 0);
  allocations.give(slot, grant, memberState, readyMs);
  for (let component = 0; component < before.length; component++) {
    if (allocations.membersHeld[firstRow + component] !== before[component])
      broken(`job ${jobIdx} lost members in a move`);
  }
}
