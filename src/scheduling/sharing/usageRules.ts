/**
 * Sharing by past usage that fades. Rule: whoever has used least for its shares is next, running jobs counted up to now; tiers weigh what
 * they use by their usage factor. Ties: the next job's class, submit time, index. O(depth) a comparison.
 *
 * `fairShare`: teams, users or tiers by the classic formula; `fairTree`: users below teams, level by level; under both optionally with what
 * they have waiting counted beside what they used; `leastUsage`: numeric priority, then the user with the least usage, shares aside.
 * Pathologies: it orders those that wait and takes nothing from those that run, so long jobs hold what they have; a short half-life lets heavy
 * users come back soon, a long one punishes for weeks; without limits, queued demand counts as a day. Source: Slurm's pages "Classic
 * Fairshare Algorithm" and "Fair Tree"; J. Kay, P. Lauder: A fair share scheduler, CACM 31(1), 1988.
 */
import type { PastUse } from "../../engine/pastRuns.ts";
import type { PoolView } from "../../engine/view.ts";
import type { PriorityTerm, ShareRow } from "../../model/lab/shares.ts";
import type { PoolSettings } from "../../model/policy.ts";
import {
  addPast,
  addRate,
  copyDecayedUsage,
  createDecayedUsage,
  type DecayedUsage,
  rateOf,
  usageAt,
} from "./decayedUsage.ts";
import {
  classicFactor,
  classicLevel,
  compareFairTree,
  fairTreeLevel,
} from "./fairShareFormulas.ts";
import type { GroupRule } from "./groupRule.ts";
import { askedBy } from "./heldAmounts.ts";
import { type HeldBook, lookAtHeld } from "./heldBook.ts";
import { type ShareOf, shareOfSetting } from "./shareGroups.ts";
import { groupTree, type ShareTree, userEntry, userTree } from "./shareTree.ts";

/** Orders under which what waits may count beside what was used. */
const COUNT_QUEUED: ReadonlySet<unknown> = new Set(["fairShare", "fairTree"]);
/** Demand of a job without a limit. */
const UNKNOWN_LENGTH_MS = 24 * 3_600_000;

export interface UsageBooks {
  /** What the leaves are: groups of this kind, or users below teams. */
  readonly of: ShareOf | "teamUser";
  readonly tree: ShareTree;
  readonly usage: DecayedUsage;
  /** By entry: device-ms that wait, already weighed. */
  readonly queued: Float64Array;
  readonly queuedWeight: number;
  /** What each waiting job counts there, and for whom, as of when it joined. */
  readonly demandOf: Map<number, { readonly entry: number; readonly deviceMs: number }>;
  readonly heldBook: HeldBook;
}

function createBooks(view: PoolView, pool: PoolSettings, of: ShareOf | "teamUser"): UsageBooks {
  const tree = of === "teamUser" ? userTree(view) : groupTree(view, of);
  const { halfLifeMs, queuedWeight } = pool.settings;
  const books: UsageBooks = {
    of,
    tree,
    usage: createDecayedUsage(tree.count, Number(halfLifeMs ?? 0), view.nowMs),
    queued: new Float64Array(tree.count),
    queuedWeight: COUNT_QUEUED.has(pool.settings["order"]) ? Number(queuedWeight ?? 0) : 0,
    demandOf: new Map(),
    heldBook: new Map(),
  };
  view.past((use) => notePast(books, view, use));
  return books;
}

/** What was used before this order was asked for: whatever decided then, it counts. */
function notePast(books: UsageBooks, view: PoolView, use: PastUse): void {
  const { jobIdx, tier, fromMs, toMs, milliMs } = use;
  const factor = view.tiers[tier]?.usageFactor ?? 1;
  if (milliMs * factor === 0) return;
  const devices = (factor * milliMs) / 1_000 / (toMs - fromMs);
  for (let at = entryOf(books, view, jobIdx); at >= 0; at = books.tree.parent[at]!)
    addPast(books.usage, at, devices, fromMs, toMs, view.nowMs);
}

/** A copy that shares only the tree. O(entries + running). */
function copyBooks(books: UsageBooks): UsageBooks {
  return {
    ...books,
    usage: copyDecayedUsage(books.usage),
    queued: books.queued.slice(),
    demandOf: new Map(books.demandOf),
    heldBook: new Map(books.heldBook),
  };
}

function entryOf(books: UsageBooks, view: PoolView, jobIdx: number): number {
  const { team, user } = view.jobs.at;
  switch (books.of) {
    case "teamUser":
      return userEntry(books.tree, team[jobIdx]!, user[jobIdx]!);
    case "team":
      return books.tree.entryOf.get(team[jobIdx]!) ?? 0;
    case "user":
      return books.tree.entryOf.get(user[jobIdx]!) ?? 0;
    case "tier":
      return books.tree.entryOf.get(view.tierOfJob[jobIdx]!) ?? 0;
  }
}

/** Usage of an entry and all below it at `view.nowMs`, device-ms, with what waits there. */
function entryUsage(books: UsageBooks, view: PoolView, entry: number): number {
  return usageAt(books.usage, entry, view.nowMs) + books.queued[entry]!;
}

function noteHeld(books: UsageBooks, view: PoolView, jobIdx: number): void {
  lookAtHeld(books.heldBook, view, jobIdx, entryOf(books, view, jobIdx), (entry, sign) => {
    const devices = sign * entry.amount.devices * entry.factor;
    for (let at = entry.group; at >= 0; at = books.tree.parent[at]!) {
      addRate(books.usage, at, devices, view.nowMs);
    }
  });
}

function noteWaits(books: UsageBooks, view: PoolView, jobIdx: number, sign: 1 | -1): void {
  if (books.queuedWeight === 0) return;
  const demand = sign > 0 ? demandOf(books, view, jobIdx) : books.demandOf.get(jobIdx);
  if (demand === undefined) return;
  if (sign > 0) books.demandOf.set(jobIdx, demand);
  else books.demandOf.delete(jobIdx);
  for (let at = demand.entry; at >= 0; at = books.tree.parent[at]!) {
    books.queued[at]! += sign * demand.deviceMs;
  }
  books.usage.changes++;
}

function demandOf(
  books: UsageBooks,
  view: PoolView,
  jobIdx: number,
): { readonly entry: number; readonly deviceMs: number } {
  const limitMs = view.limitMs(jobIdx);
  const lengthMs = limitMs === Number.POSITIVE_INFINITY ? UNKNOWN_LENGTH_MS : limitMs;
  const deviceMs = Math.round(askedBy(view, jobIdx).devices * lengthMs * books.queuedWeight);
  return { entry: entryOf(books, view, jobIdx), deviceMs };
}

const usageOf =
  (books: UsageBooks, view: PoolView) =>
  (entry: number): number =>
    entryUsage(books, view, entry);

/** Devices that an entry holds beyond its part of all that its pool has open. */
function overDue(books: UsageBooks, view: PoolView, entry: number): number {
  return rateOf(books.usage, entry) - books.tree.norm[entry]! * view.gpusOpenTotal;
}

/** Levels of Fair Tree asked for since something last changed; they follow from the books, and are no part of them. */
interface Levels {
  readonly view: PoolView;
  atMs: number;
  changes: number;
  /** By entry: when it was computed (a count of such stretches), and the level. */
  stretch: number;
  readonly knownIn: Float64Array;
  readonly level: Float64Array;
  readonly of: (entry: number) => number;
}
const levels = new WeakMap<UsageBooks, Levels>();

/** O(1) a level that was asked for before, as long as nothing changes. */
function levelsOf(books: UsageBooks, view: PoolView): (entry: number) => number {
  let known = levels.get(books);
  if (known?.view !== view) {
    known = createLevels(books, view);
    levels.set(books, known);
  }
  if (known.atMs !== view.nowMs || known.changes !== books.usage.changes) {
    known.atMs = view.nowMs;
    known.changes = books.usage.changes;
    known.stretch++;
  }
  return known.of;
}

function createLevels(books: UsageBooks, view: PoolView): Levels {
  const { tree } = books;
  const usage = usageOf(books, view);
  const known: Levels = {
    view,
    atMs: view.nowMs,
    changes: books.usage.changes,
    stretch: 1,
    knownIn: new Float64Array(tree.count),
    level: new Float64Array(tree.count),
    of(entry) {
      if (known.knownIn[entry] !== known.stretch) {
        known.knownIn[entry] = known.stretch;
        known.level[entry] = fairTreeLevel(tree, usage, entry);
      }
      return known.level[entry]!;
    },
  };
  return known;
}

/** Teams, users or tiers; teams where the leaves are users below them. */
function rowsOf(books: UsageBooks, view: PoolView): ShareRow[] {
  const { tree, usage, heldBook } = books;
  const held = new Float64Array(tree.count);
  for (const { group, amount } of heldBook.values()) {
    for (let at = group; at >= 0; at = tree.parent[at]!) held[at]! += amount.devices;
  }
  const per = books.of === "teamUser" ? "team" : books.of;
  const count = books.of === "teamUser" ? view.teams.length : tree.count - 1;
  // Groups stand behind the root in their own order; users below teams behind all teams.
  return Array.from({ length: count }, (_, index) => ({
    per,
    index,
    gpusHeld: held[index + 1]!,
    gpusWaited: Number.NaN,
    gpusDue: tree.norm[index + 1]! * view.gpusOpenTotal,
    gpusBorrowed: Number.NaN,
    gpusLent: Number.NaN,
    usageGpuHours: usageAt(usage, index + 1, view.nowMs) / 3_600_000,
    factor: classicFactor(tree, usageOf(books, view), index + 1),
    credits: Number.NaN,
  }));
}

const common = {
  rows: rowsOf,
  copy: copyBooks,
  groupOf: entryOf,
  overShare: overDue,
  held: noteHeld,
  waits: noteWaits,
  // What was used up to now is the same whoever starts now; what waits is not.
  isSteady: ({ queuedWeight }: UsageBooks) => queuedWeight === 0,
};

/** The classic level; where nobody stands below anybody, usage for the shares orders in the same way. */
function levelOf(books: UsageBooks, view: PoolView, group: number): number {
  const { tree } = books;
  if (!tree.isFlat) return classicLevel(tree, usageOf(books, view), group);
  const norm = tree.norm[group]!;
  return norm > 0 ? entryUsage(books, view, group) / norm : Number.POSITIVE_INFINITY;
}

/** A group's part of all usage beside its part of all shares: below it, it goes first. */
function classicTerms(books: UsageBooks, view: PoolView, group: number): PriorityTerm[] {
  const all = entryUsage(books, view, 0);
  const level = classicLevel(books.tree, usageOf(books, view), group);
  return [
    { name: "usagePart", value: all > 0 ? entryUsage(books, view, group) / all : 0 },
    { name: "duePart", value: books.tree.norm[group]! },
    { name: "level", value: level },
  ];
}

/** Share and usage among siblings, of the team and of the user below it. */
function treeTerms(books: UsageBooks, view: PoolView, group: number): PriorityTerm[] {
  const { tree } = books;
  const partOf = (entry: number): number => {
    const all = entryUsage(books, view, tree.parent[entry]!);
    return all > 0 ? entryUsage(books, view, entry) / all : 0;
  };
  const team = tree.parent[group]!;
  const own: PriorityTerm[] = [
    { name: "userDue", value: tree.amongSiblings[group]! },
    { name: "userUsage", value: partOf(group) },
  ];
  if (team <= 0) return own;
  return [
    { name: "teamDue", value: tree.amongSiblings[team]! },
    { name: "teamUsage", value: partOf(team) },
    ...own,
  ];
}

export const fairShareRule: GroupRule<UsageBooks> = {
  ...common,
  create: (view, pool) => createBooks(view, pool, shareOfSetting(pool.settings)),
  level: levelOf,
  shown: (books, view, group) => classicFactor(books.tree, usageOf(books, view), group),
  terms: classicTerms,
};

/** What comes first down the tree: the level of the team right below the root. Whoever ties there is compared along both paths. */
function topLevel(books: UsageBooks, view: PoolView, group: number): number {
  const { parent } = books.tree;
  if (group <= 0) return Number.NEGATIVE_INFINITY;
  let top = group;
  while (parent[top]! > 0) top = parent[top]!;
  return -levelsOf(books, view)(top);
}

export const fairTreeRule: GroupRule<UsageBooks> = {
  ...common,
  create: (view, pool) => createBooks(view, pool, "teamUser"),
  level: topLevel,
  compare: (books, view, group, other) =>
    compareFairTree(books.tree, levelsOf(books, view), group, other),
  shown: (books, view, group) => fairTreeLevel(books.tree, usageOf(books, view), group),
  terms: treeTerms,
};

export const leastUsageRule: GroupRule<UsageBooks> = {
  ...common,
  create: (view, pool) => createBooks(view, pool, "user"),
  level: (books, view, group) => entryUsage(books, view, group),
  shown: (books, view, group) => -entryUsage(books, view, group) / 3_600_000,
  terms: (books, view, group, jobIdx) => [
    { name: "jobPriority", value: view.jobs.lab.get(jobIdx)?.priority ?? 0 },
    { name: "usageHours", value: entryUsage(books, view, group) / 3_600_000 },
  ],
  classOf: (view, jobIdx) => -(view.jobs.lab.get(jobIdx)?.priority ?? 0),
};
