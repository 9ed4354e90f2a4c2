/**
 * waitForPodsReady: a workload whose pods are not ready in time loses its quota and comes back after a delay that doubles up to a cap; after so many requeues the next such time
 * deactivates it. The random part that upstream adds to each delay is left to the caller. O(1). Source: kubernetes-sigs/kueue `apis/config` (RequeuingStrategy), docs "All-or-nothing".
 */
export interface RequeueRule {
  readonly baseMs: number;
  readonly maxMs: number;
  /** Requeues allowed; `Infinity` = for ever. */
  readonly limit: number;
}

/** Delay after the ready-timeout number `nth` (from 1); null = deactivated. */
export function requeueDelayMs({ baseMs, maxMs, limit }: RequeueRule, nth: number): number | null {
  if (nth > limit) return null;
  // Beyond 2^52 the cap holds whatever the base.
  return Math.min(maxMs, baseMs * 2 ** Math.min(nth - 1, 52));
}
