/**
 * What Kueue knows of a workload, and the orders that follow from it: in its queue (priority, then time, then name), and as a victim (already leaving, then of other
 * queues, then lower priority, then later admission, then name; upstream's last tie-break is a UID). With admission fair sharing the use of LocalQueues comes before priority: who has used less is
 * ahead, who has used more gives way first (a comment in upstream's code says the reverse; the code does this). Source: kubernetes-sigs/kueue `pkg/cache/queue/cluster_queue.go`,
 * `pkg/scheduler/preemption/common/ordering.go`, `preemption_policy.go`.
 */
import type { CellAmount } from "./quotaTree.ts";

export interface Workload {
  readonly name: string;
  /** Node of its ClusterQueue. */
  readonly queue: number;
  /** Larger is more important. */
  readonly priority: number;
  /** Time that orders it in its queue: creation, or its last eviction. */
  readonly queuedMs: number;
  /** When it was given its quota. */
  readonly admittedMs: number;
  /** It is leaving already. */
  readonly evicted: boolean;
  /** Its LocalQueue and what that has used, weighted, where its ClusterQueue shares by history (`usageDecay.ts`). */
  readonly local?: { readonly queue: string; readonly used: number };
  /** At most one entry a cell. */
  readonly amounts: readonly CellAmount[];
}

/** Whose workloads may give way to one of this queue. Kueue's own default: nobody's. */
export interface PreemptionRules {
  readonly withinQueue: "Never" | "LowerPriority" | "LowerOrNewerEqualPriority";
  readonly reclaim: "Never" | "LowerPriority" | "Any";
  /** May it borrow afterwards what others had to leave? Null = no; else only from workloads of lower priority, and of at most this one. */
  readonly borrowUpTo: number | null;
}

/** Negative where the left one is ahead in a queue. */
export function compareQueued(left: Workload, right: Workload): number {
  const byUse = compareUse(left, right);
  if (byUse !== 0) return byUse;
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.queuedMs !== right.queuedMs) return left.queuedMs - right.queuedMs;
  return compareNames(left.name, right.name);
}

/** Negative where the left one gives way before the right one to a workload of `queue`. */
export function compareVictims(left: Workload, right: Workload, queue: number): number {
  if (left.evicted !== right.evicted) return left.evicted ? -1 : 1;
  const [leftOwn, rightOwn] = [left.queue === queue, right.queue === queue];
  if (leftOwn !== rightOwn) return leftOwn ? 1 : -1;
  const byUse = left.queue === right.queue ? compareUse(right, left) : 0;
  if (byUse !== 0) return byUse;
  if (left.priority !== right.priority) return left.priority - right.priority;
  if (left.admittedMs !== right.admittedMs) return right.admittedMs - left.admittedMs;
  return compareNames(left.name, right.name);
}

/** Negative where the left one's LocalQueue has used less; 0 within one LocalQueue. Two infinite uses are equal. */
function compareUse({ local: left }: Workload, { local: right }: Workload): number {
  if (!left || !right || left.queue === right.queue || left.used === right.used) return 0;
  return left.used < right.used ? -1 : 1;
}

/** May the incoming workload look at this one, by its queue's rules and their priorities? */
export function mayLookAt(rules: PreemptionRules, incoming: Workload, other: Workload): boolean {
  const policy = incoming.queue === other.queue ? rules.withinQueue : rules.reclaim;
  switch (policy) {
    case "Never":
      return false;
    case "Any":
      return true;
    case "LowerPriority":
      return other.priority < incoming.priority;
    case "LowerOrNewerEqualPriority":
      return (
        other.priority < incoming.priority ||
        (other.priority === incoming.priority && incoming.queuedMs < other.queuedMs)
      );
  }
}

/** Does a workload use any of these cells? */
export function usesAny(workload: Workload, cells: readonly number[]): boolean {
  return workload.amounts.some(({ cell, amount }) => amount > 0 && cells.includes(cell));
}

export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
