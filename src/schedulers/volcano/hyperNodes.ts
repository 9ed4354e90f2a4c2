/**
 * Where in the network a group may go. Hard: all members in one HyperNode of at most the tier allowed. Soft: nodes near those that carry members already score higher. Without
 * HyperNodes in the YAML, leaves are tier 1 and spines tier 2. Source: volcano-sh/volcano `pkg/scheduler/plugins/network-topology-aware`, docs "Network Topology Aware Scheduling".
 */
import type { PoolView } from "../../engine/view.ts";
import type { HyperNodeObject } from "../../model/kubernetes/volcanoConfig.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import {
  type Domain,
  domainsOfFabric,
  type Forest,
  forestOf,
  hardTier,
  nodesHeld,
  placeInDomains,
} from "../../scheduling/kubernetes/podGroups/forest.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { hyperNodeScores } from "../../scheduling/kubernetes/volcano/hyperNodes.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { Session } from "./session.ts";

const forests = new WeakMap<readonly HyperNodeObject[], Forest>();

function hyperNodesOf(view: PoolView, objects: readonly HyperNodeObject[]): Forest {
  const known = forests.get(objects);
  if (known?.nodes === view.nodes) return known;
  const domains = objects.length > 0 ? described(view, objects) : domainsOfFabric(view);
  const forest = forestOf(view, domains);
  forests.set(objects, forest);
  return forest;
}

function described({ cluster, nodes }: PoolView, objects: readonly HyperNodeObject[]): Domain[] {
  const indexOf = new Map(objects.map(({ name }, idx) => [name, idx]));
  const parents = new Int32Array(objects.length).fill(-1);
  const nodesOf = (idx: number, depth: number): number[] => {
    const found = new Set<number>();
    for (const { type, names, pattern } of objects[idx]!.members) {
      const matches = matcher(names, pattern);
      if (type === "Node") {
        for (const node of nodes) if (matches(cluster.nodeNames[node]!)) found.add(node);
        continue;
      }
      for (const [name, child] of indexOf) {
        if (child === idx || depth === 0 || !matches(name)) continue;
        parents[child] = idx;
        for (const node of nodesOf(child, depth - 1)) found.add(node);
      }
    }
    return [...found].sort((one, other) => one - other);
  };
  // Members of members, as deep as there are tiers: a circle ends there, too.
  const depth = new Set(objects.map(({ tier }) => tier)).size;
  const lists = objects.map((_, idx) => nodesOf(idx, depth));
  return objects.map(({ tier }, idx) => ({ tier, parentIdx: parents[idx]!, nodes: lists[idx]! }));
}

function matcher(names: readonly string[], pattern: string | null): (name: string) => boolean {
  if (pattern === null) return (name) => names.includes(name);
  const expression = new RegExp(`^(?:${pattern})$`);
  return (name) => expression.test(name);
}

/** Puts a place for the wanted members (by component) into `into` and takes it out of the board; false, and nothing taken, where there is none. */
export function findPlace(
  session: Session,
  board: NodeBoard,
  jobIdx: number,
  group: GroupClass,
  wanted: readonly number[],
  into: Placing,
): boolean {
  const { view, setup, state } = session;
  const forest = hyperNodesOf(view, setup.hyperNodes);
  const members = state.runs.has(jobIdx) ? nodesHeld(view, jobIdx) : null;
  const soft = group.topology?.mode === "preferred" && setup.topologyWeight > 0;
  const near = soft
    ? (on: ReadonlyMap<number, number>) => nearness(forest, group, on, setup.topologyWeight)
    : undefined;
  return placeInDomains(board, forest, hardTier(group), { group, wanted, members, near }, into);
}

/** What the network adds to each node's score, for a group with members on some. */
function nearness(
  { nodes, domains, lowest }: Forest,
  group: GroupClass,
  on: ReadonlyMap<number, number>,
  weight: number,
): Float64Array | null {
  if (on.size === 0 || domains.length === 0) return null;
  const placed = domains.map(() => 0);
  let home = -2;
  for (const [node, members] of on) {
    const idx = lowest[node]!;
    if (idx >= 0) placed[idx] = placed[idx]! + members / group.shape.members;
    home = home === -2 ? idx : shared(domains, home, idx);
  }
  const near = [...nodes].filter((node) => lowest[node]! >= 0);
  const homes = near.map((node) => lowest[node]!);
  const scores = hyperNodeScores(domains, home, homes, placed, weight);
  const extra = new Float64Array(lowest.length);
  for (const [i, node] of near.entries()) extra[node] = scores[i]!;
  return extra;
}

/** The lowest domain above both; −1 if none. */
function shared(domains: readonly Domain[], left: number, right: number): number {
  const above = new Set<number>();
  for (let idx = left; idx >= 0; idx = domains[idx]!.parentIdx) above.add(idx);
  for (let idx = right; idx >= 0; idx = domains[idx]!.parentIdx) if (above.has(idx)) return idx;
  return -1;
}
