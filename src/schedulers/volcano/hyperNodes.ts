/**
 * Where in the network a group may go. HyperNodes form a tree, a lower tier is closer. Hard: all members in one HyperNode of at most the tier allowed, the lowest tier first, in a tier the
 * fuller HyperNodes first. Soft: nodes near those that carry members already score higher. Without HyperNodes in the YAML, leaves are tier 1 and spines tier 2.
 * O(HyperNodes × a search). Source: volcano-sh/volcano `pkg/scheduler/plugins/network-topology-aware`, docs "Network Topology Aware Scheduling".
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { HyperNodeObject } from "../../model/kubernetes/volcanoConfig.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { placeMembers } from "../../scheduling/kubernetes/podGroups/placeGroup.ts";
import { type HyperNode, hyperNodeScores } from "../../scheduling/kubernetes/volcano/hyperNodes.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { Session } from "./session.ts";

/** A HyperNode with all nodes below it, ascending. */
interface Domain extends HyperNode {
  readonly nodes: readonly number[];
}

/** The forest of a pool, and the lowest domain of each node (−1: none). */
interface Forest {
  readonly nodes: Int32Array;
  readonly domains: readonly Domain[];
  readonly lowest: Int32Array;
}

const forests = new WeakMap<readonly HyperNodeObject[], Forest>();
const held = new Grant();

function forestOf(view: PoolView, objects: readonly HyperNodeObject[]): Forest {
  const known = forests.get(objects);
  if (known?.nodes === view.nodes) return known;
  const domains = objects.length > 0 ? described(view, objects) : ofFabric(view);
  const lowest = new Int32Array(view.cluster.nodeCount).fill(-1);
  for (const [idx, domain] of domains.entries())
    for (const node of domain.nodes) {
      const before = lowest[node]!;
      if (before < 0 || domain.tier < domains[before]!.tier) lowest[node] = idx;
    }
  const forest = { nodes: view.nodes, domains, lowest };
  forests.set(objects, forest);
  return forest;
}

function ofFabric({ cluster, nodes }: PoolView): Domain[] {
  if (!cluster.hasFabric) return [];
  const leaves = Array.from({ length: cluster.leafCount }, (_, leaf) => ({
    tier: 1,
    parentIdx: cluster.leafCount + cluster.spineOfLeaf[leaf]!,
    nodes: [...nodes].filter((node) => cluster.leafOfNode[node] === leaf),
  }));
  const spines = Array.from({ length: cluster.spineCount }, (_, spine) => ({
    tier: 2,
    parentIdx: -1,
    nodes: [...nodes].filter((node) => cluster.spineOfLeaf[cluster.leafOfNode[node]!] === spine),
  }));
  return [...leaves, ...spines];
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
  const lists = objects.map((_, idx) => nodesOf(idx, objects.length));
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
  const members = state.runs.has(jobIdx) ? nodesHeld(view, jobIdx) : null;
  const most = hardTier(group);
  if (most < 0) return placeIn(session, board, group, wanted, view.nodes, members, into);
  const { domains } = forestOf(view, setup.hyperNodes);
  const inOrder = domains
    .map((domain) => ({ domain, free: freeIn(board, domain) }))
    .filter(({ domain }) => domain.tier <= most && covers(domain, members))
    .sort((one, other) => one.domain.tier - other.domain.tier || one.free - other.free);
  // Where nothing is known of the network there is nothing to keep together.
  if (domains.length === 0)
    return placeIn(session, board, group, wanted, view.nodes, members, into);
  return inOrder.some(({ domain }) =>
    placeIn(session, board, group, wanted, domain.nodes, members, into),
  );
}

/** Highest tier that a group may span; −1 = anywhere. `sameLeaf` of a document is tier 1. */
function hardTier({ topology, shape }: GroupClass): number {
  if (topology?.mode === "required") return tierOf(topology.level);
  return shape.wish === "none" ? -1 : 1;
}

const TIERS: Readonly<Record<string, number>> = { "": 1, leaf: 1, spine: 2 };

function tierOf(level: string): number {
  return TIERS[level] ?? (Number.parseInt(level, 10) || 1);
}

function nodesHeld(view: PoolView, jobIdx: number): Map<number, number> {
  held.clear();
  view.holdings(jobIdx, held);
  const members = new Map<number, number>();
  for (let row = 0; row < held.length; row++)
    members.set(held.node[row]!, (members.get(held.node[row]!) ?? 0) + held.members[row]!);
  return members;
}

function covers(domain: Domain, members: ReadonlyMap<number, number> | null): boolean {
  return members === null || [...members.keys()].every((node) => domain.nodes.includes(node));
}

/** Free devices: the fuller of two HyperNodes has fewer. */
function freeIn({ sketch }: NodeBoard, { nodes }: Domain): number {
  return nodes.reduce((sum, node) => sum + sketch.gpusFree[node]!, 0);
}

function placeIn(
  session: Session,
  board: NodeBoard,
  group: GroupClass,
  wanted: readonly number[],
  nodes: ArrayLike<number>,
  members: ReadonlyMap<number, number> | null,
  into: Placing,
): boolean {
  const soft = group.topology?.mode === "preferred" && session.setup.topologyWeight > 0;
  board.begin();
  into.clear();
  const taken = members === null ? undefined : new Set(members.keys());
  const on = new Map(members ?? []);
  for (const [at, count] of wanted.entries()) {
    if (!soft) {
      if (placeMembers(board, group.shape, at, count, withTaken(nodes, taken), into) < count) {
        board.undo();
        return false;
      }
      continue;
    }
    const own = new Set(taken ?? []);
    for (let member = 0; member < count; member++) {
      const where = { nodes, extra: nearness(session, group, on), taken: own };
      const rows = into.length;
      const before = Array.from(into.members.subarray(0, rows));
      if (placeMembers(board, group.shape, at, 1, where, into) < 1) {
        board.undo();
        return false;
      }
      const node = lastNode(into, rows, before);
      own.add(node);
      on.set(node, (on.get(node) ?? 0) + 1);
    }
  }
  return true;
}

function withTaken(nodes: ArrayLike<number>, taken: ReadonlySet<number> | undefined) {
  return taken === undefined ? { nodes } : { nodes, taken };
}

/** Where the member that was added last went: a new row, or one that grew. */
function lastNode(placing: Placing, rows: number, before: readonly number[]): number {
  if (placing.length > rows) return placing.node[rows]!;
  const grown = before.findIndex((members, row) => placing.members[row] !== members);
  return placing.node[grown]!;
}

/** What the network adds to each node's score, for a group with members on some. */
function nearness(
  { view, setup }: Session,
  group: GroupClass,
  on: ReadonlyMap<number, number>,
): Float64Array | null {
  const { domains, lowest } = forestOf(view, setup.hyperNodes);
  if (on.size === 0 || domains.length === 0) return null;
  const placed = domains.map(() => 0);
  let home = -2;
  for (const [node, members] of on) {
    const idx = lowest[node]!;
    if (idx >= 0) placed[idx] = placed[idx]! + members / group.shape.members;
    home = home === -2 ? idx : shared(domains, home, idx);
  }
  const nodes = [...view.nodes];
  const scores = hyperNodeScores(
    domains,
    home,
    nodes.map((node) => Math.max(0, lowest[node]!)),
    placed,
    setup.topologyWeight,
  );
  const extra = new Float64Array(view.cluster.nodeCount);
  for (const [i, node] of nodes.entries()) extra[node] = lowest[node]! < 0 ? 0 : scores[i]!;
  return extra;
}

/** The lowest domain above both; −1 if none. */
function shared(domains: readonly Domain[], left: number, right: number): number {
  const above = new Set<number>();
  for (let idx = left; idx >= 0; idx = domains[idx]!.parentIdx) above.add(idx);
  for (let idx = right; idx >= 0; idx = domains[idx]!.parentIdx) if (above.has(idx)) return idx;
  return -1;
}
