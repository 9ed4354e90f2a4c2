/**
 * Fair Tree: among siblings, LevelFS = NormShares / EffectvUsage, where EffectvUsage is the part of the parent's usage. Walking the
 * tree depth first, siblings by LevelFS, gives users their ranks; FairShare = rank / number of user entries (the manual's page
 * "Fair Tree Fairshare Algorithm"; ties and their limits as slurmctld 22.05 handles them).
 */
import type { AssociationTree } from "../accounting/associations.ts";
import { PARENT_SHARES } from "../accounting/associations.ts";
import type { Usage } from "../accounting/usage.ts";

/** Computes NormUsage, EffectvUsage, LevelFS and FairShare of every entry from the usage as it is. O(entries) while ranks hold. */
export function computeFairTree(usage: Usage): void {
  const { setup, assoc, normUsage, effective, levelFs } = usage;
  const { tree, shares } = setup;
  const total = assoc.billed[0]!;
  effective[0] = 1;
  normUsage[0] = total === 0 ? 0 : 1;
  for (let entry = 1; entry < tree.count; entry++) {
    const billed = assoc.billed[entry]!;
    const above = assoc.billed[shares.above[entry]!]!;
    normUsage[entry] = total === 0 ? 0 : Math.min(1, billed / total);
    effective[entry] = above === 0 ? 0 : billed / above;
    levelFs[entry] = levelOf(tree, entry, shares.norm[entry]!, effective[entry]!);
  }
  rankBelow(usage, 0, { rank: shares.users, next: shares.users }, false);
}

function levelOf(tree: AssociationTree, entry: number, norm: number, effective: number): number {
  if (tree.shares[entry] === PARENT_SHARES) return Number.POSITIVE_INFINITY;
  if (norm === 0) return 0;
  return effective === 0 ? Number.POSITIVE_INFINITY : norm / effective;
}

interface Ranks {
  /** The rank given last, and the one that the next user without a tie gets. */
  rank: number;
  next: number;
}

/**
 * Ranks everybody below an entry. `tied`: its first user shares the rank given last. Tied accounts are walked one after the other:
 * slurmctld means to merge them, but its test never finds a second one.
 */
function rankBelow(usage: Usage, entry: number, ranks: Ranks, tied: boolean): void {
  const { shares } = usage.setup;
  const from = shares.firstBelow[entry]!;
  const to = shares.firstBelow[entry + 1]!;
  sortSiblings(usage, from, to);
  for (let at = from; at < to; at++) {
    const sibling = usage.ranked[at]!;
    const ties =
      at === from ? tied : usage.levelFs[usage.ranked[at - 1]!]! === usage.levelFs[sibling]!;
    if (shares.isUser[sibling] === 0) {
      rankBelow(usage, sibling, ranks, ties);
      continue;
    }
    if (!ties) ranks.rank = ranks.next;
    usage.rankFactor[sibling] = ranks.rank / shares.users;
    ranks.next--;
  }
}

/** Higher LevelFS first; users before accounts; then the order of the tree. */
function before(usage: Usage, a: number, b: number): boolean {
  const fsA = usage.levelFs[a]!;
  const fsB = usage.levelFs[b]!;
  if (fsA !== fsB) return fsA > fsB;
  const { isUser } = usage.setup.shares;
  return isUser[a] === isUser[b] ? a < b : isUser[a] === 1;
}

/** Siblings hardly change places from tick to tick, so moving each to its place is nearly linear; a shuffled level is sorted. */
function sortSiblings(usage: Usage, from: number, to: number): void {
  const { ranked } = usage;
  let moves = 8 * (to - from) + 64;
  for (let at = from + 1; at < to; at++) {
    const sibling = ranked[at]!;
    let hole = at;
    while (hole > from && before(usage, sibling, ranked[hole - 1]!)) {
      ranked[hole] = ranked[hole - 1]!;
      hole--;
    }
    ranked[hole] = sibling;
    moves -= at - hole;
    if (moves >= 0) continue;
    ranked.subarray(from, to).sort((a, b) => (before(usage, a, b) ? -1 : 1));
    return;
  }
}

/** One level of the walk from the root to a user: siblings in order of rank. */
export interface FairTreeLevel {
  /** The entry whose children these are. */
  readonly above: number;
  /** Where the walk goes on. */
  readonly chosen: number;
  readonly siblings: readonly {
    readonly entry: number;
    readonly normShares: number;
    readonly effectvUsage: number;
    readonly levelFs: number;
    /** Users: rank, as FairShare × number of users; accounts: NaN. */
    readonly rank: number;
  }[];
}

/** How a user came to the rank of the last tick, level by level from the root. O(depth × siblings). */
export function fairTreeWalk(usage: Usage, entry: number): FairTreeLevel[] {
  const { shares } = usage.setup;
  const levels: FairTreeLevel[] = [];
  for (let chosen = entry; chosen > 0; chosen = shares.above[chosen]!) {
    const above = shares.above[chosen]!;
    const siblings = usage.ranked.subarray(
      shares.firstBelow[above]!,
      shares.firstBelow[above + 1]!,
    );
    levels.unshift({
      above,
      chosen,
      siblings: Array.from(siblings, (sibling) => ({
        entry: sibling,
        normShares: shares.norm[sibling]!,
        effectvUsage: usage.effective[sibling]!,
        levelFs: usage.levelFs[sibling]!,
        rank:
          shares.isUser[sibling] === 0
            ? Number.NaN
            : Math.round(usage.rankFactor[sibling]! * shares.users),
      })),
    });
  }
  return levels;
}
