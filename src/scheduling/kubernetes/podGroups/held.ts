/**
 * What a job holds, by component: as a group scheduler counts it, so a job that is told to leave holds nothing any more although its devices are not back yet.
 * Taken from the view whenever something happens to the job, never counted along. O(its entries).
 */
import { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { GroupClass } from "./classes.ts";
import { type LeavingPod, leavingOf } from "./leaving.ts";

const held = new Grant();

/** Members by component, without those told to leave; null where it holds none. */
export function membersHeld(
  view: PoolView,
  group: GroupClass,
  jobIdx: number,
  leaving: readonly LeavingPod[],
): number[] | null {
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
  if (leaving.length === 0) return members;
  return members.map((count, at) => Math.max(0, count - leavingOf(leaving, jobIdx, at)));
}

/** Whether it has all its least members: the group as a whole is there. */
export function isReady(group: GroupClass, members: readonly number[]): boolean {
  return group.least.every((least, at) => members[at]! >= least);
}

/** The first component that could be given one more member; −1 if all are there. One who is leaving is still there. */
export function shortComponent(
  group: GroupClass,
  members: readonly number[],
  leaving: readonly LeavingPod[],
  jobIdx: number,
): number {
  return group.shape.parts.findIndex(
    (part, at) => members[at]! + leavingOf(leaving, jobIdx, at) < part.members,
  );
}
