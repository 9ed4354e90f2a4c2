/**
 * What a job holds, by component: as a group scheduler counts it, so a job that is told to leave holds nothing any more although its devices are not back yet.
 * Taken from the view whenever something happens to the job, never counted along. O(its entries).
 */
import { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { GroupClass } from "./classes.ts";

const held = new Grant();

/** Members by component; null where it holds none. */
export function membersHeld(view: PoolView, group: GroupClass, jobIdx: number): number[] | null {
  const state = view.jobState[jobIdx]!;
  if (state === JobStateCode.ending || state === JobStateCode.done) return null;
  held.clear();
  view.holdings(jobIdx, held);
  if (held.length === 0) return null;
  const members = group.least.map(() => 0);
  for (let row = 0; row < held.length; row++) {
    const at = held.component[row]!;
    members[at] = members[at]! + held.members[row]!;
  }
  return members;
}

/** Whether it has all its least members: the group as a whole is there. */
export function isReady(group: GroupClass, members: readonly number[]): boolean {
  return group.least.every((least, at) => members[at]! >= least);
}

/** Whether members of it have no place yet. */
export function isPartial(group: GroupClass, members: readonly number[]): boolean {
  return group.shape.parts.some((part, at) => members[at]! < part.members);
}
