/**
 * Ray's default policy. A node is feasible if its totals cover the request and available if it can start it now; available nodes beat feasible ones. Lower score is
 * better: the largest utilisation of CPU, memory and object store before the placement, taken as 0 below the threshold; GPUs and custom resources do not count. The local node
 * wins where it is in the group and no worse than the best; else one of the best k at random, sorted by score and node, where k is a part of all nodes known. Work without GPUs
 * first looks among nodes without them that can start it now. O(nodes), O(nodes log nodes) where fewer than k are below the threshold. Pathology: a node whose GPUs are all held
 * still counts as idle. Source: ray-project/ray `src/ray/raylet/scheduling/policy/hybrid_scheduling_policy`.
 */
import {
  CPU,
  covers,
  GPU,
  isIn,
  MEMORY,
  type NodeMask,
  type RayNodes,
  type RayRequest,
  STORE,
} from "./resources.ts";

export interface HybridSettings {
  /** Utilisation below which a node counts as idle, 0 to 1; 0.5 by default. */
  readonly spreadThreshold: number;
  readonly topKAbsolute: number;
  /** Part of all known nodes, 0 to 1; 0.2 by default. */
  readonly topKFraction: number;
  readonly avoidGpuNodes: boolean;
}

export interface HybridAsk {
  readonly request: RayRequest;
  /** Index of the local or preferred node; −1 = none of these. */
  readonly local: number;
  /** Only nodes that can start it now. */
  readonly requireAvailable: boolean;
  /** Spillback: the local node is left out. */
  readonly avoidLocal: boolean;
  /** Nodes that are known to be there and bear the labels asked for. */
  readonly mask: NodeMask;
  /** Nodes known, which k is a part of. */
  readonly known: number;
}

const SCORED = [CPU, MEMORY, STORE];

/** The nodes among which the policy picks at random, best first: one where nothing is left to chance, none where nothing is feasible. Filled into `into`, which is returned. */
export function hybridCandidates(
  ask: HybridAsk,
  nodes: RayNodes,
  settings: HybridSettings,
  into: number[] = [],
): number[] {
  if (settings.avoidGpuNodes && !(ask.request[GPU]! > 0)) {
    bestOf(ask, nodes, settings, true, into);
    if (into.length > 0) return into;
  }
  return bestOf(ask, nodes, settings, false, into);
}

const idle: number[] = [];
const busy: number[] = [];
const scores = new Map<number, number>();

/** `plainOnly`: of the nodes without GPUs, those that can start it now. */
function bestOf(
  ask: HybridAsk,
  nodes: RayNodes,
  settings: HybridSettings,
  plainOnly: boolean,
  into: number[],
): number[] {
  sift(ask, nodes, settings, plainOnly, true);
  if (idle.length + busy.length === 0 && !ask.requireAvailable && !plainOnly)
    sift(ask, nodes, settings, false, false);
  into.length = 0;
  const { local } = ask;
  if (local >= 0 && (idle.includes(local) || (idle.length === 0 && isBestBusy(local)))) {
    into.push(local);
    return into;
  }
  const topK = Math.max(1, settings.topKAbsolute, Math.floor(ask.known * settings.topKFraction));
  for (let i = 0; i < idle.length && into.length < topK; i++) into.push(idle[i]!);
  if (into.length < topK && busy.length > 0) {
    busy.sort((one, other) => scores.get(one)! - scores.get(other)! || one - other);
    for (let i = 0; i < busy.length && into.length < topK; i++) into.push(busy[i]!);
  }
  return into;
}

/** Sorts the group considered into idle nodes, in order, and busy ones with their scores. */
function sift(
  ask: HybridAsk,
  nodes: RayNodes,
  { spreadThreshold }: HybridSettings,
  plainOnly: boolean,
  availableOnly: boolean,
): void {
  idle.length = 0;
  busy.length = 0;
  scores.clear();
  const amounts = availableOnly ? nodes.available : nodes.total;
  for (let node = 0; node < nodes.count; node++) {
    if (!isIn(ask.mask, node) || (ask.avoidLocal && node === ask.local)) continue;
    if (plainOnly && nodes.total[node * nodes.width + GPU]! > 0) continue;
    if (!covers(nodes, amounts, node, ask.request)) continue;
    // What can start now may still be more than the node has: nothing books more than there is.
    if (availableOnly && !covers(nodes, nodes.total, node, ask.request)) continue;
    const score = utilisation(nodes, node);
    if (score < Math.fround(spreadThreshold) || score === 0) idle.push(node);
    else {
      busy.push(node);
      scores.set(node, score);
    }
  }
}

function isBestBusy(local: number): boolean {
  const score = scores.get(local);
  if (score === undefined) return false;
  for (const other of scores.values()) if (other < score) return false;
  return true;
}

/** The largest used part of what counts, in single precision, as upstream compares it with the threshold. */
function utilisation({ available, total, width }: RayNodes, node: number): number {
  let highest = 0;
  for (const r of SCORED) {
    if (r >= width) break;
    const all = total[node * width + r]!;
    if (all > 0) highest = Math.max(highest, Math.fround(1 - available[node * width + r]! / all));
  }
  return highest;
}
