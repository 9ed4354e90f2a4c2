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

/** What making room on one node costs, and who would leave it. */
export interface NodeOffer<P extends PlacedPod = PlacedPod> extends NodeVictims<P> {
  /** What the choice goes by, in order; smaller is better. */
  readonly cost: readonly number[];
}

/** What one node offers the preemptor; null where eviction does not help. */
export function offerOfNode<P extends PlacedPod>(
  preemptor: Preemptor,
  node: PreemptionNode<P>,
  budgets: readonly number[],
): NodeOffer<P> | null {
  const found = victimsOnNode(node, preemptor.priority, preemptor.request, budgets);
  return found === null ? null : { ...found, cost: costOf(found) };
}

/**
 * The node to make room on and who leaves it; null where eviction helps nowhere. `offers`: of nodes whose refusal eviction could cure, in the order in which ties are
 * settled; at most `enough` of those that are not null are looked at. O(offers looked at).
 */
export function bestOffer<P extends PlacedPod>(
  offers: Iterable<NodeOffer<P> | null>,
  enough = Number.POSITIVE_INFINITY,
): Preemption<P> | null {
  let best: NodeOffer<P> | null = null;
  let bestIdx = -1;
  let found = 0;
  let nodeIdx = -1;
  for (const offer of offers) {
    nodeIdx++;
    if (offer === null) continue;
    if (best === null || isLess(offer.cost, best.cost)) {
      best = offer;
      bestIdx = nodeIdx;
    }
    if (++found >= enough) break;
  }
  if (best === null) return null;
  return { victims: best.victims, violations: best.violations, nodeIdx: bestIdx };
}

/** The choice among nodes as they stand. */
export function choosePreemption<P extends PlacedPod>(
  preemptor: Preemptor,
  nodes: Iterable<PreemptionNode<P>>,
  budgets: readonly number[],
  enough = Number.POSITIVE_INFINITY,
): Preemption<P> | null {
  return bestOffer(offersOf(preemptor, nodes, budgets), enough);
}

function* offersOf<P extends PlacedPod>(
  preemptor: Preemptor,
  nodes: Iterable<PreemptionNode<P>>,
  budgets: readonly number[],
): Generator<NodeOffer<P> | null> {
  for (const node of nodes) yield offerOfNode(preemptor, node, budgets);
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
  for (let at = 0; at < left.length; at++)
    if (left[at] !== right[at]) return left[at]! < right[at]!;
  return false;
}
