/**
 * The association tree: account under account, users at the leaves, as `sacctmgr show assoc tree` prints it. A job belongs to the
 * entry of its account and user, and counts towards that entry and all above. A policy that says nothing of accounts has the tree
 * that follows from its teams: one account per team, with the users that appear in its jobs. Entry 0 is always the account `root`
 * and entry 1 its user `root`, as slurmdbd sets them up; parents stand before their children.
 */
import type { JobTable } from "../../model/jobs.ts";
import type { SlurmAssociation, SlurmConfig } from "../../model/slurm/config.ts";
import { defaultAssociation } from "../../model/slurm/defaults.ts";
import type { TeamInfo } from "../../model/world.ts";

/** Raw shares of an entry with `fairshare=parent`. */
export const PARENT_SHARES = -1;

/** Account of jobs without a team, and user of jobs without a user. */
const DEFAULT_ACCOUNT = "default";
const ANY_USER = "anyone";

/** Columns by entry; nothing of it changes during a run, so snapshots may share it. */
export interface AssociationTree {
  readonly count: number;
  /** −1 for `root`; always less than the entry itself. */
  readonly parent: Int32Array;
  readonly account: readonly string[];
  /** "" = the account itself. */
  readonly user: readonly string[];
  /** "" = any partition. */
  readonly partition: readonly string[];
  /** Raw shares; `PARENT_SHARES` = `fairshare=parent`. */
  readonly shares: Float64Array;
  /** 0 for `root`. */
  readonly depth: Int32Array;
  /** Children of entry e, in the order of the configuration: `children[firstChild[e] … firstChild[e + 1] − 1]`. */
  readonly firstChild: Int32Array;
  readonly children: Int32Array;
  /** Limits, QOS and priority of each entry. */
  readonly limits: readonly SlurmAssociation[];
  /** Entries by account, user and partition; `associationOf` reads it. */
  readonly byName: ReadonlyMap<string, number>;
  /** The entry that a user's jobs get when they name no account. */
  readonly defaultOfUser: ReadonlyMap<string, number>;
}

/** What the tree needs of the jobs. */
export type JobNames = Pick<JobTable, "count" | "at" | "users">;

/** The account that a team's jobs are charged to. */
export function accountOfTeam(team: TeamInfo | undefined): string {
  return team === undefined || team.id === "" ? DEFAULT_ACCOUNT : team.id;
}

/** The user that a job is charged to. O(1). */
export function userOfJob(jobs: JobNames, jobIdx: number): string {
  return jobs.users[jobs.at.user[jobIdx]!] || ANY_USER;
}

/** The tree of a configuration; of the teams and their users where it names no association. O(entries + jobs). */
export function associationsOf(
  config: SlurmConfig,
  teams: readonly TeamInfo[],
  jobs: JobNames,
): AssociationTree {
  return treeOf(config.associations.length > 0 ? config.associations : implied(teams, jobs));
}

/**
 * The entry that a job of this account, user and partition is charged to: one for the partition before one for all. An account of
 * "" is the user's default account. −1: there is none (with `AccountingStorageEnforce=associations` such a job is refused). O(1).
 */
export function associationOf(
  tree: AssociationTree,
  account: string,
  user: string,
  partition: string,
): number {
  const name = account === "" ? (tree.account[tree.defaultOfUser.get(user) ?? -1] ?? "") : account;
  if (name === "") return -1;
  return (
    tree.byName.get(keyOf(name, user, partition)) ?? tree.byName.get(keyOf(name, user, "")) ?? -1
  );
}

function keyOf(account: string, user: string, partition: string): string {
  return `${account}\n${user}\n${partition}`;
}

function entry(
  parent: number,
  account: string,
  user: string,
  shares: number,
  isDefault: boolean,
): SlurmAssociation {
  return { ...defaultAssociation(account, user), parent, shares, isDefault };
}

const ROOT = "root";

/** Root, then each team's account with its users in the order in which they appear. */
function implied(teams: readonly TeamInfo[], jobs: JobNames): SlurmAssociation[] {
  const usersOf = new Map<string, Set<string>>();
  for (const team of teams) usersOf.set(accountOfTeam(team), new Set());
  for (let job = 0; job < jobs.count; job++) {
    const account = accountOfTeam(teams[jobs.at.team[job]!]);
    const users = usersOf.get(account) ?? new Set();
    users.add(userOfJob(jobs, job));
    usersOf.set(account, users);
  }
  const sharesOf = new Map(teams.map((team) => [accountOfTeam(team), team.shares]));
  const entries = [entry(-1, ROOT, "", 1, false)];
  const seen = new Set<string>();
  for (const [account, users] of usersOf) {
    const parent = entries.length;
    entries.push(entry(0, account, "", sharesOf.get(account) ?? 1, false));
    for (const user of users) {
      entries.push(entry(parent, account, user, 1, !seen.has(user)));
      seen.add(user);
    }
  }
  return entries;
}

/** Puts root's user behind root where the configuration leaves it out: every index behind it moves by one. */
function withRootUser(entries: readonly SlurmAssociation[]): readonly SlurmAssociation[] {
  const [root, ...others] = entries;
  if (root === undefined) return [entry(-1, ROOT, "", 1, false), entry(0, ROOT, ROOT, 1, true)];
  if (others.some((other) => other.parent === 0 && other.user === ROOT)) return entries;
  return [
    root,
    entry(0, ROOT, ROOT, 1, true),
    ...others.map((other) => ({
      ...other,
      parent: other.parent > 0 ? other.parent + 1 : other.parent,
    })),
  ];
}

function treeOf(given: readonly SlurmAssociation[]): AssociationTree {
  const limits = withRootUser(given);
  const count = limits.length;
  const parent = Int32Array.from(limits, (each) => each.parent);
  const depth = new Int32Array(count);
  const firstChild = new Int32Array(count + 1);
  for (let at = 1; at < count; at++) {
    depth[at] = depth[parent[at]!]! + 1;
    firstChild[parent[at]! + 1]! += 1;
  }
  for (let at = 0; at < count; at++) firstChild[at + 1]! += firstChild[at]!;
  const children = new Int32Array(Math.max(0, count - 1));
  const filled = firstChild.slice();
  for (let at = 1; at < count; at++) children[filled[parent[at]!]!++] = at;
  const byName = new Map<string, number>();
  const defaultOfUser = new Map<string, number>();
  limits.forEach((each, at) => {
    byName.set(keyOf(each.account, each.user, each.partition), at);
    if (each.user === "") return;
    const known = defaultOfUser.get(each.user);
    if (known === undefined || (each.isDefault && !limits[known]!.isDefault))
      defaultOfUser.set(each.user, at);
  });
  return {
    count,
    parent,
    account: limits.map((each) => each.account),
    user: limits.map((each) => each.user),
    partition: limits.map((each) => each.partition),
    shares: Float64Array.from(limits, (each) =>
      each.shares === "parent" ? PARENT_SHARES : each.shares,
    ),
    depth,
    firstChild,
    children,
    limits,
    byName,
    defaultOfUser,
  };
}
