/**
 * A tree of those that share: teams under teams and, for Fair Tree, users under their teams; users or tiers alone lie flat below the root.
 * It follows from the world and does not change during a run, so copies share it. Entry 0 is the root; parents may stand behind children.
 */
import { assert } from "../../base/assert.ts";
import type { PoolView } from "../../engine/view.ts";
import { type ShareOf, shareGroups } from "./shareGroups.ts";

export interface ShareTree {
  readonly count: number;
  /** −1 for the root. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly shares: Float64Array;
  /** Part of the shares of an entry and its siblings. */
  readonly amongSiblings: Float64Array;
  /** Part of the whole: the product of these down from the root. */
  readonly norm: Float64Array;
  /** Nobody stands below anybody but the root. */
  readonly isFlat: boolean;
  /** Entry of a group (team, user, tier), or with users below teams by `team × users + user`. */
  readonly entryOf: ReadonlyMap<number, number>;
  /** Number of user names; 0 where the leaves are no users below teams. */
  readonly users: number;
}

/** Teams, users or tiers. O(groups × depth). */
export function groupTree(view: PoolView, of: ShareOf): ShareTree {
  const groups = shareGroups(view, of);
  const parent = [-1];
  const shares = [1];
  const entryOf = new Map<number, number>();
  for (let group = 0; group < groups.count; group++) {
    entryOf.set(group, parent.length);
    const above = of === "team" ? view.teams[group]?.parent : undefined;
    parent.push(above === undefined ? 0 : 1 + above);
    shares.push(groups.shares[group]!);
  }
  return finish(parent, shares, entryOf, 0);
}

/** Teams, and below each the users that have jobs in it, one share each. O(jobs + groups × depth). */
export function userTree(view: PoolView): ShareTree {
  const teams = groupTree(view, "team");
  const parent = Array.from(teams.parent);
  const shares = Array.from(teams.shares);
  const entryOf = new Map<number, number>();
  const { team, user } = view.jobs.at;
  const users = Math.max(1, view.jobs.users.length);
  for (let jobIdx = 0; jobIdx < view.jobs.count; jobIdx++) {
    const key = team[jobIdx]! * users + user[jobIdx]!;
    if (entryOf.has(key)) continue;
    entryOf.set(key, parent.length);
    parent.push(teams.entryOf.get(team[jobIdx]!) ?? 0);
    shares.push(1);
  }
  return finish(parent, shares, entryOf, users);
}

/** A tree of the given entries: parents (−1: the root, first) and raw shares. */
export function treeOfEntries(parent: readonly number[], shares: readonly number[]): ShareTree {
  return finish(parent, shares, new Map(parent.map((_, entry) => [entry, entry])), 0);
}

/** The entry of a user of a team, 0 = none. O(1). */
export function userEntry(tree: ShareTree, team: number, user: number): number {
  return tree.entryOf.get(team * tree.users + user) ?? 0;
}

function finish(
  parents: readonly number[],
  rawShares: readonly number[],
  entryOf: ReadonlyMap<number, number>,
  users: number,
): ShareTree {
  const count = parents.length;
  const parent = Int32Array.from(parents);
  const shares = Float64Array.from(rawShares);
  const sums = new Float64Array(count);
  for (let entry = 1; entry < count; entry++) sums[parent[entry]!]! += shares[entry]!;
  const amongSiblings = Float64Array.from(shares, (share, entry) => {
    const all = entry === 0 ? 1 : sums[parent[entry]!]!;
    return all === 0 ? 0 : share / all;
  });
  const depth = new Int32Array(count);
  const norm = new Float64Array(count).fill(1);
  for (let entry = 1; entry < count; entry++) {
    for (let at = entry; at > 0; at = parent[at]!) {
      norm[entry]! *= amongSiblings[at]!;
      depth[entry]! += 1;
      assert(depth[entry]! <= count, "a team stands above itself");
    }
  }
  const isFlat = depth.every((each) => each <= 1);
  return { count, parent, depth, shares, amongSiblings, norm, isFlat, entryOf, users };
}
