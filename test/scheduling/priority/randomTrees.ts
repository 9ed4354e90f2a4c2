/** Random association trees and usages, and Fair Tree written down naively. */
import fc from "fast-check";
import type { SlurmAssociation } from "../../../src/model/slurm/config.ts";
import { defaultAssociation, defaultConfig } from "../../../src/model/slurm/defaults.ts";
import {
  type AssociationTree,
  associationsOf,
} from "../../../src/scheduling/accounting/associations.ts";
import { chargeEnd, chargeStart, type Usage } from "../../../src/scheduling/accounting/usage.ts";
import { runTicks, startUsage } from "../../../src/scheduling/priority/ticks.ts";

const NO_JOBS = { count: 0, at: {}, users: [] } as unknown as Parameters<typeof associationsOf>[2];

export function treeFrom(entries: readonly SlurmAssociation[]): AssociationTree {
  return associationsOf({ ...defaultConfig(), associations: entries }, [], NO_JOBS);
}

interface Drawn {
  readonly over: number;
  readonly isUser: boolean;
  readonly shares: number;
}

/** Up to 14 entries; each hangs under an account before it. `parents`: some have `fairshare=parent`. */
export function anyTree(parents: boolean): fc.Arbitrary<AssociationTree> {
  const drawn: fc.Arbitrary<Drawn> = fc.record({
    over: fc.nat(99),
    isUser: fc.boolean(),
    shares: fc.integer({ min: parents ? -1 : 1, max: 4 }),
  });
  return fc.array(drawn, { minLength: 1, maxLength: 14 }).map((list) => {
    const entries: SlurmAssociation[] = [{ ...defaultAssociation("root", ""), parent: -1 }];
    const accounts = [0];
    list.forEach(({ over, isUser, shares }, index) => {
      const parent = accounts[over % accounts.length]!;
      const account = isUser ? entries[parent]!.account : `a${index}`;
      if (!isUser) accounts.push(entries.length);
      entries.push({
        ...defaultAssociation(account, isUser ? `u${index}` : ""),
        parent,
        shares: shares < 0 ? "parent" : shares,
      });
    });
    return treeFrom(entries);
  });
}

/** Runs: entry (of users, by remainder), start and length in seconds, billing. */
export const anyRuns = fc.array(
  fc.record({
    user: fc.nat(99),
    startSec: fc.nat(3_000),
    lengthSec: fc.nat(900),
    billable: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 12 },
);
export type Runs = typeof anyRuns extends fc.Arbitrary<infer T> ? T : never;

/** Usage after these runs and all ticks up to `untilMs`. */
export function usageAfter(
  tree: AssociationTree,
  fairTree: boolean,
  runs: Runs,
  untilMs: number,
): Usage {
  const config = { ...defaultConfig().priority, type: "multifactor" as const, fairTree };
  const usage = startUsage(tree, { ...config, decayHalfLifeMs: 3_600_000 }, [], ["cpu"], 0);
  const users = tree.user.flatMap((user, entry) => (user === "" ? [] : [entry]));
  const events = runs.flatMap(({ user, startSec, lengthSec, billable }, job) => {
    const holder = { assoc: users[user % users.length]!, qos: -1, partitionQos: -1 };
    const startMs = startSec * 1000;
    const endMs = startMs + lengthSec * 1000;
    return [
      { atMs: startMs, run: () => chargeStart(usage, job, holder, { cpu: 2 }, billable, startMs) },
      { atMs: endMs, run: () => chargeEnd(usage, job, endMs) },
    ];
  });
  events.sort((a, b) => a.atMs - b.atMs);
  let nextMs = config.calcPeriodMs;
  for (const event of events) {
    nextMs = runTicks(usage, nextMs, event.atMs);
    event.run();
  }
  runTicks(usage, nextMs, untilMs);
  return usage;
}

/** FairShare of each user by the manual, recursively; only where no two accounts tie. Null where they do. */
export function naiveFairTree(usage: Usage): Map<number, number> | null {
  const { tree, shares } = usage.setup;
  const all = [...tree.user.keys()];
  const levelFs = (entry: number): number => {
    const over = shares.above[entry]!;
    const used = usage.assoc.billed[entry]! / (usage.assoc.billed[over]! || 1);
    const sum = all
      .filter((each) => shares.above[each] === over && tree.shares[each]! >= 0)
      .reduce((total, each) => total + tree.shares[each]!, 0);
    const norm = sum === 0 ? 0 : tree.shares[entry]! / sum;
    if (tree.shares[entry]! < 0) return Number.POSITIVE_INFINITY;
    return norm === 0 ? 0 : norm / used;
  };
  let tie = false;
  const groups = (over: number): number[][] => {
    const level = all
      .filter((each) => shares.above[each] === over)
      .map((each) => ({ each, fs: levelFs(each) }));
    const values = [...new Set(level.map(({ fs }) => fs))].sort((a, b) => b - a);
    return values.flatMap((fs) => {
      const users = level.filter((at) => at.fs === fs && tree.user[at.each] !== "");
      const accounts = level.filter((at) => at.fs === fs && tree.user[at.each] === "");
      if (accounts.length > 1 || (accounts.length === 1 && users.length > 0)) tie = true;
      const own = users.length > 0 ? [users.map((at) => at.each)] : [];
      return [...own, ...accounts.flatMap((at) => groups(at.each))];
    });
  };
  const order = groups(0);
  if (tie) return null;
  const factors = new Map<number, number>();
  let rank = shares.users;
  for (const group of order) {
    for (const user of group) factors.set(user, rank / shares.users);
    rank -= group.length;
  }
  return factors;
}
