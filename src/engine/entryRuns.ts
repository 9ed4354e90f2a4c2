/** How entries of the holdings belong together: what continues the last one, and what goes with members that are taken away. */
import type { Holdings } from "./holdings.ts";

type Entries = Holdings["at"];

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
