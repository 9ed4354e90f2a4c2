/**
 * Shares of the association tree, as far as they do not change during a run: who is whose sibling, and NormShares. An entry with
 * `fairshare=parent` has no shares of its own; what stands below it competes with the children of the first entry above that has
 * some. Fair Tree norms among siblings, the classic formula down from the root (the manual's pages on Fair Tree and multifactor).
 */
import type { AssociationTree } from "./associations.ts";
import { PARENT_SHARES } from "./associations.ts";

export interface ShareTree {
  /** First entry above with shares of its own; −1 for `root`. Siblings are the entries with the same. */
  readonly above: Int32Array;
  /** Siblings below entry e: `below[firstBelow[e] … firstBelow[e + 1] − 1]`, in the order of the tree. */
  readonly firstBelow: Int32Array;
  readonly below: Int32Array;
  /** Sum of the raw shares of an entry and its siblings. */
  readonly levelShares: Float64Array;
  readonly norm: Float64Array;
  /** 1 = the entry of a user. */
  readonly isUser: Uint8Array;
  /** How many they are, root's included: what ranks are divided by. */
  readonly users: number;
}

/** Resolves the shares of a tree. O(entries × depth). */
export function sharesOf(tree: AssociationTree, fairTree: boolean): ShareTree {
  const above = new Int32Array(tree.count).fill(-1);
  const firstBelow = new Int32Array(tree.count + 1);
  const sums = new Float64Array(tree.count);
  const isUser = Uint8Array.from(tree.user, (user) => (user === "" ? 0 : 1));
  for (let entry = 0; entry < tree.count; entry++) {
    let over = tree.parent[entry]!;
    while (over > 0 && tree.shares[over] === PARENT_SHARES) over = tree.parent[over]!;
    above[entry] = over;
    if (over < 0) continue;
    firstBelow[over + 1]! += 1;
    if (tree.shares[entry] !== PARENT_SHARES) sums[over]! += tree.shares[entry]!;
  }
  for (let entry = 0; entry < tree.count; entry++) firstBelow[entry + 1]! += firstBelow[entry]!;
  const below = new Int32Array(firstBelow[tree.count]!);
  const filled = firstBelow.slice();
  const levelShares = new Float64Array(tree.count);
  for (let entry = 0; entry < tree.count; entry++) {
    const over = above[entry]!;
    if (over < 0) continue;
    below[filled[over]!++] = entry;
    levelShares[entry] = sums[over]!;
  }
  const users = isUser.reduce((sum, each) => sum + each, 0);
  const shares = { above, firstBelow, below, levelShares, isUser, users };
  return {
    ...shares,
    norm: fairTree ? normAmongSiblings(tree, shares) : normFromRoot(tree, shares),
  };
}

type Levels = Omit<ShareTree, "norm">;

function ownPart(tree: AssociationTree, levels: Levels, entry: number): number {
  const all = levels.levelShares[entry]!;
  return all === 0 ? 0 : tree.shares[entry]! / all;
}

function normAmongSiblings(tree: AssociationTree, levels: Levels): Float64Array {
  const norm = new Float64Array(tree.count);
  for (let entry = 0; entry < tree.count; entry++) {
    const own = tree.shares[entry] === PARENT_SHARES ? levels.above[entry]! : entry;
    norm[entry] = own <= 0 ? 0 : ownPart(tree, levels, own);
  }
  return norm;
}

function normFromRoot(tree: AssociationTree, levels: Levels): Float64Array {
  const norm = new Float64Array(tree.count).fill(1);
  for (let entry = 1; entry < tree.count; entry++) {
    // The factors of the entry itself first, then upwards: the order in which Slurm multiplies them.
    for (let at = entry; at > 0; at = tree.parent[at]!) {
      if (tree.shares[at] !== PARENT_SHARES) norm[entry]! *= ownPart(tree, levels, at);
    }
  }
  return norm;
}
