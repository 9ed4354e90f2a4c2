/**
 * Volcano's network-topology-aware plugin: HyperNodes form a forest in which a lower tier is closer, and a node scores by the tier of the
 * lowest HyperNode it shares with where the job already runs; in that HyperNode itself it scores in full, whatever its tier. A virtual root one tier above the highest joins the trees and scores 0. Where several nodes
 * share the best score, each also gets the part of the job's tasks that already run in its HyperNode. O(depth) a node.
 * Source: volcano-sh/volcano `pkg/scheduler/plugins/network-topology-aware`.
 */
export interface HyperNode {
  readonly tier: number;
  /** Index of the HyperNode it belongs to, -1 at the top. */
  readonly parentIdx: number;
}

/**
 * Scores by node, 0 to 100 times `weight` without the bonus of ties. `homeIdx` is the HyperNode where the job runs, -1 = nowhere yet: all 0.
 * `nodeHyperNodeIdx` is −1 for a node in none; `placed[h]` is the part (0 to 1) of the job's tasks in HyperNode `h`.
 */
export function hyperNodeScores(
  hyperNodes: readonly HyperNode[],
  homeIdx: number,
  nodeHyperNodeIdx: readonly number[],
  placed: readonly number[],
  weight: number,
): number[] {
  if (homeIdx < 0) return nodeHyperNodeIdx.map(() => 0);
  const tiers = hyperNodes.map(({ tier }) => tier);
  const least = Math.min(...tiers);
  const root = Math.max(...tiers) + 1;
  const scores = nodeHyperNodeIdx.map((idx) => {
    if (idx === homeIdx) return 100 * weight;
    const shared = lowestShared(hyperNodes, homeIdx, idx);
    const tier = shared < 0 ? root : hyperNodes[shared]!.tier;
    return ((root - tier) / (root - least)) * 100 * weight;
  });
  const best = Math.max(...scores);
  if (scores.filter((score) => score === best).length < 2) return scores;
  return scores.map((score, at) =>
    score === best ? score + (placed[nodeHyperNodeIdx[at]!] ?? 0) * 100 * weight : score,
  );
}

/** The lowest HyperNode above both, -1 where only the virtual root is. */
function lowestShared(hyperNodes: readonly HyperNode[], left: number, right: number): number {
  const above = new Set<number>();
  for (let idx = left; idx >= 0; idx = hyperNodes[idx]!.parentIdx) above.add(idx);
  for (let idx = right; idx >= 0; idx = hyperNodes[idx]!.parentIdx) if (above.has(idx)) return idx;
  return -1;
}
