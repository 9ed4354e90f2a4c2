/**
 * Which of two pods matters more to kube-scheduler: higher priority, then the one that started earlier, then the smaller name (upstream leaves that to chance). Source:
 * kubernetes/kubernetes `pkg/scheduler/util` (MoreImportantPod).
 */

/** A pod on a node, as preemption sees it. */
export interface PlacedPod {
  /** Tells pods apart; the last tie-break, smaller first. */
  readonly name: string;
  readonly priority: number;
  readonly startMs: number;
  /** By resource. */
  readonly requests: ArrayLike<number>;
  /** Indexes of the disruption budgets that select it. */
  readonly budgets: readonly number[];
}

/** Negative where the left pod matters more. */
export function compareImportance(left: PlacedPod, right: PlacedPod): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.startMs !== right.startMs) return left.startMs - right.startMs;
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
