/**
 * Ceilings of the document: devices at once, device-hours within a sliding window, running jobs and their members; of one user, team or tier, or of each. A job may
 * start if every rule that names it leaves room. For device-hours a run is counted when it starts with all that it may use in one window (its
 * time limit, at most the window), and with what it did use when it has ended; so the ceiling holds at every instant, and a run without a limit
 * needs a whole window (under a ceiling for ever: it cannot start). A run that is suspended, or goes on past its limit, may use more than
 * counted. Rules of the shape of Slurm's GrpTRES, GrpJobs and GrpTRESMins with the flag `safe` (sacctmgr(1)), with a sliding window in
 * place of resets.
 *
 * A verdict costs O(rules of the job); books exist only for names that have run something. Pathology: a small window makes long jobs wait for
 * ever, and a loose time limit blocks device-hours that are never used.
 */
import type { PastUse } from "../../engine/pastRuns.ts";
import type { JobTable } from "../../model/jobs.ts";
import type { LimitRule } from "../../model/lab/tenancy.ts";
import {
  copyWindow,
  createWindow,
  enterUse,
  fallsTo,
  type UsageWindow,
  usedAt,
} from "./usageWindow.ts";

export interface LimitBook {
  milli: number;
  jobs: number;
  members: number;
  /** What running jobs may still use, with what they used. */
  committed: number;
  readonly window: UsageWindow | null;
  /** The least that a job was refused for want of device-hours; `Infinity` = none was. */
  leastAsked: number;
  /** When the window falls to this much, as computed last; NaN = anew, since a run has been counted. */
  fallsToMost: number;
  fallsAtMs: number;
}

/** A run as the books have it. Never changed: copies share it. */
export interface LimitRun {
  readonly milli: number;
  readonly fromMs: number;
  /** From `fromMs` on. */
  readonly limitMs: number;
  readonly tier: number;
}

export interface LimitBooks {
  readonly rules: readonly LimitRule[];
  readonly books: Map<number, LimitBook>;
  /** Books that refused somebody for want of device-hours. */
  readonly refused: Set<number>;
  readonly runs: Map<number, LimitRun>;
}

export interface Ceiling {
  readonly rule: LimitRule;
  readonly index: number;
  readonly what: "gpus" | "gpuMs" | "jobs" | "members";
  readonly used: number;
  readonly most: number;
  readonly asked: number;
}

/** Subjects of a rule are kept apart by this: more than there are users. */
const SUBJECTS = 2 ** 32;
const WHATS: readonly Ceiling["what"][] = ["gpus", "jobs", "members", "gpuMs"];

export function createLimits(rules: readonly LimitRule[]): LimitBooks {
  return { rules, books: new Map(), refused: new Set(), runs: new Map() };
}

/** O(books + what their windows hold + running). */
export function copyLimits(limits: LimitBooks): LimitBooks {
  const books = new Map<number, LimitBook>();
  for (const [key, book] of limits.books)
    books.set(key, { ...book, window: book.window && copyWindow(book.window) });
  return {
    rules: limits.rules,
    books,
    refused: new Set(limits.refused),
    runs: new Map(limits.runs),
  };
}

/** The first rule that leaves no room for a job that asks for so much more; null = it may. O(rules). */
export function ceilingOf(
  limits: LimitBooks,
  jobs: JobTable,
  jobIdx: number,
  tier: number,
  askedMilli: number,
  limitMs: number,
  nowMs: number,
): Ceiling | null {
  for (let at = 0; at < limits.rules.length; at++) {
    const rule = limits.rules[at]!;
    const index = subjectOf(rule, jobs, jobIdx, tier);
    if (index < 0) continue;
    const book = limits.books.get(at * SUBJECTS + index);
    const found = whatIsFull(
      rule,
      book,
      index,
      askedMilli,
      limitMs,
      nowMs,
      limits.runs.has(jobIdx) ? 0 : membersOf(jobs, jobIdx),
    );
    if (found === null) continue;
    if (found.what === "gpuMs") {
      const told = book ?? bookOf(limits, at, index);
      told.leastAsked = Math.min(told.leastAsked, found.asked);
      limits.refused.add(at * SUBJECTS + index);
    }
    return found;
  }
  return null;
}

/** Thousandths that a job may take beyond what it holds. O(rules). Device-hours leave none to a job whose rules count them. */
export function limitRoom(
  limits: LimitBooks,
  jobs: JobTable,
  jobIdx: number,
  tier: number,
): number {
  let room = Number.POSITIVE_INFINITY;
  for (let at = 0; at < limits.rules.length; at++) {
    const rule = limits.rules[at]!;
    const index = subjectOf(rule, jobs, jobIdx, tier);
    if (index < 0) continue;
    if (rule.gpuMs < Number.POSITIVE_INFINITY) return 0;
    const used = limits.books.get(at * SUBJECTS + index)?.milli ?? 0;
    room = Math.min(room, rule.gpus * 1_000 - used);
  }
  return Math.max(0, room);
}

/**
 * What a job holds has changed: `milli` from now on (0 = it has ended), to be used for at most `limitMs` more. O(rules), and what a window
 * lets go.
 */
export function setRun(
  limits: LimitBooks,
  jobs: JobTable,
  jobIdx: number,
  tier: number,
  milli: number,
  limitMs: number,
  nowMs: number,
  isHeld = milli > 0,
): void {
  const before = limits.runs.get(jobIdx);
  if (before !== undefined) {
    limits.runs.delete(jobIdx);
    count(limits, jobs, jobIdx, before, -1, nowMs);
  }
  if (!isHeld) return;
  const run = { milli, fromMs: nowMs, limitMs, tier };
  limits.runs.set(jobIdx, run);
  count(limits, jobs, jobIdx, run, 1, nowMs);
}

/** When a job that waits for device-hours could start although nothing ends; `Infinity` = never. O(books with such a job × their windows). */
export function limitsWakeMs(limits: LimitBooks, nowMs: number): number {
  let wakeMs = Number.POSITIVE_INFINITY;
  for (const key of limits.refused) {
    const book = limits.books.get(key)!;
    if (book.leastAsked === Number.POSITIVE_INFINITY || book.window === null) continue;
    const most = limits.rules[Math.floor(key / SUBJECTS)]!.gpuMs * 1_000;
    const atMs = whenFalls(book, nowMs, most - book.committed - book.leastAsked);
    if (atMs > nowMs) wakeMs = Math.min(wakeMs, atMs);
  }
  return wakeMs;
}

/** A run held this before the ceilings were asked for: device-hours count it. In order of ends. O(rules). */
export function notePastRun(
  limits: LimitBooks,
  jobs: JobTable,
  { jobIdx, tier, fromMs, toMs, milliMs }: PastUse,
): void {
  if (toMs <= fromMs) return;
  for (let at = 0; at < limits.rules.length; at++) {
    const rule = limits.rules[at]!;
    const index = subjectOf(rule, jobs, jobIdx, tier);
    if (index < 0 || rule.gpuMs === Number.POSITIVE_INFINITY) continue;
    const milli = Math.round(milliMs / (toMs - fromMs));
    enterUse(bookOf(limits, at, index).window!, fromMs, toMs, milli);
  }
}

/** The same moment as long as nothing is counted: it is looked for once. */
function whenFalls(book: LimitBook, nowMs: number, most: number): number {
  if (book.window === null) return Number.POSITIVE_INFINITY;
  if (book.fallsToMost !== most || book.fallsAtMs <= nowMs) {
    book.fallsToMost = most;
    book.fallsAtMs = fallsTo(book.window, nowMs, most);
  }
  return book.fallsAtMs;
}

/** A ceiling by one number: the rule, whose books, and what of them. */
export function ceilingKey(limits: LimitBooks, { rule, index, what }: Ceiling): number {
  return (limits.rules.indexOf(rule) * SUBJECTS + index) * WHATS.length + WHATS.indexOf(what);
}

export function whatOf(key: number): Ceiling["what"] {
  return WHATS[key % WHATS.length]!;
}

/** What a ceiling leaves now: thousandths, those × ms, jobs or members. */
export function roomOf(limits: LimitBooks, key: number, nowMs: number): number {
  const bookKey = Math.floor(key / WHATS.length);
  const rule = limits.rules[Math.floor(bookKey / SUBJECTS)]!;
  const book = limits.books.get(bookKey);
  switch (whatOf(key)) {
    case "gpus":
      return rule.gpus * 1_000 - (book?.milli ?? 0);
    case "jobs":
      return rule.jobs - (book?.jobs ?? 0);
    case "members":
      return (rule.members ?? Number.POSITIVE_INFINITY) - (book?.members ?? 0);
    case "gpuMs": {
      const used = book?.window ? usedAt(book.window, nowMs) + book.committed : 0;
      return rule.gpuMs * 1_000 - used;
    }
  }
}

/** What a job would take of a ceiling of device-hours. */
export function timeAsked(
  limits: LimitBooks,
  key: number,
  askedMilli: number,
  limitMs: number,
): number {
  const rule = limits.rules[Math.floor(key / WHATS.length / SUBJECTS)]!;
  return mostUse(askedMilli, limitMs, rule.periodMs);
}

/** Ceilings that may leave more once a job of this name holds less. O(rules). */
export function ceilingsOf(
  limits: LimitBooks,
  jobs: JobTable,
  jobIdx: number,
  tier: number,
): number[] {
  const keys: number[] = [];
  for (let at = 0; at < limits.rules.length; at++) {
    const rule = limits.rules[at]!;
    const index = subjectOf(rule, jobs, jobIdx, tier);
    if (index < 0) continue;
    for (let what = 0; what < WHATS.length; what++) {
      if ((rule[WHATS[what]!] ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY)
        keys.push((at * SUBJECTS + index) * WHATS.length + what);
    }
  }
  return keys;
}

/** A parked job asks for no less than this of a ceiling of device-hours. */
export function noteAsked(limits: LimitBooks, key: number, least: number): void {
  const bookKey = Math.floor(key / WHATS.length);
  const book = limits.books.get(bookKey);
  if (book === undefined) return;
  book.leastAsked = Math.min(book.leastAsked, least);
  limits.refused.add(bookKey);
}

/** At the begin of a pass: who waits for device-hours is found anew. O(books that refused somebody). */
export function forgetAsked(limits: LimitBooks): void {
  for (const key of limits.refused) limits.books.get(key)!.leastAsked = Number.POSITIVE_INFINITY;
  limits.refused.clear();
}

function subjectOf(rule: LimitRule, jobs: JobTable, jobIdx: number, tier: number): number {
  const index =
    rule.per === "tier"
      ? tier
      : rule.per === "team"
        ? jobs.at.team[jobIdx]!
        : jobs.at.user[jobIdx]!;
  return rule.index < 0 || rule.index === index ? index : -1;
}

function bookOf(limits: LimitBooks, at: number, index: number): LimitBook {
  const key = at * SUBJECTS + index;
  let book = limits.books.get(key);
  if (book === undefined) {
    const rule = limits.rules[at]!;
    const window = rule.gpuMs < Number.POSITIVE_INFINITY ? createWindow(rule.periodMs) : null;
    const leastAsked = Number.POSITIVE_INFINITY;
    book = {
      milli: 0,
      jobs: 0,
      members: 0,
      committed: 0,
      window,
      leastAsked,
      fallsToMost: Number.NaN,
      fallsAtMs: 0,
    };
    limits.books.set(key, book);
  }
  return book;
}

function count(
  limits: LimitBooks,
  jobs: JobTable,
  jobIdx: number,
  run: LimitRun,
  sign: 1 | -1,
  nowMs: number,
): void {
  for (let at = 0; at < limits.rules.length; at++) {
    const index = subjectOf(limits.rules[at]!, jobs, jobIdx, run.tier);
    if (index < 0) continue;
    const book = bookOf(limits, at, index);
    book.milli += sign * run.milli;
    book.jobs += sign;
    book.members += sign * membersOf(jobs, jobIdx);
    if (book.window === null) continue;
    book.fallsToMost = Number.NaN;
    const most = mostUse(run.milli, run.limitMs, book.window.periodMs);
    // Endless promises cannot be taken back by subtraction; nothing but a job that was there already makes one.
    if (most < Number.POSITIVE_INFINITY) book.committed += sign * most;
    if (sign < 0) enterUse(book.window, run.fromMs, nowMs, run.milli);
  }
}

/** Members that a job asks for. O(components). */
function membersOf({ at, components }: JobTable, jobIdx: number): number {
  let members = 0;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++)
    members += components.members[row]!;
  return members;
}

function mostUse(milli: number, limitMs: number, periodMs: number): number {
  return milli === 0 ? 0 : milli * Math.min(limitMs, periodMs);
}

function whatIsFull(
  rule: LimitRule,
  book: LimitBook | undefined,
  index: number,
  askedMilli: number,
  limitMs: number,
  nowMs: number,
  /** Members that would join; 0 for a job that runs already. */
  members: number,
): Ceiling | null {
  const ceiling = (
    what: Ceiling["what"],
    used: number,
    most: number,
    asked: number,
  ): Ceiling | null => (used + asked > most ? { rule, index, what, used, most, asked } : null);
  const gpus = ceiling("gpus", book?.milli ?? 0, rule.gpus * 1_000, askedMilli);
  if (gpus !== null && askedMilli > 0) return gpus;
  const jobs = members === 0 ? null : ceiling("jobs", book?.jobs ?? 0, rule.jobs, 1);
  if (jobs !== null) return jobs;
  const most = rule.members ?? Number.POSITIVE_INFINITY;
  const joining = members === 0 ? null : ceiling("members", book?.members ?? 0, most, members);
  if (joining !== null) return joining;
  if (rule.gpuMs === Number.POSITIVE_INFINITY || askedMilli === 0) return null;
  const used = book?.window ? usedAt(book.window, nowMs) + book.committed : 0;
  return ceiling("gpuMs", used, rule.gpuMs * 1_000, mostUse(askedMilli, limitMs, rule.periodMs));
}
