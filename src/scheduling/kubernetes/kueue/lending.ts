/**
 * Whose unused quota it is that others use. Kueue keeps no such number: what is borrowed in a cohort comes out of one pot. So it is told in proportion: at each cohort what its children use beyond
 * their own, and what it lends upwards itself, is taken from the cohort's own quota first, then from what its children lend and do not use, by the size of that, whole units, a rest from the first by
 * name. So everything borrowed in a tree is lent by somebody in it. Never read by a decision. O(nodes × cells).
 */
import { type QuotaTree, type QuotaUsage, rootOf } from "./quotaTree.ts";

/** By node × cell: of the node's own in use by others outside it. Only nodes of the tree of `root` are written. */
export function lentOf(
  tree: QuotaTree,
  usage: QuotaUsage,
  root: number,
  into = new Float64Array(tree.nodes.length * tree.cells),
): Float64Array {
  for (let cell = 0; cell < tree.cells; cell++) hand(tree, usage, into, root, cell, 0);
  return into;
}

/** What the node uses beyond its own. */
export function borrowedOf(tree: QuotaTree, usage: QuotaUsage, node: number, cell: number): number {
  const at = node * tree.cells + cell;
  return rootOf(tree, node) === node ? 0 : Math.max(0, usage[at]! - tree.subtree[at]!);
}

/** A node lends so much to the outside: noted, and taken from its children. */
function hand(
  tree: QuotaTree,
  usage: QuotaUsage,
  lent: Float64Array,
  node: number,
  cell: number,
  upwards: number,
): void {
  lent[node * tree.cells + cell] = upwards;
  const children = tree.children[node]!;
  if (children.length === 0) return;
  let wanted = upwards;
  let idle = 0;
  for (const child of children) {
    wanted += borrowedOf(tree, usage, child, cell);
    idle += idleOf(tree, usage, child, cell);
  }
  // What the node and its children own together beyond what its children lend is its own.
  const own = tree.nodes[node]!.quotas[cell]?.nominal ?? 0;
  const left = Math.max(0, Math.min(wanted - own, idle));
  let rest = left;
  const parts = children.map((child) => {
    const part = idle === 0 ? 0 : Math.floor((idleOf(tree, usage, child, cell) * left) / idle);
    rest -= part;
    return part;
  });
  for (const [at, child] of children.entries()) {
    const more = Math.min(rest, idleOf(tree, usage, child, cell) - parts[at]!);
    rest -= more;
    hand(tree, usage, lent, child, cell, parts[at]! + more);
  }
}

/** Of what a node lends the part that it does not use itself. */
function idleOf(tree: QuotaTree, usage: QuotaUsage, node: number, cell: number): number {
  const at = node * tree.cells + cell;
  const lends = tree.subtree[at]! - tree.local[at]!;
  return Math.max(0, lends - Math.max(0, usage[at]! - tree.local[at]!));
}
