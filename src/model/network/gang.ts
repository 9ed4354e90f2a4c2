/**
 * Where the GPUs of a job sit, as far as their all-reduce depends on it: how many in each domain (GPUs that NVLink joins: an NVSwitch domain, or a node), which
 * network cards they have there, how many under each leaf. A card belongs to the GPUs that it is nearest to: GPU d of G has cards ⌊d·N/G⌋ to
 * ⌈(d+1)·N/G⌉ − 1 of N, so with fewer cards than GPUs neighbours share one. O(what the job holds).
 */
import type { Cluster } from "../cluster.ts";

export interface Gang {
  readonly gpus: number;
  /** GPUs and cards in each domain. */
  readonly domains: readonly { readonly gpus: number; readonly cards: number }[];
  /** GPUs under each leaf. */
  readonly leaves: readonly number[];
  /** Switches that the longest way goes up: 1 within a leaf, 2 over a spine, 3 between spines. */
  readonly tiers: number;
  /** Whether NVSwitch joins the GPUs of its domains; without, they talk at the rate of a card. */
  readonly nvswitch: boolean;
}

/** The domain of a node: its NVSwitch domain, or one of its own after all of those. */
export function domainOf(cluster: Cluster, node: number): number {
  const domain = cluster.nvswitchOfNode[node]!;
  return domain >= 0 ? domain : cluster.nvswitchCount + node;
}

/** Cards of `count` GPUs from `first` on, of a node with `gpus` GPUs and `cards` cards: the first, and the one after the last. */
export function cardsOf(
  first: number,
  count: number,
  gpus: number,
  cards: number,
): readonly [from: number, to: number] {
  return [Math.floor((first * cards) / gpus), Math.ceil(((first + count) * cards) / gpus)];
}

/** What a job asks for, part by part: so many members of so many GPUs, each on a node of its own or not. */
export interface Asked {
  readonly members: number;
  readonly gpusEach: number;
  readonly ownNode: boolean;
}

/** What the best placement depends on: the largest node, domain, leaf and spine of a cluster. */
export interface Ground {
  readonly gpusPerNode: number;
  readonly nodesPerDomain: number;
  readonly nodesPerLeaf: number;
  readonly nodesPerSpine: number;
  readonly nvswitch: boolean;
}

/** O(nodes). */
export function groundOf(cluster: Cluster): Ground {
  const most = (keyOf: (node: number) => number): number => {
    const counts = new Map<number, number>();
    for (let node = 0; node < cluster.nodeCount; node++)
      counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1);
    let largest = 1;
    for (const count of counts.values()) largest = Math.max(largest, count);
    return largest;
  };
  return {
    gpusPerNode: cluster.groups.reduce((size, group) => Math.max(size, group.gpusPerNode), 1),
    nodesPerDomain: most((node) => domainOf(cluster, node)),
    nodesPerLeaf: most((node) => cluster.leafOfNode[node]!),
    nodesPerSpine: most((node) => cluster.spineOfLeaf[cluster.leafOfNode[node]!] ?? 0),
    nvswitch: cluster.nvswitchCount > 0,
  };
}

/** The job on as few nodes as its members allow, these in as few domains, and everything below one switch where it fits. */
export function packedGang(asked: readonly Asked[], ground: Ground, nicsPerNode: number): Gang {
  const nodes: number[] = [];
  for (const { members, gpusEach, ownNode } of asked) {
    if (gpusEach === 0) continue;
    const perNode = ownNode ? 1 : Math.max(1, Math.floor(ground.gpusPerNode / gpusEach));
    for (let left = members; left > 0; left -= perNode)
      nodes.push(Math.min(left, perNode) * gpusEach);
  }
  const domains: { gpus: number; cards: number }[] = [];
  nodes.forEach((gpus, place) => {
    const domain = Math.floor(place / ground.nodesPerDomain);
    domains[domain] ??= { gpus: 0, cards: 0 };
    domains[domain].gpus += gpus;
    domains[domain].cards += cardsOf(0, gpus, Math.max(gpus, ground.gpusPerNode), nicsPerNode)[1];
  });
  const gpus = nodes.reduce((sum, count) => sum + count, 0);
  const { nodesPerLeaf, nodesPerSpine, nvswitch } = ground;
  const tiers = nodes.length <= nodesPerLeaf ? 1 : nodes.length <= nodesPerSpine ? 2 : 3;
  return { gpus, domains, leaves: [gpus], tiers, nvswitch };
}
