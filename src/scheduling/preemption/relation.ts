/**
 * Who may preempt whom. Tiers are rows in order of priority; a tier names the tiers whose jobs its jobs may preempt, else every tier
 * below it. Within a tier a job may preempt those with a smaller priority of their own (`JobLife.priority`), and with `newerEqual` those of equal
 * priority that were submitted later and stand behind it in the queue (Kueue's `LowerOrNewerEqualPriority`, whose queue goes by submission). So a victim
 * that is queued again has its turn after the job that it gave way to, and never evicts it back. Where the order moves with what jobs use there is no such
 * victim: who stands first would be started in each pass and evicted in the next. Only jobs marked preemptible are victims. The same question is asked when victims are looked
 * for and again when one is stopped.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { LabOrder, PoolSettings } from "../../model/policy.ts";
import { goesByLimits, queueKey } from "../../model/queueOrder.ts";
import type { TierInfo } from "../../model/world.ts";
import { STATIC_ORDERS } from "../ordering/staticOrder.ts";

/** The order by which one of two equal jobs stands behind the other. */
export interface EqualOrder {
  readonly order: LabOrder;
  readonly agingMs: number;
}

/** Moves too, but its rule is published with this one: equal priority, later submission, whoever used less (the field cases). A cooldown keeps it calm. */
const BY_USAGE: LabOrder = "leastUsage";

/** What the settings say of equal jobs; null = they do not preempt each other. */
export function equalOrder({ settings }: PoolSettings): EqualOrder | null {
  if (settings["newerEqual"] !== true) return null;
  const name = settings["order"] ?? "fcfs";
  const order = [...STATIC_ORDERS, BY_USAGE].find((known) => known === name);
  // What is known of a run time may have changed since a job was queued.
  if (order === undefined || !goesByLimits(order, settings["runTimes"])) return null;
  return { order, agingMs: Number(settings["agingMs"] ?? 0) };
}

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

/** A job's own priority, within its tier. O(1). */
export function priorityOf(view: PoolView, jobIdx: number): number {
  return view.jobs.lab.get(jobIdx)?.priority ?? 0;
}

/** Whether the policy lets a job stop another. O(1). */
export function mayPreempt(
  view: PoolView,
  relation: Uint8Array,
  equal: EqualOrder | null,
  jobIdx: number,
  victimIdx: number,
): boolean {
  if (jobIdx === victimIdx) return false;
  const { flags, submitMs } = view.jobs.at;
  if ((flags[victimIdx]! & JobFlag.preemptible) === 0) return false;
  const tier = view.tierOfJob[jobIdx]!;
  const victimTier = view.tierOfJob[victimIdx]!;
  if (relation[tier * view.tiers.length + victimTier] === 1) return true;
  if (tier !== victimTier) return false;
  const above = priorityOf(view, jobIdx) - priorityOf(view, victimIdx);
  if (above !== 0) return above > 0;
  // At the same instant nobody was later; the order of a list of jobs says nothing about it.
  if (equal === null || submitMs[victimIdx]! <= submitMs[jobIdx]!) return false;
  const keyOf = (job: number) => queueKey(equal.order, view.jobs, tier, job, equal.agingMs);
  return keyOf(jobIdx) <= keyOf(victimIdx);
}
