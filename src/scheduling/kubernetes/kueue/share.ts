/**
 * The share of Kueue's fair sharing: of the resource in which a node borrows the largest part of all that its parent could ever hand out, that part, divided by the node's weight.
 * Own quota is never part of it; a node that does not borrow has share 0; weight 0 and borrowing is infinite, and two infinite ones are compared without weight. Shares are
 * kept as fractions and compared by cross products, so equal ones are equal. O(cells). Source: kubernetes-sigs/kueue `pkg/cache/scheduler/fair_sharing.go`; docs "Fair Sharing".
 */
import type { CellAmount, QuotaTree, QuotaUsage } from "./quotaTree.ts";

export interface Share {
  /** Does the node use more than it and its children own, in any cell? */
  readonly borrowing: boolean;
  readonly borrowed: number;
  /** All that the parent could hand out of that resource; at least 1 where it counts. */
  readonly lendable: number;
  readonly weight: number;
  /** Resource that decides; −1 = none. */
  readonly resource: number;
}

/** Share of a node as things are. Ties between resources: the first in alphabetical order. */
export function shareOf(tree: QuotaTree, usage: QuotaUsage, node: number): Share {
  const { parentIdx, weight } = tree.nodes[node]!;
  const none = { borrowing: false, borrowed: 0, lendable: 1, weight, resource: -1 };
  if (parentIdx < 0) return none;
  if (tree.cells === 1) {
    // No sums over cells: the same with nothing to set up.
    const borrowed = borrowedIn(tree, usage, node, 0);
    const [resource] = tree.resourceOfCell as [number];
    const lendable = tree.lendable[parentIdx * tree.resources + resource]!;
    if (borrowed <= 0) return none;
    if (lendable <= 0) return { ...none, borrowing: true };
    return { borrowing: true, borrowed, lendable, weight, resource };
  }
  const above = new Float64Array(tree.resources);
  let borrowing = false;
  for (let cell = 0; cell < tree.cells; cell++) {
    const more = borrowedIn(tree, usage, node, cell);
    if (more <= 0) continue;
    borrowing = true;
    above[tree.resourceOfCell[cell]!]! += more;
  }
  let best = { ...none, borrowing };
  for (let resource = 0; resource < tree.resources; resource++) {
    const lendable = tree.lendable[parentIdx * tree.resources + resource]!;
    const borrowed = above[resource]!;
    if (borrowed <= 0 || lendable <= 0) continue;
    if (borrowed * best.lendable > best.borrowed * lendable)
      best = { borrowing, borrowed, lendable, weight, resource };
  }
  return best;
}

/** Does a node borrow in one of the cells that a workload asks for? */
export function borrowsIn(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  amounts: readonly CellAmount[],
): boolean {
  return amounts.some(({ cell }) => borrowedIn(tree, usage, node, cell) > 0);
}

function borrowedIn(tree: QuotaTree, usage: QuotaUsage, node: number, cell: number): number {
  const at = node * tree.cells + cell;
  return tree.declared[at] === 1 ? usage[at]! - tree.subtree[at]! : 0;
}

/** Negative where the left share is smaller. */
export function compareShares(left: Share, right: Share): number {
  const [leftInfinite, rightInfinite] = [isInfinite(left), isInfinite(right)];
  if (leftInfinite !== rightInfinite) return leftInfinite ? 1 : -1;
  const [leftWeight, rightWeight] = leftInfinite ? [1, 1] : [left.weight, right.weight];
  // A share of 0 needs no weight.
  if (left.borrowed === 0 || right.borrowed === 0) return left.borrowed - right.borrowed;
  return left.borrowed * right.lendable * rightWeight - right.borrowed * left.lendable * leftWeight;
}

/** The share in thousandths, as Kueue's own numbers have it before they are rounded for show. */
export function shareValue(share: Share): number {
  if (isInfinite(share)) return Number.POSITIVE_INFINITY;
  return share.borrowed === 0 ? 0 : (share.borrowed * 1000) / share.lendable / share.weight;
}

function isInfinite({ borrowing, weight }: Share): boolean {
  return borrowing && weight === 0;
}
