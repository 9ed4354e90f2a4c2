/**
 * KAI's fair share of one resource among sibling queues. First each queue gets what it deserves as far as it can use it, whatever the size of the
 * cluster (so shares can add up to more than there is). The rest goes to queues that want more, bucket by bucket of queue priority from high to low, inside a
 * bucket by over-quota weight in rounds: a need within its part of the round is met exactly, a larger one gets its part rounded down, and another round
 * follows only if a queue needed less than its part. What rounding left is offered to the buckets below, and at last goes out in single units: buckets from high to low, inside one
 * the largest fractional part, then the older queue, then name; a unit may be more than its queue still wants. Time-based: a weight moves by how far past use lies from it. O(queues²) at worst.
 * Pathology: a unit lost to rounding at high priority can end up below. Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/plugins/proportion`, `docs/{fairness,time-based-fairshare}`.
 */
export interface ShareQueue {
  readonly name: string;
  /** Quota; -1 = unlimited. */
  readonly deserved: number;
  /** What its work asks for, running and pending. */
  readonly request: number;
  /** The most it may use; -1 = no limit. */
  readonly limit: number;
  /** 0 = never above its quota. */
  readonly overQuotaWeight: number;
  readonly priority: number;
  /** Order of creation, smaller is older. */
  readonly created: number;
  /** Part of the cluster it used over the window, 0 to 1. */
  readonly usage: number;
}

export interface FairShares {
  /** By queue, in the order given. */
  readonly shares: readonly number[];
  /** What nobody could or would take, never below 0. */
  readonly remaining: number;
}

interface Wanting {
  readonly queue: ShareQueue;
  readonly idx: number;
  /** Still wanted beyond what it has. */
  need: number;
  /** Fraction that rounding last took from a part of its, -1 while none was taken. */
  fraction: number;
}

const ROUNDING = 1e-9;

/** Fair shares of one level. `strength` is the k of time-based fair share, 0 = off. */
export function fairShares(
  total: number,
  queues: readonly ShareQueue[],
  strength: number,
): FairShares {
  const shares = queues.map((queue) => withinQuota(queue, total));
  let left = Math.max(
    0,
    shares.reduce((rest, share) => rest - share, total),
  );
  const buckets = bucketsOf(queues, shares);
  for (const bucket of buckets) left = shareByWeight(bucket, left, shares, strength);
  for (const bucket of buckets) left = shareUnits(bucket, left, shares);
  return { shares, remaining: left };
}

function usable({ request, limit }: ShareQueue): number {
  return limit < 0 ? request : Math.min(limit, request);
}

/** An unlimited quota counts as all there is. */
function withinQuota(queue: ShareQueue, total: number): number {
  return Math.min(queue.deserved < 0 ? total : queue.deserved, usable(queue));
}

/** Queues that want more and have a weight, by priority from high to low. */
function bucketsOf(queues: readonly ShareQueue[], shares: readonly number[]): Wanting[][] {
  const byPriority = new Map<number, Wanting[]>();
  for (const [idx, queue] of queues.entries()) {
    const need = usable(queue) - shares[idx]!;
    if (need <= ROUNDING || queue.overQuotaWeight <= 0) continue;
    const bucket = byPriority.get(queue.priority) ?? [];
    bucket.push({ queue, idx, need, fraction: -1 });
    byPriority.set(queue.priority, bucket);
  }
  return [...byPriority].sort(([left], [right]) => right - left).map(([, bucket]) => bucket);
}

/** Rounds of one bucket; what is left for the buckets below. */
function shareByWeight(
  bucket: readonly Wanting[],
  amount: number,
  shares: number[],
  strength: number,
): number {
  let left = amount;
  for (let again = true; again && left > ROUNDING; ) {
    again = false;
    const wanting = bucket.filter(({ need }) => need > ROUNDING);
    const weights = partWeights(wanting, strength);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum <= 0) break;
    const offered = left;
    for (const [at, one] of wanting.entries()) {
      const part = (offered * weights[at]!) / sum;
      const met = one.need <= part + ROUNDING;
      const given = met ? one.need : Math.floor(part + ROUNDING);
      if (one.need < part - ROUNDING) again = true;
      if (!met && part - given > ROUNDING) one.fraction = part - given;
      one.need = met ? 0 : one.need - given;
      shares[one.idx]! += given;
      left -= given;
    }
  }
  return Math.max(0, left);
}

/** Weights normalised over those that still want more, each moved by `strength` times its distance from past use. */
function partWeights(wanting: readonly Wanting[], strength: number): number[] {
  const sum = wanting.reduce((total, { queue }) => total + queue.overQuotaWeight, 0);
  return wanting.map(({ queue }) => {
    const weight = queue.overQuotaWeight / sum;
    return Math.max(0, weight + strength * (weight - queue.usage));
  });
}

/** Single units of what rounding left, to those it was taken from. */
function shareUnits(bucket: readonly Wanting[], amount: number, shares: number[]): number {
  let left = amount;
  const inTurn = bucket
    .filter(({ need, fraction }) => need > ROUNDING && fraction >= 0)
    .sort(compareFractions);
  for (const one of inTurn) {
    if (left <= ROUNDING) return 0;
    const given = Math.min(1, left);
    shares[one.idx]! += given;
    left -= given;
  }
  return left;
}

function compareFractions(left: Wanting, right: Wanting): number {
  if (Math.abs(left.fraction - right.fraction) > ROUNDING) return right.fraction - left.fraction;
  if (left.queue.created !== right.queue.created) return left.queue.created - right.queue.created;
  return left.queue.name < right.queue.name ? -1 : 1;
}
