/**
 * Where the members of a job sit now, from its holdings. Members that still start up on their own take no part, nor do GPUs that nobody of its members
 * asked for (whole nodes). O(entries and cards of the job).
 */
import type { Cluster } from "../../model/cluster.ts";
import { cardsOf, domainOf, type Gang } from "../../model/network/gang.ts";
import type { Holdings } from "../holdings.ts";

/** A gang, and which domains and leaves its lists are about. */
export interface Layout {
  readonly gang: Gang;
  readonly domains: readonly number[];
  readonly leaves: readonly number[];
  /** Members by row of the component table. */
  readonly members: ReadonlyMap<number, number>;
}

export function layoutOf(
  cluster: Cluster,
  nicsPerNode: number,
  gpusEach: ArrayLike<number>,
  { at }: Holdings,
  firstEntry: number,
  nowMs: number,
): Layout {
  const domains = new Map<number, { gpus: number; cards: Set<number> }>();
  const leaves = new Map<number, number>();
  const members = new Map<number, number>();
  let gpus = 0;
  /** GPUs of the members so far that are not met yet: a member on several runs of devices counts at the first. */
  let owed = 0;
  for (let entry = firstEntry; entry >= 0; entry = at.next[entry]!) {
    if (at.readyMs[entry]! > nowMs) continue;
    const row = at.component[entry]!;
    owed += at.members[entry]! * gpusEach[row]!;
    const count = Math.min(owed, at.count[entry]!);
    owed -= count;
    if (count === 0) continue;
    members.set(row, (members.get(row) ?? 0) + at.members[entry]!);
    const node = at.node[entry]!;
    const base = cluster.deviceBase[node]!;
    const domain = domainOf(cluster, node);
    const held = domains.get(domain) ?? { gpus: 0, cards: new Set<number>() };
    const nodeGpus = cluster.deviceBase[node + 1]! - base;
    const [from, to] = cardsOf(at.device[entry]! - base, count, nodeGpus, nicsPerNode);
    for (let card = from; card < to; card++) held.cards.add(node * nicsPerNode + card);
    held.gpus += count;
    gpus += count;
    domains.set(domain, held);
    const leaf = cluster.leafOfNode[node]!;
    leaves.set(leaf, (leaves.get(leaf) ?? 0) + count);
  }
  const inOrder = [...domains.keys()].sort((a, b) => a - b);
  const leavesInOrder = [...leaves.keys()].sort((a, b) => a - b);
  const spines = new Set(leavesInOrder.map((leaf) => cluster.spineOfLeaf[leaf]));
  const gang = {
    gpus,
    domains: inOrder.map((domain) => {
      const { gpus: here, cards } = domains.get(domain)!;
      return { gpus: here, cards: cards.size };
    }),
    leaves: leavesInOrder.map((leaf) => leaves.get(leaf)!),
    tiers: leaves.size < 2 ? 1 : spines.size < 2 ? 2 : 3,
    nvswitch: inOrder.every((domain) => domain < cluster.nvswitchCount),
  };
  return { gang, domains: inOrder, leaves: leavesInOrder, members };
}
