/**
 * Who may preempt whom. Tiers are rows in order of priority; a tier names the tiers whose jobs its jobs may preempt, else every tier
 * below it. With `newerEqual` also jobs of the same tier that were submitted later (Kueue's `LowerOrNewerEqualPriority`). Only jobs marked
 * preemptible are victims. The same question is asked when victims are looked for and again when one is stopped.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { TierInfo } from "../../model/world.ts";

/** Row by row (preemptor), column by column (victim): 1 = may be preempted. O(tiers²). */
export function tierRelation(tiers: readonly TierInfo[]): Uint8Array {
  const relation = new Uint8Array(tiers.length * tiers.length);
  tiers.forEach((tier, row) => {
    tiers.forEach((other, column) => {
      const below = tier.mayPreempt?.includes(other.id) ?? column > row;
      relation[row * tiers.length + column] = below ? 1 : 0;
    });
  });
  return relation;
}

/** Whether the policy lets a job stop another. O(1). */
export function mayPreempt(
  view: PoolView,
  relation: Uint8Array,
  newerEqual: boolean,
  jobIdx: number,
  victimIdx: number,
): boolean {
  if (jobIdx === victimIdx) return false;
  const { flags, submitMs } = view.jobs.at;
  if ((flags[victimIdx]! & JobFlag.preemptible) === 0) return false;
  const tier = view.tierOfJob[jobIdx]!;
  const victimTier = view.tierOfJob[victimIdx]!;
  if (relation[tier * view.tiers.length + victimTier] === 1) return true;
  if (!newerEqual || tier !== victimTier) return false;
  const laterMs = submitMs[victimIdx]! - submitMs[jobIdx]!;
  return laterMs > 0 || (laterMs === 0 && victimIdx > jobIdx);
}
