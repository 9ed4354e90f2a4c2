/**
 * Jobs that take the first nodes with enough free devices and ask for nothing else. Where one of them would go now it still goes beside what is kept, if its nodes have room
 * then: room elsewhere has only become less, so they still are the first. Then not all nodes need be looked at. O(its nodes × steps in its time).
 */
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { stepAt } from "../../../../scheduling/backfill/steps.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
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
