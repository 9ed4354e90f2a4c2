/**
 * Volcano's proportion plugin: what each queue deserves of the cluster, resource by resource. Water is filled in rounds over the queues that are not
 * covered yet, by weight, capped at what a queue may have and asks for, and raised to its guarantee. A queue leaves when its request is covered in
 * every resource or when a round gave it nothing. Where guarantees take more than there is left, nothing is left: nobody gives any back, and more is deserved than there is. Queues without jobs take no part: their weight does not count, only their guarantee is kept back.
 * O(queues² × resources) at worst, since each round but the last covers a queue. Pathology: a guarantee counts in full even where its queue asks for less.
 * Source: volcano-sh/volcano `pkg/scheduler/plugins/proportion` (what is left by `ExceededPart`, which is never below 0: #4261, #4273).
 */

/** Amounts by resource; all lists of one call have one length. */
export type Amounts = readonly number[];

export interface ProportionQueue {
  readonly name: string;
  readonly weight: number;
  /** Queue priority, higher first. */
  readonly priority: number;
  /** What its running and pending tasks ask for in total; all 0 = the queue has no jobs. */
  readonly request: Amounts;
  /** The most it may have; Infinity where nothing is said. */
  readonly capability: Amounts;
  readonly guarantee: Amounts;
}

/** Differences below this are rounding: amounts are decimal fractions of cores and devices. */
const ROUNDING = 1e-9;

/** Is `left` at most `right` in every resource, but for rounding? */
export function fitsWithin(left: Amounts, right: Amounts): boolean {
  for (let at = 0; at < left.length; at++) if (!isAtMost(left[at]!, right[at]!)) return false;
  return true;
}

/** Of one resource. */
export function isAtMost(left: number, right: number): boolean {
  return left <= right + ROUNDING;
}

/** The most a queue can really have: the cluster without what is guaranteed to others, within its own capability. */
export function realCapabilities(total: Amounts, queues: readonly ProportionQueue[]): Amounts[] {
  const guaranteed = total.map((_, at) => queues.reduce((sum, one) => sum + one.guarantee[at]!, 0));
  return queues.map((queue) =>
    total.map((amount, at) =>
      Math.min(queue.capability[at]!, Math.max(0, amount - guaranteed[at]!) + queue.guarantee[at]!),
    ),
  );
}

/** What each queue deserves, in the order of `queues`; nothing for queues without jobs. */
export function deservedAmounts(total: Amounts, queues: readonly ProportionQueue[]): number[][] {
  const caps = realCapabilities(total, queues);
  const deserved = queues.map(() => total.map(() => 0));
  const unmet = new Set(queues.keys());
  for (const [idx, queue] of queues.entries())
    if (queue.request.every((amount) => amount === 0)) unmet.delete(idx);
  let remaining = [...total];
  for (;;) {
    const weights = [...unmet].reduce((sum, idx) => sum + queues[idx]!.weight, 0);
    if (weights <= 0) return deserved;
    const left = [...remaining];
    for (const idx of [...unmet]) {
      const queue = queues[idx]!;
      const before = deserved[idx]!;
      const now = before.map((had, at) => {
        const offered = had + (remaining[at]! * queue.weight) / weights;
        const capped = Math.min(offered, caps[idx]![at]!, queue.request[at]!);
        return Math.max(capped, queue.guarantee[at]!);
      });
      for (const [at, amount] of now.entries()) left[at]! -= amount - before[at]!;
      deserved[idx] = now;
      const unchanged = now.every((amount, at) => Math.abs(amount - before[at]!) <= ROUNDING);
      if (unchanged || fitsWithin(queue.request, now)) unmet.delete(idx);
    }
    for (const [at, amount] of left.entries()) left[at] = Math.max(0, amount);
    const moved = left.some((amount, at) => Math.abs(amount - remaining[at]!) > ROUNDING);
    remaining = left;
    if (!moved || remaining.every((amount) => amount <= ROUNDING)) return deserved;
  }
}

/** The dominant share of a queue: the largest part of what it deserves that it has. A resource it does not deserve counts in full once it has some. */
export function queueShare(allocated: Amounts, deserved: Amounts): number {
  let share = 0;
  for (let at = 0; at < allocated.length; at++) {
    const amount = allocated[at]!;
    const base = deserved[at]!;
    share = Math.max(share, base === 0 ? (amount === 0 ? 0 : 1) : amount / base);
  }
  return share;
}

/** Below zero = the first queue is served first: higher queue priority, then lower share, then name. */
export function compareQueues(
  left: { readonly name: string; readonly priority: number; readonly share: number },
  right: { readonly name: string; readonly priority: number; readonly share: number },
): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.share !== right.share) return left.share - right.share;
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
