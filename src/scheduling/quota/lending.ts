/**
 * Who lends what is borrowed. At each parent, what its children (and its own jobs) use beyond their quotas is taken from what no quota claims
 * there first, then from the unused quota that its other children lend, in proportion to it; what is still missing the parent itself borrows.
 * So everything borrowed by teams is lent by teams, or is nobody's quota. O(teams), when something has changed.
 */
import type { TeamBooks } from "./teamTree.ts";

export interface Lending {
  /** By node: of its quota in use by others. The root's: used of what no quota claims. */
  readonly lent: Float64Array;
  /** By node: beyond its quota. */
  readonly borrowed: Float64Array;
}

export function lendingOf(books: TeamBooks): Lending {
  const { tree, held, quota } = books;
  const lent = new Float64Array(tree.teams + 1);
  const borrowed = new Float64Array(tree.teams + 1);
  for (const node of tree.upwards) {
    if (node !== tree.teams) borrowed[node] = Math.max(0, held[node]! - quota[node]!);
    attribute(books, node, lent, borrowed);
  }
  return { lent, borrowed };
}

function attribute(
  { tree, own, heldOwn, pot, used }: TeamBooks,
  node: number,
  lent: Float64Array,
  borrowed: Float64Array,
): void {
  const children = tree.children[node]!;
  // A team without teams below it lends nothing here; what it uses beyond its own is the matter of its parent.
  if (children.length === 0) return;
  let wanted = Math.max(0, heldOwn[node]! - own[node]!);
  for (let at = 0; at < children.length; at++) wanted += borrowed[children[at]!]!;
  if (wanted === 0) return;
  let idle = 0;
  const idleOf = children.map((child) => {
    const unused = Math.min(tree.lendMost[child]!, Math.max(0, pot[child]! - used[child]!));
    idle += unused;
    return unused;
  });
  const ofOwn = Math.min(wanted, Math.max(0, own[node]! - heldOwn[node]!));
  lent[node]! += ofOwn;
  let left = Math.min(wanted - ofOwn, idle);
  if (left === 0) return;
  const scale = left / idle;
  for (let at = 0; at < children.length; at++) {
    const part = Math.floor(idleOf[at]! * scale);
    lent[children[at]!]! += part;
    left -= part;
  }
  for (let at = 0; at < children.length && left > 0; at++) {
    const more = Math.min(left, idleOf[at]! - Math.floor(idleOf[at]! * scale));
    lent[children[at]!]! += more;
    left -= more;
  }
}
