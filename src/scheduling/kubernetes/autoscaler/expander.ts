/**
 * Which node group grows where several could: `random`; `most-pods`, the one that would hold most of the waiting pods; `least-waste`, the one on whose new nodes the smallest part of CPUs and
 * memory would stay idle (both parts added); `least-nodes`, the one that needs fewest. Ties are random: the caller draws. GPUs count for nothing in any of them, so least-waste may
 * buy a GPU node for a pod without. O(options). Source: kubernetes/autoscaler `cluster-autoscaler/expander`.
 */
import type { Expander } from "../../../model/kubernetes/expanders.ts";

/** A group that could grow. */
export interface ExpansionOption {
  readonly nodes: number;
  readonly pods: number;
  /** By CPU and memory: what its new nodes have together, and what the pods on them ask for. */
  readonly has: readonly number[];
  readonly asked: readonly number[];
}

/** Index of the option; −1 = there is none. `draw`: an integer ≥ 0 that settles ties. */
export function chooseOption(
  expander: Expander,
  options: readonly ExpansionOption[],
  draw: number,
): number {
  const costs = options.map((option) => costOf(expander, option));
  const least = Math.min(...costs);
  const best = costs.flatMap((cost, at) => (cost === least ? [at] : []));
  return best.length === 0 ? -1 : best[draw % best.length]!;
}

function costOf(expander: Expander, { nodes, pods, has, asked }: ExpansionOption): number {
  switch (expander) {
    case "random":
      return 0;
    case "most-pods":
      return -pods;
    case "least-nodes":
      return nodes;
    case "least-waste":
      // What a node does not have cannot be wasted.
      return has.reduce((sum, all, at) => sum + (all > 0 ? (all - asked[at]!) / all : 0), 0);
  }
}
