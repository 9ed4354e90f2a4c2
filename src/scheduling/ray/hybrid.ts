/**
 * Ray's default policy. A node is feasible if its totals cover the request and available if it can start it now; available nodes beat feasible ones. Lower score is
 * better: the largest utilisation of CPU, memory and object store before the placement, taken as 0 below the threshold; GPUs and custom resources do not count. The local node
 * wins where it is in the group and no worse than the best; else one of the best k at random, sorted by score and name, where k is a part of all nodes known. Work without GPUs
 * first looks among nodes without them that can start it now. O(nodes log nodes). Pathology: a node whose GPUs are all held still counts as idle.
 * Source: ray-project/ray `src/ray/raylet/scheduling/policy/hybrid_scheduling_policy`.
 */
import { covers, type RayNode, type RayResources } from "./resources.ts";

export interface HybridSettings {
  /** Utilisation below which a node counts as idle, 0 to 1; 0.5 by default. */
  readonly spreadThreshold: number;
  readonly topKAbsolute: number;
  /** Part of all known nodes, 0 to 1; 0.2 by default. */
  readonly topKFraction: number;
  readonly avoidGpuNodes: boolean;
}

export interface HybridAsk {
  readonly request: RayResources;
  /** Name of the local or preferred node. */
  readonly local: string;
  /** Only nodes that can start it now. */
  readonly requireAvailable: boolean;
  /** Spillback: the local node is left out. */
  readonly avoidLocal: boolean;
}

const SCORED = ["CPU", "memory", "object_store_memory"];

/** The nodes among which the policy picks at random, best first: one where nothing is left to chance, none where nothing is feasible. */
export function hybridCandidates(
  ask: HybridAsk,
  nodes: readonly RayNode[],
  settings: HybridSettings,
): readonly string[] {
  if (settings.avoidGpuNodes && !((ask.request.GPU ?? 0) > 0)) {
    const plain = nodes.filter((node) => !((node.total.GPU ?? 0) > 0));
    const found = bestOf({ ...ask, requireAvailable: true }, plain, nodes.length, settings);
    if (found.length > 0) return found;
  }
  return bestOf(ask, nodes, nodes.length, settings);
}

function bestOf(
  ask: HybridAsk,
  nodes: readonly RayNode[],
  known: number,
  settings: HybridSettings,
): readonly string[] {
  const feasible = nodes.filter(
    ({ name, total }) => covers(total, ask.request) && !(ask.avoidLocal && name === ask.local),
  );
  const available = feasible.filter((node) => covers(node.available, ask.request));
  const group = available.length > 0 || ask.requireAvailable ? available : feasible;
  const scored = group
    .map((node) => ({ name: node.name, score: scoreOf(node, settings.spreadThreshold) }))
    .sort((left, right) => left.score - right.score || (left.name < right.name ? -1 : 1));
  const local = scored.find(({ name }) => name === ask.local);
  if (local && local.score <= scored[0]!.score) return [local.name];
  const topK = Math.max(1, settings.topKAbsolute, Math.floor(known * settings.topKFraction));
  return scored.slice(0, topK).map(({ name }) => name);
}

function scoreOf({ available, total }: RayNode, spreadThreshold: number): number {
  let highest = 0;
  for (const name of SCORED) {
    const all = total[name] ?? 0;
    if (all > 0) highest = Math.max(highest, (all - (available[name] ?? 0)) / all);
  }
  return highest < spreadThreshold ? 0 : highest;
}
