/**
 * The memory of the gate "hard quota, auctioned rest": who holds quota of its team, who holds what it won, who bids, and the money. A run is
 * reserved if its team's quota had room when it started, else it was won; it stays what it is to its end.
 */
import type { PoolView } from "../../../../engine/view.ts";
import type { PoolSettings } from "../../../../model/policy.ts";
import { JobStateCode } from "../../../../model/states.ts";
import {
  type Credits,
  charge,
  copyCredits,
  costOf,
  createCredits,
  refill,
  takeOverCredits,
} from "../../../../scheduling/auction/credits.ts";
import {
  copySortedJobs,
  createSortedJobs,
  insertJob,
  removeJob,
  type SortedJobs,
} from "../../../../scheduling/ordering/sortedJobs.ts";
import { askedMilli, heldMilli, isTakeable, MILLI } from "../../../../scheduling/quota/amounts.ts";
import { copyLending, type Lending, unknownLending } from "../../../../scheduling/quota/lending.ts";
import type { TeamRun } from "../../../../scheduling/quota/reclaim.ts";
import {
  addHeld,
  availableTo,
  copyTeamBooks,
  createTeamBooks,
  createTeamTree,
  type TeamBooks,
} from "../../../../scheduling/quota/teamTree.ts";
import { copyReclaim, createReclaim, type ReclaimBook } from "./reclaimBook.ts";

export interface AuctionRules {
  readonly everyMs: number;
  /** 0 = never. */
  readonly refillEveryMs: number;
  readonly burstMs: number;
  readonly bidDefault: number;
}

/** Never changed: copies share it. */
export interface WonRun extends TeamRun {
  readonly bid: number;
  readonly startMs: number;
  /** Paid for until then. */
  readonly chargedMs: number;
}

export interface AuctionState {
  readonly rules: AuctionRules;
  /** Of reserved runs only: who has room in its quota. */
  readonly reservedBooks: TeamBooks;
  /** Of all runs: what is borrowed and lent. */
  readonly books: TeamBooks;
  readonly reserved: Map<number, TeamRun>;
  /** In order of start. */
  readonly won: Map<number, WonRun>;
  /** What each waiting job asks for. */
  readonly waiting: Map<number, number>;
  /** By team: what waiting jobs ask for that its quota could hold. */
  readonly wanted: Float64Array;
  /** Who bids, waiting or holding what it won, highest bid first; ties by submit time. */
  readonly bids: SortedJobs;
  readonly bidding: Set<number>;
  /** When the last burst of a job was over: in a tie it counts as submitted then, and it sits out the clearing of that moment. */
  readonly burstEndMs: Map<number, number>;
  /** Work left when a burst was over, and how many bursts in a row have ended with as much left. */
  readonly futile: Map<number, { readonly leftQ16: number; readonly bursts: number }>;
  readonly reclaim: ReclaimBook;
  /** Won, and not started yet. Until the next clearing. */
  readonly tickets: Set<number>;
  readonly credits: Credits;
  price: number;
  lastClearingMs: number;
  /** Counts changes of who holds what; and clearings and refills. */
  version: number;
  toldVersion: number;
  moneyVersion: number;
  toldMoneyVersion: number;
  readonly told: Lending;
}

export function createAuction(
  view: PoolView,
  pool: PoolSettings,
  before?: AuctionState,
): AuctionState {
  const { settings } = pool;
  const tree = createTeamTree(view.teams, false);
  const hard = tree.anyStated ? tree : { ...tree, stated: tree.stated.fill(0), anyStated: true };
  const capacity = view.gpusOpenTotal * MILLI;
  const refillEveryMs = Number(settings["refillEveryMs"]);
  // Running winners pay up to now at the price until now; from now on they hold what the new rules say.
  if (before !== undefined) settleAll(before, view.nowMs);
  const state: AuctionState = {
    rules: {
      everyMs: Number(settings["auctionEveryMs"]),
      refillEveryMs,
      burstMs: Number(settings["burstMs"]),
      bidDefault: Number(settings["bidDefault"]),
    },
    reservedBooks: createTeamBooks(hard, capacity),
    books: createTeamBooks(hard, capacity),
    reserved: new Map(),
    won: new Map(),
    waiting: new Map(),
    wanted: new Float64Array(tree.teams),
    bids: createSortedJobs(),
    bidding: new Set(),
    burstEndMs: new Map(),
    futile: before?.futile ?? new Map(),
    reclaim: createReclaim(view, pool),
    tickets: new Set(),
    credits: takeOverCredits(
      createCredits(
        view.teams.map((team) => team.budget),
        refillEveryMs,
        view.nowMs,
      ),
      before?.credits,
    ),
    price: before?.price ?? 0,
    lastClearingMs: -1,
    version: 1,
    toldVersion: 0,
    moneyVersion: 1,
    toldMoneyVersion: 0,
    told: unknownLending(tree.teams),
  };
  const running = view.running();
  const inOrder = Array.from(running.at.subarray(0, running.length)).sort(
    (a, b) => view.startMs(a) - view.startMs(b) || a - b,
  );
  for (const jobIdx of inOrder) take(state, view, jobIdx);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) join(state, view, waiting.at[i]!);
  return state;
}

/** O(waiting + running). */
export function copyAuction(state: AuctionState): AuctionState {
  return {
    ...state,
    reservedBooks: copyTeamBooks(state.reservedBooks),
    books: copyTeamBooks(state.books),
    reserved: new Map(state.reserved),
    won: new Map(state.won),
    waiting: new Map(state.waiting),
    wanted: state.wanted.slice(),
    bids: copySortedJobs(state.bids),
    bidding: new Set(state.bidding),
    burstEndMs: new Map(state.burstEndMs),
    futile: new Map(state.futile),
    reclaim: copyReclaim(state.reclaim),
    tickets: new Set(state.tickets),
    credits: copyCredits(state.credits),
    told: copyLending(state.told),
  };
}

export function bidOf(state: AuctionState, view: PoolView, jobIdx: number): number {
  const bid = view.jobs.lab.get(jobIdx)?.bid ?? 0;
  return bid > 0 ? bid : state.rules.bidDefault;
}

/** Whether a job is outside the rules: its team is not in the list. */
export function isForeign(state: AuctionState, view: PoolView, jobIdx: number): boolean {
  return view.jobs.at.team[jobIdx]! >= state.wanted.length;
}

export function stillAsked(state: AuctionState, view: PoolView, jobIdx: number): number {
  const held = (state.reserved.get(jobIdx) ?? state.won.get(jobIdx))?.milli ?? 0;
  return Math.max(0, askedMilli(view.jobs, jobIdx) - held);
}

/** Whether the quota of the job's team has room for so much more. */
export function hasRoom(state: AuctionState, team: number, milli: number): boolean {
  return milli <= 0 || milli <= availableTo(state.reservedBooks, team);
}

/** It waits from now on. O(log bids). */
export function join(state: AuctionState, view: PoolView, jobIdx: number): void {
  if (isForeign(state, view, jobIdx) || state.waiting.has(jobIdx)) return;
  const milli = askedMilli(view.jobs, jobIdx);
  const team = view.jobs.at.team[jobIdx]!;
  state.waiting.set(jobIdx, milli);
  if (milli <= state.reservedBooks.quota[team]!) state.wanted[team]! += milli;
  if (isTakeable(view, jobIdx)) enterBid(state, view, jobIdx, milli);
}

/** It waits no longer. */
export function leave(state: AuctionState, view: PoolView, jobIdx: number): void {
  noLongerWaits(state, view, jobIdx);
  dropBid(state, view, jobIdx);
}

function noLongerWaits(state: AuctionState, view: PoolView, jobIdx: number): void {
  state.tickets.delete(jobIdx);
  const milli = state.waiting.get(jobIdx);
  if (milli === undefined) return;
  state.waiting.delete(jobIdx);
  const team = view.jobs.at.team[jobIdx]!;
  if (milli <= state.reservedBooks.quota[team]!) state.wanted[team]! -= milli;
}

function enterBid(state: AuctionState, view: PoolView, jobIdx: number, milli: number): void {
  if (state.bidding.has(jobIdx)) return;
  state.bidding.add(jobIdx);
  const tieMs = state.burstEndMs.get(jobIdx) ?? view.jobs.at.submitMs[jobIdx]!;
  insertJob(state.bids, -bidOf(state, view, jobIdx), tieMs, jobIdx, milli, 0);
}

function dropBid(state: AuctionState, view: PoolView, jobIdx: number): void {
  if (!state.bidding.delete(jobIdx)) return;
  const tieMs = state.burstEndMs.get(jobIdx) ?? view.jobs.at.submitMs[jobIdx]!;
  removeJob(state.bids, -bidOf(state, view, jobIdx), tieMs, jobIdx);
}

/** The burst of a job that still holds what it won is over. To be called before it is stopped. */
export function endBurst(state: AuctionState, view: PoolView, jobIdx: number): void {
  dropBid(state, view, jobIdx);
  state.burstEndMs.set(jobIdx, view.nowMs);
}

/** Bursts in a row that save nothing, after which a job bids no more. */
const FUTILE_MOST = 3;

/**
 * After the eviction at the end of a burst: whether the job has come no further in as many bursts as it may. Without checkpoints a job longer
 * than a burst would begin anew for ever.
 */
export function isFutile(state: AuctionState, jobIdx: number): boolean {
  return (state.futile.get(jobIdx)?.bursts ?? 0) >= FUTILE_MOST;
}

/** A burst has ended: counts those that brought the job no further. */
export function noteBurst(state: AuctionState, view: PoolView, jobIdx: number): void {
  const leftQ16 = view.workLeftQ16(jobIdx);
  const before = state.futile.get(jobIdx)?.leftQ16 ?? view.jobs.at.workQ16[jobIdx]!;
  const bursts = leftQ16 < before ? 0 : (state.futile.get(jobIdx)?.bursts ?? 0) + 1;
  state.futile.set(jobIdx, { leftQ16, bursts });
}

/** It was given devices: of its team's quota where that has room, else of what it won. */
export function take(state: AuctionState, view: PoolView, jobIdx: number): void {
  if (isForeign(state, view, jobIdx)) return;
  noLongerWaits(state, view, jobIdx);
  if (state.reserved.has(jobIdx) || state.won.has(jobIdx)) {
    giveBack(state, view, jobIdx);
    return;
  }
  const team = view.jobs.at.team[jobIdx]!;
  const milli = heldMilli(view, jobIdx);
  if (milli === 0) {
    dropBid(state, view, jobIdx);
    return;
  }
  count(state, team, milli);
  if (hasRoom(state, team, milli) || !isTakeable(view, jobIdx)) {
    state.reserved.set(jobIdx, { team, milli });
    addHeld(state.reservedBooks, team, milli);
    dropBid(state, view, jobIdx);
  } else {
    const bid = bidOf(state, view, jobIdx);
    const startMs = view.nowMs;
    state.won.set(jobIdx, { team, milli, bid, startMs, chargedMs: startMs });
    enterBid(state, view, jobIdx, milli);
  }
}

/** What it holds has changed. */
export function giveBack(state: AuctionState, view: PoolView, jobIdx: number): void {
  const reserved = state.reserved.get(jobIdx);
  const run = reserved ?? state.won.get(jobIdx);
  if (run === undefined) return;
  const milli = heldMilli(view, jobIdx);
  if (milli === run.milli) return;
  count(state, run.team, milli - run.milli);
  if (reserved !== undefined) {
    addHeld(state.reservedBooks, run.team, milli - run.milli);
    if (milli === 0) state.reserved.delete(jobIdx);
    else state.reserved.set(jobIdx, { team: run.team, milli });
    return;
  }
  settle(state, jobIdx, view.nowMs);
  if (milli > 0) {
    state.won.set(jobIdx, { ...state.won.get(jobIdx)!, milli });
    return;
  }
  state.won.delete(jobIdx);
  dropBid(state, view, jobIdx);
  if (view.jobState[jobIdx] !== JobStateCode.done) return;
  state.burstEndMs.delete(jobIdx);
  state.futile.delete(jobIdx);
}

function count(state: AuctionState, team: number, milli: number): void {
  addHeld(state.books, team, milli);
  state.version++;
}

/** What a job won is paid for until now. */
function settle(state: AuctionState, jobIdx: number, nowMs: number): void {
  const run = state.won.get(jobIdx)!;
  if (nowMs <= run.chargedMs) return;
  charge(state.credits, run.team, costOf(state.price, run.milli, nowMs - run.chargedMs));
  state.won.set(jobIdx, { ...run, chargedMs: nowMs });
}

/** All that was won is paid for until now; budgets are refilled when their time has come. O(won × refills since). */
export function settleAll(state: AuctionState, nowMs: number): void {
  const { credits, rules } = state;
  while (credits.nextRefillMs <= nowMs) {
    if (state.won.size === 0) {
      const more = Math.floor((nowMs - credits.nextRefillMs) / rules.refillEveryMs);
      credits.nextRefillMs += more * rules.refillEveryMs;
    }
    for (const jobIdx of state.won.keys()) settle(state, jobIdx, credits.nextRefillMs);
    refill(credits, rules.refillEveryMs);
    state.moneyVersion++;
  }
  for (const jobIdx of state.won.keys()) settle(state, jobIdx, nowMs);
}
