/**
 * Preemption of kube-scheduler for one pod that fits nowhere: each node is looked at alone, victims on two nodes are never combined. Of the nodes where eviction helps
 * the choice goes by: fewest broken budgets; least important top victim; smallest sum of priorities, each raised by 2^31 so that more victims weigh more even where
 * priorities are negative; fewest victims; latest start of the earliest of the top-priority victims; first in the order given. A pod with policy Never evicts nobody, and neither does one
 * whose earlier victims are still leaving its nominated node. Nobody checks that victims find a place elsewhere. O(nodes × pods on them). Source:
 * kubernetes/kubernetes `pkg/scheduler/framework/preemption` (pickOneNodeForPreemption), `plugins/defaultpreemption` (PodEligibleToPreemptOthers).
 */
import type { PlacedPod } from "./importance.ts";
import { type NodeVictims, type PreemptionNode, victimsOnNode } from "./reprieve.ts";

export interface Preemptor {
  readonly priority: number;
  readonly request: ArrayLike<number>;
  /** PreemptionPolicy Never. */
  readonly never: boolean;
}

export interface Preemption<P extends PlacedPod = PlacedPod> extends NodeVictims<P> {
  /** Index into the nodes given. */
  readonly nodeIdx: number;
}

/**
 * May the pod look for victims? Not with policy Never, and not while a less important pod is leaving the node it is nominated to because of a preemption.
 */
export function mayPreempt(
  preemptor: Preemptor,
  leavingNominated: readonly { readonly priority: number }[],
): boolean {
  return (
    !preemptor.never && !leavingNominated.some(({ priority }) => priority < preemptor.priority)
  );
}

/**
 * The node to make room on and who leaves it; null where eviction helps nowhere. `nodes` are those whose refusal eviction could cure, in the order in which ties are
 * settled; at most `enough` candidates are looked for.
 */
export function choosePreemption<P extends PlacedPod>(
  preemptor: Preemptor,
  nodes: Iterable<PreemptionNode<P>>,
  budgets: readonly number[],
  enough = Number.POSITIVE_INFINITY,
): Preemption<P> | null {
  let best: Preemption<P> | null = null;
  let bestKey: readonly number[] = [];
  let found = 0;
  let nodeIdx = -1;
  for (const node of nodes) {
    nodeIdx++;
    const cost = victimsOnNode(node, preemptor.priority, preemptor.request, budgets);
    if (!cost) continue;
    const key = costOf(cost);
    if (!best || isLess(key, bestKey)) {
      best = { ...cost, nodeIdx };
      bestKey = key;
    }
    if (++found >= enough) break;
  }
  return best;
}

/** How many candidates upstream looks for: a tenth of the nodes, at least 100. */
export function candidatesWanted(nodes: number): number {
  return Math.max(Math.trunc(nodes / 10), 100);
}

/** Priorities are 32-bit numbers; this makes each of them positive. */
const LIFT = 2 ** 31;

/** What the choice goes by, in order; smaller is better. A node that needs no victim after all comes first. */
function costOf({ victims, violations }: NodeVictims): readonly number[] {
  if (victims.length === 0) return [violations, Number.NEGATIVE_INFINITY, 0, 0, 0];
  let top = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const { priority, startMs } of victims) {
    sum += priority + LIFT;
    if (priority > top) earliestMs = startMs;
    else if (priority === top) earliestMs = Math.min(earliestMs, startMs);
    top = Math.max(top, priority);
  }
  return [violations, top, sum, victims.length, -earliestMs];
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  for (const [at, amount] of left.entries()) {
    if (amount !== right[at]) return amount < right[at]!;
  }
  return false;
}
