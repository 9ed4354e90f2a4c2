/**
 * May work of one queue take room from another branch of the tree in KAI? Three questions. Work that cannot be preempted may use deserved quota only. The
 * queue itself must stay within its fair share. Then, where the two branches part: the victim's branch is above both its quota and its fair share (capped by its limit) in some
 * resource, or the reclaimer's stays within its quota in all and the victim's is above its quota in some; and a reclaimer that ends above its share must still be less
 * saturated than the other. Asked again after each victim. O(resources). Pathology: a parent of quota 0 gives its children a fair share of their quota at most.
 * Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/plugins/proportion/reclaimable`.
 */
export interface ShareState {
  readonly allocated: readonly number[];
  /** Of `allocated`, what work holds that cannot be preempted. */
  readonly fixed: readonly number[];
  /** Quota; -1 = unlimited. */
  readonly deserved: readonly number[];
  readonly fairShare: readonly number[];
  /** -1 = no limit. */
  readonly limit: readonly number[];
}

/** May the queue start this work at all, before anybody is asked to give way? `preemptible`: the work can be preempted itself. */
export function mayAskFor(
  queue: ShareState,
  request: readonly number[],
  preemptible: boolean,
): boolean {
  return request.every((amount, at) => {
    if (amount === 0) return true;
    const quota = bound(queue.deserved[at]!);
    if (!preemptible && queue.fixed[at]! + amount > quota) return false;
    return queue.allocated[at]! + amount <= queue.fairShare[at]!;
  });
}

/** May the reclaimer's branch take from the victim's, both as they stand before this victim goes? `multiplier` scales the saturation that is allowed (1). */
export function mayReclaim(
  reclaimer: ShareState,
  victim: ShareState,
  request: readonly number[],
  multiplier: number,
): boolean {
  const after = reclaimer.allocated.map((amount, at) => amount + (request[at] ?? 0));
  const aboveShare = victim.allocated.some((amount, at) => amount > allocatableShare(victim, at));
  const withinQuota = after.every((amount, at) => amount <= bound(reclaimer.deserved[at]!));
  const aboveQuota = victim.allocated.some((amount, at) => amount > bound(victim.deserved[at]!));
  if (!aboveShare && !(withinQuota && aboveQuota)) return false;
  return after.every((amount, at) => {
    const mine = saturation(amount, reclaimer.fairShare[at]!) * multiplier;
    if ((request[at] ?? 0) === 0 || mine <= 1 || victim.fairShare[at] === 0) return true;
    return mine < saturation(victim.allocated[at]!, victim.fairShare[at]!);
  });
}

function bound(amount: number): number {
  return amount < 0 ? Number.POSITIVE_INFINITY : amount;
}

function allocatableShare({ deserved, fairShare, limit }: ShareState, at: number): number {
  return Math.min(bound(limit[at]!), Math.max(bound(deserved[at]!), fairShare[at]!));
}

function saturation(allocated: number, fairShare: number): number {
  if (fairShare > 0) return allocated / fairShare;
  return allocated > 0 ? Number.POSITIVE_INFINITY : 0;
}
