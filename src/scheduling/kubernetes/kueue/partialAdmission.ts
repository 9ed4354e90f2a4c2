/**
 * Partial admission: a job with a minimum parallelism is admitted at the largest size that fits, its pod sets shrinking together along one scale of integer steps. The full size is
 * tried first; then a binary search for the smallest step that fits. Each trial may use preemption, so it can be dear. O(log steps) trials. Source: kubernetes-sigs/kueue
 * `pkg/scheduler/flavorassigner/podset_reducer.go`; docs "Job: partial admission".
 */

export interface PodSet {
  readonly count: number;
  /** The same as `count` where the set never shrinks. */
  readonly minCount: number;
}

/** Size of each pod set, or null where even the smallest does not fit. */
export function largestSize(
  podSets: readonly PodSet[],
  fits: (counts: readonly number[]) => boolean,
): number[] | null {
  const steps = podSets.reduce((sum, { count, minCount }) => sum + count - minCount, 0);
  const sizeAt = (step: number): number[] =>
    podSets.map(({ count, minCount }) =>
      steps === 0 ? count : count - Math.trunc(((count - minCount) * step) / steps),
    );
  if (fits(sizeAt(0))) return sizeAt(0);
  let low = 1;
  let high = steps + 1;
  while (low < high) {
    const middle = Math.trunc((low + high) / 2);
    if (fits(sizeAt(middle))) high = middle;
    else low = middle + 1;
  }
  return low <= steps ? sizeAt(low) : null;
}
