/**
 * Who has to leave one node so that a pod fits there: every pod of lower priority is taken away in thought, then put back one by one as long as the newcomer still fits,
 * pods whose eviction would break a disruption budget first, each group from the most important down. What cannot be put back are the victims. So a budget is kept
 * where it can be and broken where nothing else helps. O(p·(log p + resources)) for p pods of lower priority. Source: kubernetes/kubernetes
 * `pkg/scheduler/framework/plugins/defaultpreemption` (SelectVictimsOnNode, filterPodsWithPDBViolation).
 */
import { compareImportance, type PlacedPod } from "./importance.ts";

/** A node where evictions might help. */
export interface PreemptionNode<P extends PlacedPod = PlacedPod> {
  /** By resource: what it has minus everything on it, and minus what is kept there for others at least as important as the newcomer. */
  readonly free: ArrayLike<number>;
  readonly pods: readonly P[];
}

export interface NodeVictims<P extends PlacedPod = PlacedPod> {
  /** From the most important down within those that break a budget, then within the others. */
  readonly victims: readonly P[];
  /** How many of them break a budget. */
  readonly violations: number;
}

/** Victims on this node, or null where eviction does not help. `budgets`: disruptions still allowed, by budget. */
export function victimsOnNode<P extends PlacedPod>(
  node: PreemptionNode<P>,
  priority: number,
  request: ArrayLike<number>,
  budgets: readonly number[],
): NodeVictims<P> | null {
  const lower = node.pods.filter((pod) => pod.priority < priority);
  if (lower.length === 0) return null;
  const free = Array.from(node.free);
  for (const pod of lower) add(free, pod.requests, 1);
  if (!fits(request, free)) return null;
  lower.sort(compareImportance);
  const [violating, others] = byBudget(lower, budgets);
  const victims: P[] = [];
  const putBack = (pod: P): void => {
    add(free, pod.requests, -1);
    if (fits(request, free)) return;
    add(free, pod.requests, 1);
    victims.push(pod);
  };
  violating.forEach(putBack);
  const violations = victims.length;
  others.forEach(putBack);
  return { victims, violations };
}

/** Pods whose eviction breaks a budget, and the others, if they left in this order: each takes one disruption of every budget that selects it. */
function byBudget<P extends PlacedPod>(
  pods: readonly P[],
  budgets: readonly number[],
): readonly [P[], P[]] {
  const left = [...budgets];
  const violating: P[] = [];
  const others: P[] = [];
  for (const pod of pods) {
    let breaks = false;
    for (const budget of pod.budgets) {
      left[budget]! -= 1;
      if (left[budget]! < 0) breaks = true;
    }
    (breaks ? violating : others).push(pod);
  }
  return [violating, others];
}

/** Is there room for what is asked? What is not asked for does not matter. */
export function fits(request: ArrayLike<number>, free: ArrayLike<number>): boolean {
  for (let at = 0; at < request.length; at++)
    if (request[at]! > 0 && request[at]! > free[at]!) return false;
  return true;
}

function add(free: number[], amounts: ArrayLike<number>, sign: number): void {
  for (let at = 0; at < free.length; at++) free[at]! += sign * amounts[at]!;
}
