/**
 * When a node may go. It is unneeded while less of it is asked for than the threshold (of a GPU node GPUs alone count, of others the larger of CPUs and memory) and all of its pods could be
 * elsewhere; it goes when it has been so for longer than the set time, empty nodes in bulk, one with pods at a time. A node group that did not deliver in time backs off: 5 minutes,
 * doubling to 30. Pathology: what runs below half of a node is moved, lost work or not, unless its pods say otherwise. O(1) each. Source: kubernetes/autoscaler
 * `cluster-autoscaler/{simulator/utilization,core/scaledown}`, `utils/backoff`.
 */

/** Amounts of CPUs, memory and GPUs. */
export type NodeAmounts = readonly [cpu: number, memory: number, gpus: number];

/** Part of a node that is asked for, 0..1. */
export function utilization(has: NodeAmounts, asked: NodeAmounts): number {
  const part = (at: 0 | 1 | 2): number => (has[at] > 0 ? asked[at] / has[at] : 0);
  return has[2] > 0 ? part(2) : Math.max(part(0), part(1));
}

/** Longer than the set time, not just as long. */
export function isUnneededLongEnough(sinceMs: number, forMs: number, nowMs: number): boolean {
  return sinceMs + forMs < nowMs;
}

export interface DeletionLimits {
  /** Nodes that go at the same time, and of them nodes with pods. */
  readonly parallel: number;
  readonly drains: number;
}

/** How many of the empty nodes and of those with pods may go now, while so many with pods are going already. */
export function deletionsNow(
  empty: number,
  withPods: number,
  { parallel, drains }: DeletionLimits,
  going: number,
): { readonly empty: number; readonly withPods: number } {
  const ofEmpty = Math.max(0, Math.min(empty, parallel - going));
  const left = Math.min(parallel - going - ofEmpty, drains - going);
  return { empty: ofEmpty, withPods: Math.max(0, Math.min(withPods, left)) };
}

const BACKOFF_FIRST_MS = 300_000;
const BACKOFF_MOST_MS = 1_800_000;
/** After so long without a failure the next back-off is the first again. */
const BACKOFF_RESET_MS = 10_800_000;

export interface GroupBackoff {
  readonly untilMs: number;
  readonly lengthMs: number;
  readonly failedMs: number;
}

/** The back-off of a group that has failed now, after an earlier one. */
export function nextBackoff(before: GroupBackoff | null, nowMs: number): GroupBackoff {
  const again = before !== null && nowMs - before.failedMs <= BACKOFF_RESET_MS;
  const lengthMs = again ? Math.min(BACKOFF_MOST_MS, before.lengthMs * 2) : BACKOFF_FIRST_MS;
  return { untilMs: nowMs + lengthMs, lengthMs, failedMs: nowMs };
}

/** Whether the back-off of a group grows no longer. */
export const isLongestBackoff = ({ lengthMs }: GroupBackoff): boolean =>
  lengthMs >= BACKOFF_MOST_MS;
