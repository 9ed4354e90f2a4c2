/**
 * Whether two memories of the plain passes lead to the same decisions from now on: the same jobs in queue and runs, the same reservation or plans. How lists lie in
 * their blocks, and what a reservation for nobody still holds, have no influence; what follows from the view is in no copy and is not compared. O(waiting + running
 * + nodes where somebody has a reservation).
 */
import { samePlain } from "../../base/samePlain.ts";
import type { Reservation } from "../../scheduling/backfill/shadow.ts";
import { BLOCK, type SortedJobs } from "../../scheduling/ordering/sortedJobs.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { LabState } from "./state.ts";

/** Both as `copyState` makes them. */
export function sameState(a: LabState, b: LabState): boolean {
  const { queue, runs, reservation, plans, planned, ...rest } = a;
  const { queue: q, runs: r, reservation: other, plans: p, planned: _, ...otherRest } = b;
  return (
    samePlain(rest, otherRest) &&
    sameJobs(queue, q) &&
    sameJobs(runs, r) &&
    sameReservation(reservation, other) &&
    plans.length === p.length &&
    plans.every(({ placing, ...plan }, i) => {
      const { placing: place, ...otherPlan } = p[i]!;
      return samePlain(plan, otherPlan) && samePlacing(placing, place);
    })
  );
}

function sameJobs(a: SortedJobs, b: SortedJobs): boolean {
  if (a.length !== b.length) return false;
  const left = rowsOf(a);
  const right = rowsOf(b);
  const names = ["key", "submitMs", "jobIdx", "need", "limitMs"] as const;
  return left.every((row, i) => names.every((name) => Object.is(a[name][row], b[name][right[i]!])));
}

function rowsOf({ blockCount, order, used }: SortedJobs): number[] {
  const rows: number[] = [];
  for (let position = 0; position < blockCount; position++) {
    const block = order[position]!;
    for (let row = 0; row < used[block]!; row++) rows.push(block * BLOCK + row);
  }
  return rows;
}

function sameReservation(a: Reservation, b: Reservation): boolean {
  if (a.jobIdx !== b.jobIdx) return false;
  const sameRoom =
    a.deviceUsed.length === b.deviceUsed.length && a.sliceUsed.length === b.sliceUsed.length;
  if (a.jobIdx < 0) return sameRoom;
  const { placing, ...rest } = a;
  const { placing: place, ...otherRest } = b;
  return samePlain(rest, otherRest) && samePlacing(placing, place);
}

function samePlacing(a: Placing, b: Placing): boolean {
  if (a.length !== b.length) return false;
  for (let row = 0; row < a.length; row++) {
    const same =
      a.part[row] === b.part[row] &&
      a.node[row] === b.node[row] &&
      a.members[row] === b.members[row] &&
      a.device[row] === b.device[row] &&
      a.milli[row] === b.milli[row];
    if (!same) return false;
  }
  return true;
}
