/**
 * The two fair-share formulas over a tree of shares, from usages by entry (each entry's usage holds that of all below it).
 *
 * Classic (Slurm's "Classic Fairshare Algorithm"): effective usage = U + (parent's effective − U) × shares / siblings' shares, U as a part of
 * all usage; factor = 2^(−effective / norm shares). Pathology: siblings of a heavy user sink with the account, so a user of an account
 * that used less may stand behind one of an account that used more.
 * Fair Tree (Cox and Morrison, Slurm 14.11): among siblings, level = part of the shares / part of the usage; the path of a user is
 * compared level by level from the root, so that this cannot happen. Pathology: an account with few users can be far ahead of its due.
 */
import pow from "@stdlib/math-base-special-pow";
import type { ShareTree } from "./shareTree.ts";

/** Usage of an entry now. */
export type UsageOf = (entry: number) => number;

/** Effective usage ÷ norm shares: 0 = used nothing, 1 = exactly its due; smaller goes first. O(depth). */
export function classicLevel(tree: ShareTree, usageOf: UsageOf, entry: number): number {
  const norm = tree.norm[entry]!;
  return norm > 0 ? effectiveUsage(tree, usageOf, entry) / norm : Number.POSITIVE_INFINITY;
}

/** 2^(−level): 1 = used nothing, 0.5 = exactly its due. O(depth). */
export function classicFactor(tree: ShareTree, usageOf: UsageOf, entry: number): number {
  const level = classicLevel(tree, usageOf, entry);
  return level === Number.POSITIVE_INFINITY ? 0 : pow(2, -level);
}

function effectiveUsage(tree: ShareTree, usageOf: UsageOf, entry: number): number {
  const all = usageOf(0);
  const own = all > 0 ? usageOf(entry) / all : 0;
  const parent = tree.parent[entry]!;
  if (parent <= 0) return own;
  return own + (effectiveUsage(tree, usageOf, parent) - own) * tree.amongSiblings[entry]!;
}

/** Fair Tree's level of an entry among its siblings; `Infinity` = unused. O(1). */
export function fairTreeLevel(tree: ShareTree, usageOf: UsageOf, entry: number): number {
  const share = tree.amongSiblings[entry]!;
  if (share === 0) return 0;
  const ofParent = usageOf(tree.parent[entry]!);
  const own = usageOf(entry);
  return ofParent > 0 && own > 0 ? share / (own / ofParent) : Number.POSITIVE_INFINITY;
}

/** Fair Tree's level of an entry now. */
export type LevelOf = (entry: number) => number;

/**
 * Negative: the first of two entries stands before the other. Where accounts are level with each other, the levels below them decide; of
 * an entry and one below it, the entry. O(depth), and O(1) levels asked for unless accounts tie.
 */
export function compareFairTree(
  tree: ShareTree,
  levelOf: LevelOf,
  entry: number,
  other: number,
): number {
  const { parent, depth } = tree;
  let one = entry;
  let two = other;
  while (depth[one]! > depth[two]!) one = parent[one]!;
  while (depth[two]! > depth[one]!) two = parent[two]!;
  if (one === two) return depth[entry]! - depth[other]!;
  while (parent[one] !== parent[two]) {
    one = parent[one]!;
    two = parent[two]!;
  }
  const level = levelOf(one);
  const otherLevel = levelOf(two);
  if (level !== otherLevel) return level > otherLevel ? -1 : 1;
  return compareBelow(levelOf, pathOf(tree, entry), pathOf(tree, other), depth[one]!);
}

/** The levels below two entries that are level with each other, down both paths. */
function compareBelow(
  levelOf: LevelOf,
  path: readonly number[],
  otherPath: readonly number[],
  from: number,
): number {
  for (let at = from; at < Math.min(path.length, otherPath.length); at++) {
    const level = levelOf(path[at]!);
    const otherLevel = levelOf(otherPath[at]!);
    if (level !== otherLevel) return level > otherLevel ? -1 : 1;
  }
  return path.length - otherPath.length;
}

/** From just below the root down to the entry. */
function pathOf(tree: ShareTree, entry: number): number[] {
  const path: number[] = [];
  for (let at = entry; at > 0; at = tree.parent[at]!) path.push(at);
  return path.reverse();
}
