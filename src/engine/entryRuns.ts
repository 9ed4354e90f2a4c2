/** How entries of the holdings belong together: what continues the last one, and what goes with members that are taken away. */
import type { Holdings } from "./holdings.ts";
import type { LiveJobs } from "./liveJobs.ts";

type Entries = Holdings["at"];

/** Whether the entry is whole devices of members that have nothing elsewhere on the node. O(1). */
export function standsAlone(at: Entries, entry: number, asked: number): boolean {
  const members = at.members[entry]!;
  if (at.part[entry] !== 0 || members === 0 || asked === 0) return false;
  const after = at.next[entry]!;
  const goesOn =
    after >= 0 && at.component[after] === at.component[entry] && at.members[after] === 0;
  return at.count[entry] === members * asked && !goesOn;
}

/** The members of an entry from `kept` on become an entry of their own behind it, which is returned. O(1). */
export function splitEntry(
  holdings: Holdings,
  live: LiveJobs,
  slot: number,
  entry: number,
  kept: number,
): number {
  const { at } = holdings;
  const members = at.members[entry]!;
  const perMember = at.count[entry]! / members;
  const cpuMilli = Math.floor((at.cpuMilli[entry]! * kept) / members);
  const memMiB = Math.floor((at.memMiB[entry]! * kept) / members);
  const made = holdings.add(
    at.jobIdx[entry]!,
    at.component[entry]!,
    at.node[entry]!,
    at.device[entry]! + kept * perMember,
    (members - kept) * perMember,
    0,
    members - kept,
    at.cpuMilli[entry]! - cpuMilli,
    at.memMiB[entry]! - memMiB,
  );
  const entries = holdings.at;
  entries.count[entry] = kept * perMember;
  entries.members[entry] = kept;
  entries.cpuMilli[entry] = cpuMilli;
  entries.memMiB[entry] = memMiB;
  entries.sinceMs[made] = entries.sinceMs[entry]!;
  entries.readyMs[made] = entries.readyMs[entry]!;
  entries.memberState[made] = entries.memberState[entry]!;
  const after = entries.next[entry]!;
  entries.prev[made] = entry;
  entries.next[made] = after;
  entries.next[entry] = made;
  if (after >= 0) entries.prev[after] = made;
  else live.at.last[slot] = made;
  return made;
}

/**
 * Makes the member that has this device an entry of its own, where its devices lie together. False where they do not, and everything that the job has
 * on the node goes with the device. O(entries).
 */
export function isolateMember(
  holdings: Holdings,
  live: LiveJobs,
  slot: number,
  device: number,
  gpusOf: ArrayLike<number>,
): boolean {
  let entry = live.at.first[slot]!;
  while (entry >= 0 && !covers(holdings.at, entry, device)) entry = holdings.at.next[entry]!;
  if (entry < 0) return false;
  if (holdings.at.part[entry] !== 0) return true;
  const asked = gpusOf[holdings.at.component[entry]!]!;
  if (!standsAlone(holdings.at, entry, asked)) return false;
  const before = Math.floor((device - holdings.at.device[entry]!) / asked);
  if (before > 0) entry = splitEntry(holdings, live, slot, entry, before);
  if (holdings.at.members[entry]! > 1) splitEntry(holdings, live, slot, entry, 1);
  return true;
}

/** Whether an entry holds the device; −1 = any. O(1). */
export function covers(at: Entries, entry: number, device: number): boolean {
  const first = at.device[entry]!;
  return device < 0 || (first >= 0 && device >= first && device < first + at.count[entry]!);
}

/** Devices that a job is given now; `device` −1 = members without devices. */
export interface Given {
  readonly row: number;
  readonly node: number;
  readonly device: number;
  readonly part: number;
  readonly memberState: number;
  readonly readyMs: number;
  readonly nowMs: number;
}

/** Whether what is given continues an entry: whole devices next to its last, given at the same instant, in the same state. O(1). */
export function continues(at: Entries, last: number, given: Given): boolean {
  const { device } = given;
  return (
    given.part === 0 &&
    at.part[last] === 0 &&
    at.node[last] === given.node &&
    at.component[last] === given.row &&
    at.sinceMs[last] === given.nowMs &&
    at.memberState[last] === given.memberState &&
    at.readyMs[last] === given.readyMs &&
    (device < 0
      ? at.device[last]! < 0
      : at.device[last]! >= 0 && at.device[last]! + at.count[last]! === device)
  );
}

/**
 * Devices that go with `taken` of the members of the entry `head`: what they ask for (`asked` each); with the last of them all that was given up
 * to `tail`. O(entries between the two).
 */
export function devicesOfTail(
  at: Entries,
  asked: number,
  row: number,
  head: number,
  tail: number,
  taken: number,
): number {
  if (taken < at.members[head]!) return at.count[head] === 0 ? 0 : taken * asked;
  let devices = at.count[head]!;
  for (let entry = tail; entry !== head; entry = at.prev[entry]!)
    if (at.component[entry] === row) devices += at.count[entry]!;
  return devices;
}
