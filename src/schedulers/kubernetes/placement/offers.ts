/**
 * What each node offers to a pod that looks for victims: who would leave, and what that costs. An offer depends on the node, on the priority and on what the pod asks for,
 * so it is kept until the node changes; not where something is nominated to the node (a pod's own nomination is no obstacle to it) or a budget selects one of its pods (budgets
 * change elsewhere). O(1) while the node stays as it is, else O(pods on it). Rules: `scheduling/kubernetes/kubeScheduler`.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { PlacedPod } from "../../../scheduling/kubernetes/kubeScheduler/importance.ts";
import {
  type NodeOffer,
  offerOfNode,
  type Preemptor,
} from "../../../scheduling/kubernetes/kubeScheduler/preempt.ts";
import { budgetsOf, disruptionsAllowed } from "./budgets.ts";
import { keptOffers, keptOn } from "./search.ts";
import type { Amounts, PodShapes } from "./shapes.ts";
import type { Entry, PlacementState } from "./state.ts";

export interface Victim extends PlacedPod {
  readonly pod: number;
}

export function priorityOf(view: PoolView, state: PlacementState, jobIdx: number): number {
  return state.config.priority[view.tierOfJob[jobIdx]!]!;
}

/** Says of nodes that the entry may use what each offers to one pod of it; null where eviction does not help. */
export function nodeOffers(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
): (node: number) => NodeOffer<Victim> | null {
  const { known } = state;
  const shapeIdx = shapes.ofRow[entry.row]!;
  const { request } = shapes.list[shapeIdx]!;
  const preemptor: Preemptor = { priority: entry.priority, request, never: false };
  const kept = keptOffers(known, `${entry.priority}|${shapeIdx}`);
  const nominated = new Set(state.nominations.map(({ node }) => node));
  let budgets: readonly number[] | null = null;
  return (node) => {
    const plain = !nominated.has(node) && !known.always;
    if (plain && kept.version[node] === known.version[node]) return kept.offers[node] ?? null;
    const free = freeOn(view, state, shapes, entry, node, plain);
    const pods = victimsOn(view, state, shapes, entry, node, free, request);
    budgets ??= disruptionsAllowed(view, state);
    const offer = pods === null ? null : offerOfNode(preemptor, { free, pods }, budgets);
    if (plain && (pods === null || pods.every((pod) => pod.budgets.length === 0))) {
      kept.version[node] = known.version[node]!;
      kept.offers[node] = offer;
    }
    return offer;
  };
}

function freeOn(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  node: number,
  plain: boolean,
): number[] {
  const free = [view.cpuMilliFree[node]!, view.memMiBFree[node]!, view.gpusFree[node]!];
  const kept = plain ? null : keptOn(state, shapes, entry, node);
  if (kept !== null) for (const at of free.keys()) free[at] = free[at]! - kept[at]!;
  return free;
}

/** Pods of lower priority on the node; null where there is none, or too few of them if all went. */
function victimsOn(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  node: number,
  free: readonly number[],
  request: Amounts,
): Victim[] | null {
  const { pods } = state;
  const missing = request.map((amount, at) => (amount > 0 ? amount - free[at]! : 0));
  const victims: Victim[] = [];
  for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!) {
    const jobIdx = pods.jobIdx[pod]!;
    const priority = priorityOf(view, state, jobIdx);
    if (priority >= entry.priority) continue;
    const requests = shapes.list[shapes.ofRow[pods.row[pod]!]!]!.request;
    for (let at = 0; at < missing.length; at++) missing[at] = missing[at]! - requests[at]!;
    victims.push({
      pod,
      name: String(jobIdx).padStart(9, "0") + String(pod).padStart(9, "0"),
      priority,
      startMs: pods.startMs[pod]!,
      requests,
      budgets: budgetsOf(view, state, jobIdx),
    });
  }
  return victims.length > 0 && missing.every((amount) => amount <= 0) ? victims : null;
}
