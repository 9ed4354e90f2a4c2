/**
 * Nodes by distance in the network: domains that form a forest, a lower tier is closer. A group that must be close goes into one domain: the lowest tier first, in a tier the fuller domain
 * first (fewer free devices), ties in the order given. O(domains × a search).
 */
import { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { Placing } from "../../placement/placing.ts";
import type { GroupClass } from "./classes.ts";
import type { NodeBoard } from "./nodeBoard.ts";
import { placeMembers } from "./placeGroup.ts";

/** A domain with all nodes below it, ascending. */
export interface Domain {
  readonly tier: number;
  /** Index of the domain it belongs to, −1 at the top. */
  readonly parentIdx: number;
  readonly nodes: readonly number[];
}

export interface Forest {
  /** The nodes of the pool it was made for. */
  readonly nodes: Int32Array;
  readonly domains: readonly Domain[];
  /** The lowest domain of each node; −1: none. */
  readonly lowest: Int32Array;
}

export function forestOf({ cluster, nodes }: PoolView, domains: readonly Domain[]): Forest {
  const lowest = new Int32Array(cluster.nodeCount).fill(-1);
  for (const [idx, domain] of domains.entries())
    for (const node of domain.nodes) {
      const before = lowest[node]!;
      if (before < 0 || domain.tier < domains[before]!.tier) lowest[node] = idx;
    }
  return { nodes, domains, lowest };
}

/** Leaves are tier 1 and spines tier 2; empty where nothing is known of the network. */
export function domainsOfFabric({ cluster, nodes }: PoolView): Domain[] {
  if (!cluster.hasFabric) return [];
  const { leafCount, spineCount, leafOfNode, spineOfLeaf } = cluster;
  const ofLeaf = Array.from({ length: leafCount }, (): number[] => []);
  const ofSpine = Array.from({ length: spineCount }, (): number[] => []);
  for (const node of nodes) {
    ofLeaf[leafOfNode[node]!]!.push(node);
    ofSpine[spineOfLeaf[leafOfNode[node]!]!]!.push(node);
  }
  return [
    ...ofLeaf.map((list, leaf) => ({
      tier: 1,
      parentIdx: leafCount + spineOfLeaf[leaf]!,
      nodes: list,
    })),
    ...ofSpine.map((list) => ({ tier: 2, parentIdx: -1, nodes: list })),
  ];
}

const TIERS: Readonly<Record<string, number>> = { "": 1, leaf: 1, spine: 2 };

/** Highest tier that a group may span; −1 = anywhere. `within: leaf` of a job is tier 1; a level is named, or numbered as a tier. */
export function hardTier({ topology, shape }: GroupClass): number {
  if (topology?.mode === "required") return tierOf(topology.level);
  return shape.wish === "none" ? -1 : 1;
}

export function tierOf(level: string): number {
  return TIERS[level] ?? (Number.parseInt(level, 10) || 1);
}

const held = new Grant();

/** Members of a job by node. */
export function nodesHeld(view: PoolView, jobIdx: number): Map<number, number> {
  held.clear();
  view.holdings(jobIdx, held);
  const members = new Map<number, number>();
  for (let row = 0; row < held.length; row++)
    members.set(held.node[row]!, (members.get(held.node[row]!) ?? 0) + held.members[row]!);
  return members;
}

export interface PlaceAsk {
  readonly group: GroupClass;
  /** Members wanted by component. */
  readonly wanted: readonly number[];
  /** Members that have a node already. */
  readonly members: ReadonlyMap<number, number> | null;
  /** What the network adds to each node's score, given where members are; null: nothing. */
  readonly near?: ((on: ReadonlyMap<number, number>) => Float64Array | null) | undefined;
}

/** Puts a place in one domain of at most tier `most` into `into` and takes it out of the board; false, and nothing taken, where there is none. */
export function placeInDomains(
  board: NodeBoard,
  { nodes, domains }: Forest,
  most: number,
  ask: PlaceAsk,
  into: Placing,
): boolean {
  if (!couldHold(board, ask)) return false;
  // Where nothing is known of the network there is nothing to keep together.
  if (most < 0 || domains.length === 0) return placeOn(board, nodes, ask, into);
  const inOrder = domains
    .map((domain) => ({ domain, free: freeIn(board, domain) }))
    .filter(({ domain }) => domain.tier <= most && covers(domain, ask.members))
    .sort((one, other) => one.domain.tier - other.domain.tier || one.free - other.free);
  return inOrder.some(({ domain }) => placeOn(board, domain.nodes, ask, into));
}

/** Each component by itself, as far as free devices tell. */
function couldHold(board: NodeBoard, { group, wanted }: PlaceAsk): boolean {
  const { tally } = board;
  for (let at = 0; at < wanted.length; at++)
    if (!tally.couldHold(group.shape.parts[at]!, wanted[at]!)) return false;
  return true;
}

function covers(domain: Domain, members: ReadonlyMap<number, number> | null): boolean {
  return members === null || [...members.keys()].every((node) => domain.nodes.includes(node));
}

function freeIn({ sketch }: NodeBoard, { nodes }: Domain): number {
  return nodes.reduce((sum, node) => sum + sketch.gpusFree[node]!, 0);
}

function placeOn(
  board: NodeBoard,
  nodes: ArrayLike<number>,
  { group, wanted, members, near }: PlaceAsk,
  into: Placing,
): boolean {
  board.begin();
  into.clear();
  const on = near === undefined ? null : new Map(members ?? []);
  for (let at = 0; at < wanted.length; at++) {
    const count = wanted[at]!;
    const placed =
      near === undefined || on === null
        ? placeMembers(board, group.shape, at, count, { nodes, taken: members }, into)
        : placeNear(board, group, at, count, nodes, new Set(members?.keys()), on, near, into);
    if (placed < count) {
      board.undo();
      return false;
    }
  }
  board.keep();
  return true;
}

/** One by one, each near those before it. */
function placeNear(
  board: NodeBoard,
  group: GroupClass,
  at: number,
  count: number,
  nodes: ArrayLike<number>,
  taken: Set<number>,
  on: Map<number, number>,
  near: NonNullable<PlaceAsk["near"]>,
  into: Placing,
): number {
  for (let member = 0; member < count; member++) {
    const rows = into.length;
    const before = Array.from(into.members.subarray(0, rows));
    const where = { nodes, extra: near(on), taken };
    if (placeMembers(board, group.shape, at, 1, where, into) < 1) return member;
    const node = lastNode(into, rows, before);
    taken.add(node);
    on.set(node, (on.get(node) ?? 0) + 1);
  }
  return count;
}

/** Where the member that was added last went: a new row, or one that grew. */
function lastNode(placing: Placing, rows: number, before: readonly number[]): number {
  if (placing.length > rows) return placing.node[rows]!;
  return placing.node[before.findIndex((members, row) => placing.members[row] !== members)]!;
}
