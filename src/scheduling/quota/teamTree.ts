/**
 * Quotas on the tree of teams. What a team's quota is more than its children's together is its own; a parent without quota has the sum of its
 * children's, and what no quota claims belongs to the pool. A team uses its own quota first, then what its siblings lend, then what is left of
 * its parent, which may borrow in turn: never more than its borrowing limit, and of each lender never more than that one's lending limit.
 * Where no team has a quota, the pool is split by shares in whole devices (largest remainder, ties by order); where some have, a team without
 * one is entitled to nothing and lives on what others leave.
 *
 * The rule of available quota is that of hierarchical cohorts in Kueue (nominalQuota, borrowingLimit, lendingLimit; kueue.sigs.k8s.io, "Cohort");
 * here a parent's number includes its children. Integers (thousandths of a device); a verdict and a change cost O(depth). Pathology: quotas that
 * promise more than there is let everybody pass, and devices decide.
 */
import type { TeamInfo } from "../../model/world.ts";

/** One more node than teams: the pool itself, last, is the root. */
export interface TeamTree {
  readonly teams: number;
  readonly parent: Int32Array;
  /** Every node after its children; the pool is last. */
  readonly upwards: Int32Array;
  readonly children: readonly (readonly number[])[];
  readonly shares: Float64Array;
  readonly borrowMost: Float64Array;
  readonly lendMost: Float64Array;
  /** As the document says; −1 = nothing said. */
  readonly stated: Float64Array;
  readonly anyStated: boolean;
}

export interface TeamBooks {
  readonly tree: TeamTree;
  /** What the pool has, as of the last `setCapacity`. */
  capacity: number;
  /** Quota of each node, with all below it; and of that its own, not given to children. */
  readonly quota: Float64Array;
  readonly own: Float64Array;
  /** Own and lent by children; and of that what is never lent further up. */
  readonly pot: Float64Array;
  readonly kept: Float64Array;
  /** Held by the node's own jobs, and with all below it. */
  readonly heldOwn: Float64Array;
  readonly held: Float64Array;
  /** Taken from the node's pot: what children use within what they keep is not. */
  readonly used: Float64Array;
}

/** `borrows` false: nobody may (static partition). */
export function createTeamTree(teams: readonly TeamInfo[], borrows: boolean): TeamTree {
  const count = teams.length;
  const parent = Int32Array.from(
    { length: count + 1 },
    (_, team) => teams[team]?.parent ?? (team === count ? -1 : count),
  );
  breakCircles(parent, count);
  const children: number[][] = Array.from({ length: count + 1 }, () => []);
  for (let team = 0; team < count; team++) children[parent[team]!]!.push(team);
  const milli = (gpus: number | undefined, absent: number): number =>
    gpus === undefined ? absent : gpus * 1_000;
  const stated = Float64Array.from({ length: count + 1 }, (_, team) =>
    milli(teams[team]?.quotaGpus, -1),
  );
  return {
    teams: count,
    parent,
    upwards: upwardsFrom(children, count),
    children,
    shares: Float64Array.from({ length: count + 1 }, (_, team) => teams[team]?.shares ?? 1),
    borrowMost: Float64Array.from({ length: count + 1 }, (_, team) =>
      borrows ? milli(teams[team]?.borrowGpus, Number.POSITIVE_INFINITY) : 0,
    ),
    lendMost: Float64Array.from({ length: count + 1 }, (_, team) =>
      milli(teams[team]?.lendGpus, Number.POSITIVE_INFINITY),
    ),
    stated,
    anyStated: stated.some((quota) => quota >= 0),
  };
}

/** A team above itself is no tree: such teams stand right below the pool. */
function breakCircles(parent: Int32Array, root: number): void {
  for (let team = 0; team < root; team++) {
    let above = parent[team]!;
    for (let steps = 0; above !== root && steps <= root; steps++) {
      if (above === team) parent[team] = root;
      above = parent[above]!;
    }
  }
}

function upwardsFrom(children: readonly (readonly number[])[], root: number): Int32Array {
  const down = [root];
  for (let at = 0; at < down.length; at++) down.push(...children[down[at]!]!);
  return Int32Array.from(down.reverse());
}

export function createTeamBooks(tree: TeamTree, capacityMilli: number): TeamBooks {
  const column = (): Float64Array => new Float64Array(tree.teams + 1);
  const books: TeamBooks = {
    tree,
    capacity: -1,
    quota: column(),
    own: column(),
    pot: column(),
    kept: column(),
    heldOwn: column(),
    held: column(),
    used: column(),
  };
  setCapacity(books, capacityMilli);
  return books;
}

/** O(teams). */
export function copyTeamBooks(books: TeamBooks): TeamBooks {
  return {
    ...books,
    quota: books.quota.slice(),
    own: books.own.slice(),
    pot: books.pot.slice(),
    kept: books.kept.slice(),
    heldOwn: books.heldOwn.slice(),
    held: books.held.slice(),
    used: books.used.slice(),
  };
}

/** What the pool has. O(1) where it is as before, else O(teams). */
export function setCapacity(books: TeamBooks, capacityMilli: number): void {
  if (books.capacity === capacityMilli) return;
  books.capacity = capacityMilli;
  const { tree, quota, own, pot, kept } = books;
  const root = tree.teams;
  if (!tree.anyStated) splitByShares(books, root, capacityMilli);
  for (const node of tree.upwards) {
    let below = 0;
    let lent = 0;
    for (const child of tree.children[node]!) {
      below += quota[child]!;
      lent += pot[child]! - kept[child]!;
    }
    if (node === root) quota[node] = Math.max(capacityMilli, below);
    else if (tree.anyStated) quota[node] = Math.max(tree.stated[node]!, below);
    own[node] = quota[node]! - below;
    pot[node] = own[node]! + lent;
    kept[node] = Math.max(0, pot[node]! - tree.lendMost[node]!);
  }
  recount(books);
}

/** Whole devices by largest remainder. A team with children keeps none for its own jobs. */
function splitByShares(books: TeamBooks, node: number, milli: number): void {
  const { tree, quota } = books;
  const children = tree.children[node]!;
  const shares = children.reduce((sum, child) => sum + tree.shares[child]!, 0);
  const gpus = Math.floor(milli / 1_000);
  let left = gpus;
  const exact = children.map((child) => (shares > 0 ? (gpus * tree.shares[child]!) / shares : 0));
  for (const [at, child] of children.entries()) {
    quota[child] = Math.floor(exact[at]!) * 1_000;
    left -= Math.floor(exact[at]!);
  }
  const byRemainder = children
    .map((_, at) => at)
    .sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
  for (const at of byRemainder.slice(0, shares > 0 ? left : 0)) quota[children[at]!]! += 1_000;
  for (const child of children) splitByShares(books, child, quota[child]!);
}

function recount(books: TeamBooks): void {
  const { tree, heldOwn, held, used } = books;
  for (const node of tree.upwards) {
    held[node] = heldOwn[node]!;
    used[node] = heldOwn[node]!;
    for (const child of tree.children[node]!) {
      held[node]! += held[child]!;
      used[node]! += Math.max(0, used[child]! - books.kept[child]!);
    }
  }
}

/** A team's jobs hold so much more (negative: less). O(depth). */
export function addHeld(books: TeamBooks, team: number, milli: number): void {
  const { tree, used, kept } = books;
  books.heldOwn[team]! += milli;
  for (let node = team; node >= 0; node = tree.parent[node]!) books.held[node]! += milli;
  let change = milli;
  for (let node = team; node >= 0 && change !== 0; node = tree.parent[node]!) {
    const before = Math.max(0, used[node]! - kept[node]!);
    used[node]! += change;
    change = Math.max(0, used[node]! - kept[node]!) - before;
  }
}

/** What a team's jobs may take now: left of its own, and what it may borrow. Negative where more is used than there is. O(depth). */
export function availableTo(books: TeamBooks, node: number): number {
  const { tree, pot, kept, used } = books;
  if (node === tree.teams) return pot[node]! - used[node]!;
  const ofKept = Math.max(0, kept[node]! - used[node]!);
  const inParent = pot[node]! - kept[node]!;
  const usedInParent = Math.max(0, used[node]! - kept[node]!);
  const most = inParent - usedInParent + tree.borrowMost[node]!;
  return ofKept + Math.min(most, availableTo(books, tree.parent[node]!));
}

/** What a team's jobs may take where nobody uses anything: under these rules no job of the team can ever have more. O(teams). */
export function mostEver(books: TeamBooks, team: number): number {
  return Math.max(0, availableTo({ ...books, used: new Float64Array(books.used.length) }, team));
}

/** What is left of its own quota. */
export function ownRoom(books: TeamBooks, team: number): number {
  return books.pot[team]! - books.used[team]!;
}
