/**
 * May work of one queue take room from another branch of the tree in KAI? Three questions. Work that cannot be preempted may use deserved quota only. The
 * queue itself must stay within its fair share. Then, where the two branches part: the victim's branch is above both its quota and its fair share (capped by its limit) in some
 * resource, or the reclaimer's stays within its quota in all and the victim's is above its quota in some; and a reclaimer that ends above its share must still be less
 * saturated than the other. Asked again after each victim, the last part also once all have left. O(resources). Pathology: a parent of quota 0 gives its children a fair share of their quota at most.
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

/** Upstream's tolerance of comparisons. */
const ROUNDING = 1e-9;

/** May the queue start this work at all, before anybody is asked to give way? Also a resource that is not asked for counts: who is above his share of CPUs takes no GPUs back. `preemptible`: the work can be preempted itself. */
export function mayAskFor(
  queue: ShareState,
  request: readonly number[],
  preemptible: boolean,
): boolean {
  for (let at = 0; at < request.length; at++) {
    const amount = request[at]!;
    const quota = bound(queue.deserved[at]!);
    if (!preemptible && queue.fixed[at]! + amount > quota + ROUNDING) return false;
    if (queue.allocated[at]! + amount > queue.fairShare[at]! + ROUNDING) return false;
  }
  return true;
}

/** May the reclaimer's branch take from the victim's, both as they stand before this victim goes? `multiplier` scales the saturation that is allowed (1). */
export function mayReclaim(
  reclaimer: ShareState,
  victim: ShareState,
  request: readonly number[],
  multiplier: number,
): boolean {
  let aboveShare = false;
  let aboveQuota = false;
  let withinQuota = true;
  for (let at = 0; at < reclaimer.allocated.length; at++) {
    const theirs = victim.allocated[at]!;
    if (theirs > allocatableShare(victim, at)) aboveShare = true;
    if (theirs > bound(victim.deserved[at]!)) aboveQuota = true;
    const asked = request[at] ?? 0;
    const after = reclaimer.allocated[at]! + asked;
    if (after > bound(reclaimer.deserved[at]!)) withinQuota = false;
  }
  return (
    (aboveShare || (withinQuota && aboveQuota)) &&
    staysLessSaturated(reclaimer, victim, request, request, multiplier)
  );
}

/** Does the reclaimer's branch, where it ends above its share of something that is asked for or `freed`, hold a smaller part of its share than the other? Of a branch without share nobody asks. */
export function staysLessSaturated(
  reclaimer: ShareState,
  victim: ShareState,
  request: readonly number[],
  freed: readonly number[],
  multiplier: number,
): boolean {
  for (let at = 0; at < request.length; at++) {
    if (request[at] === 0 && freed[at] === 0) continue;
    const after = reclaimer.allocated[at]! + request[at]!;
    const mine = saturation(after, reclaimer.fairShare[at]!);
    if (mine <= 1 || victim.fairShare[at] === 0) continue;
    if (mine * multiplier >= saturation(victim.allocated[at]!, victim.fairShare[at]!)) return false;
  }
  return true;
}

/** Could anybody take from this branch, were it to hold so much: is it above its share in some resource, or with `byQuota` above its quota? `slack`: what rounding may have taken from sums. */
export function isAbove(
  victim: ShareState,
  byQuota: boolean,
  slack = 0,
  allocated: readonly number[] = victim.allocated,
): boolean {
  for (let at = 0; at < allocated.length; at++) {
    const amount = allocated[at]!;
    if (amount <= 0) continue;
    const most = allocatableShare(victim, at);
    const least = byQuota ? Math.min(most, bound(victim.deserved[at]!)) : most;
    if (amount + slack > least) return true;
  }
  return false;
}

/** Does the branch stay within its quota with the request? */
export function staysWithinQuota(reclaimer: ShareState, request: readonly number[]): boolean {
  const { allocated, deserved } = reclaimer;
  for (let at = 0; at < allocated.length; at++)
    if (allocated[at]! + (request[at] ?? 0) > bound(deserved[at]!)) return false;
  return true;
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
