/**
 * Members of a component on one node are taken away, those given last first. An entry of several members is split where their devices are alike; members whose devices
 * cannot be told apart (whole nodes given to several) go together. O(entries of the job).
 */
import { EndStateCode } from "../model/states.ts";
import type { Allocations } from "./allocations.ts";
import { splitEntry } from "./entryRuns.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Takes up to `members` members of a row of the component table on a node, at least one where there is one. Returns how many. */
export function takeMembersOn(
  allocations: Allocations,
  live: LiveJobs,
  slot: number,
  row: number,
  node: number,
  members: number,
): number {
  const { holdings } = allocations;
  let taken = 0;
  let entry = live.at.last[slot]!;
  while (entry >= 0 && taken < members) {
    const { at } = holdings;
    let before = at.prev[entry]!;
    if (at.component[entry] === row && at.node[entry] === node && at.members[entry]! > 0) {
      const whole = at.members[entry]!;
      const kept = whole - (members - taken);
      if (kept > 0 && at.count[entry]! % whole === 0 && restOf(allocations, entry) < 0) {
        before = entry;
        entry = splitEntry(holdings, live, slot, entry, kept);
      }
      taken += holdings.at.members[entry]!;
      for (let rest = restOf(allocations, entry); rest >= 0; rest = restOf(allocations, entry))
        allocations.dropEntry(slot, rest, EndStateCode.running);
      allocations.dropEntry(slot, entry, EndStateCode.running);
    }
    entry = before;
  }
  allocations.membersHeld[row] = allocations.membersHeld[row]! - taken;
  return taken;
}

/** The entry that carries the rest of the last member of an entry; −1 = none. */
function restOf({ holdings: { at } }: Allocations, entry: number): number {
  const after = at.next[entry]!;
  const goesOn =
    after >= 0 && at.component[after] === at.component[entry] && at.members[after] === 0;
  return goesOn ? after : -1;
}
