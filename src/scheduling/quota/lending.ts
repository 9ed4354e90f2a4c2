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

/** As yet unknown, for so many teams and the pool. */
export function unknownLending(teams: number): Lending {
  return {
    lent: new Float64Array(teams + 1).fill(Number.NaN),
    borrowed: new Float64Array(teams + 1).fill(Number.NaN),
  };
}

/** Who borrows and lends how much now; written into `into`, which has as many teams. */
export function lendingOf(books: TeamBooks, into = unknownLending(books.tree.teams)): Lending {
  const { tree, held, quota } = books;
  const { lent, borrowed } = into;
  lent.fill(0);
  for (let at = 0; at < tree.upwards.length; at++) {
    const node = tree.upwards[at]!;
    borrowed[node] = node === tree.teams ? 0 : Math.max(0, held[node]! - quota[node]!);
    // A team without teams below it lends nothing here; what it uses beyond its own is the matter of its parent.
    if (tree.children[node]!.length > 0) attribute(books, node, lent, borrowed);
  }
  return into;
}

/** Of the children of the node under way; kept, for there are many such sums. */
let idleOf = new Float64Array(16);

function attribute(
  { tree, own, heldOwn, pot, used }: TeamBooks,
  node: number,
  lent: Float64Array,
  borrowed: Float64Array,
): void {
  const children = tree.children[node]!;
  let wanted = Math.max(0, heldOwn[node]! - own[node]!);
  for (let at = 0; at < children.length; at++) wanted += borrowed[children[at]!]!;
  if (wanted === 0) return;
  if (idleOf.length < children.length) idleOf = new Float64Array(children.length * 2);
  let idle = 0;
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!;
    const unused = Math.min(tree.lendMost[child]!, Math.max(0, pot[child]! - used[child]!));
    idleOf[at] = unused;
    idle += unused;
  }
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

/** A copy that shares nothing. O(teams). */
export function copyLending({ lent, borrowed }: Lending): Lending {
  return { lent: lent.slice(), borrowed: borrowed.slice() };
}
