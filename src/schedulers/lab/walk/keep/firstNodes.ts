/**
 * Jobs that take the first nodes with enough free devices and ask for nothing else. Where one of them would go now it still goes beside what is kept, if its nodes have room
 * then: room elsewhere has only become less, so they still are the first. Then not all nodes need be looked at. O(its nodes × steps in its time).
 */
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { stepAt } from "../../../../scheduling/backfill/steps.ts";
import type { Capacity } from "../../../../scheduling/placement/capacity.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
import { ANYWHERE, partFits } from "../../../../scheduling/placement/rules.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";

/** Whether a place has its devices from one time to another. False for an empty one. */
export function isFreeOver(
  { ofNode }: Profile,
  { parts }: Shape,
  { node, members, length }: Placing,
  fromMs: number,
  toMs: number,
): boolean {
  for (let row = 0; row < length; row++) {
    const steps = ofNode[node[row]!]!;
    const need = members[row]! * parts[0]!.gpus;
    const first = stepAt(steps, fromMs);
    for (let at = first; at < steps.length && (at === first || steps.times[at]! < toMs); at++)
      if (steps.gpus[at]! < need) return false;
  }
  return length > 0;
}

/** Whether the members of a job that takes the first nodes fit, wherever that is. O(devices of a node). */
export function mayTakeFirst(capacity: Capacity, { parts }: Shape): boolean {
  return partFits(capacity, parts[0]!, parts[0]!.members, ANYWHERE);
}
