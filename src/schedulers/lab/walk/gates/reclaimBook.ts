/**
 * Taking back, as all gates do it that can (quotas with reclaim, guarantees of tiers, the auction's quotas): the protections and disruption budgets of
 * preemption hold here too, elastic jobs of whoever is above its due shrink before anybody is stopped, and where preemption is graceful victims have the
 * grace of their tier to save (a checkpoint on the signal, for jobs that know one). With grace the room is kept for the job until it is over,
 * and its owner takes nothing else meanwhile. Who is safe for now makes the owner wait (`protected`) and is asked again when that ends.
 *
 * Modes of preemption other than `graceful` make no difference: whoever is taken back from is queued again. Cost: as `scheduling/quota/takeBack.ts`.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import type { PoolSettings } from "../../../../model/policy.ts";
import { StopReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";
import { memberVictims } from "../../../../scheduling/preemption/memberVictims.ts";
import {
  BudgetQuota,
  type EvictedJobs,
  type EvictionLog,
  noteEvicted,
  noteEviction,
  safeUntilMs,
} from "../../../../scheduling/preemption/protection.ts";
import { chooseTakeBack, type Owed } from "../../../../scheduling/quota/takeBack.ts";
import type { Chance, RoomMade } from "../parts.ts";
import {
  notePastEvictions,
  type PreemptRules,
  preemptRules,
} from "../preemption/preemptionState.ts";
import { ChanceTrial } from "../preemption/preemptionTrial.ts";
import { takeBackTrial } from "./takeBackTrial.ts";

export interface ReclaimBook {
  readonly rules: PreemptRules;
  readonly evicted: EvictedJobs;
  readonly log: EvictionLog;
  /** Until when room is being made for an owner (team or tier). */
  readonly claims: Map<number, number>;
  /** When a take-back that failed may succeed although nothing happens. */
  againMs: number;
  lastReason: number;
  keptUntilMs: number;
  /** When all of them have gone at the latest. */
  readyMs: number;
}

/** A job that takes back, and what it is entitled to. */
export interface Taker {
  readonly jobIdx: number;
  readonly shape: Shape;
  /** The team or tier on whose behalf it takes. */
  readonly owner: number;
  /** Thousandths that are missing at least. */
  readonly missing: number;
}

const trial = new ChanceTrial();
const budgets = new BudgetQuota();

export function createReclaim(view: PoolView, pool: PoolSettings): ReclaimBook {
  const book: ReclaimBook = {
    rules: preemptRules(view.tiers, pool),
    evicted: new Map(),
    log: new Map(),
    claims: new Map(),
    againMs: NEVER_MS,
    lastReason: WaitReasonCode.none,
    keptUntilMs: NEVER_MS,
    readyMs: NEVER_MS,
  };
  notePastEvictions(view, book);
  return book;
}

/** O(evicted + claims). */
export function copyReclaim(book: ReclaimBook): ReclaimBook {
  return {
    ...book,
    evicted: new Map(book.evicted),
    log: new Map([...book.log].map(([key, times]) => [key, times.slice()])),
    claims: new Map(book.claims),
  };
}

/** A job was stopped for another, by whatever part. */
export function noteReclaimed(book: ReclaimBook, view: PoolView, jobIdx: number): void {
  noteEvicted(book.evicted, jobIdx);
  noteEviction(book.log, view, jobIdx);
}

export function reclaimWakeMs({ againMs }: ReclaimBook, view: PoolView): number {
  return againMs > view.nowMs ? againMs : NEVER_MS;
}

/** Takes back from the candidates, in their order, so that the job can start. `owed` makes fresh books of who is above what is due. */
export function takeBackFrom(
  book: ReclaimBook,
  view: PoolView,
  { jobIdx, shape, owner, missing }: Taker,
  candidates: readonly number[],
  owed: () => Owed,
  act: Actions,
  chance: Chance,
): RoomMade {
  book.lastReason = WaitReasonCode.none;
  if (book.againMs <= view.nowMs) book.againMs = NEVER_MS;
  const claimedMs = book.claims.get(owner) ?? 0;
  if (claimedMs > view.nowMs) {
    book.againMs = Math.min(book.againMs, claimedMs);
    return "no";
  }
  // Who is not above its due now will not be later in the search.
  const first = owed();
  const takeable = candidates.filter((runIdx) => first.mayTake(runIdx));
  const { open, againMs } = openOnes(book, view, takeable);
  // Nothing has been taken in these books yet.
  if (shrinkSome(book, view, shape, open, first, act, chance)) return "now";
  if (sumOf(takeable, first) < missing) return "no";
  budgets.begin(view, book.log);
  const tried = takeBackTrial(view, shape, takeable, chance);
  const victims = chooseTakeBack(open, missing, withBudgets(owed()), tried);
  if (victims !== null) return stopAll(book, view, jobIdx, owner, victims, act, chance);
  // Where nobody was safe the others have been asked already.
  if (open.length === takeable.length && !budgets.refused) return "no";
  const everybody = chooseTakeBack(takeable, missing, owed(), tried);
  if (everybody === null) return "no";
  for (const victim of everybody) chance.with(victim);
  book.lastReason = WaitReasonCode.protected;
  book.againMs = Math.min(book.againMs, againMs, budgets.againMs);
  return "no";
}

function sumOf(runs: readonly number[], owed: Owed): number {
  let milli = 0;
  for (let at = 0; at < runs.length; at++) milli += owed.milli(runs[at]!);
  return milli;
}

/** Who is not safe for now, and when the first of the others is safe no longer. */
function openOnes(
  { rules, evicted }: ReclaimBook,
  view: PoolView,
  candidates: readonly number[],
): { readonly open: readonly number[]; readonly againMs: number } {
  let againMs = NEVER_MS;
  const open = candidates.filter((jobIdx) => {
    const untilMs = safeUntilMs(rules, view, jobIdx, evicted);
    if (untilMs > view.nowMs) againMs = Math.min(againMs, untilMs);
    return untilMs < 0;
  });
  return { open, againMs };
}

function withBudgets(owed: Owed): Owed {
  return {
    milli: owed.milli,
    mayTake: (jobIdx) => owed.mayTake(jobIdx) && budgets.take(jobIdx),
    take: owed.take,
    spare: (jobIdx) => budgets.release(jobIdx),
  };
}

/** Elastic jobs give members, where these are enough. */
function shrinkSome(
  { rules }: ReclaimBook,
  view: PoolView,
  shape: Shape,
  open: readonly number[],
  owed: Owed,
  act: Actions,
  chance: Chance,
): boolean {
  if (!rules.shrinkFirst) return false;
  const elastic = open.filter(
    (jobIdx) =>
      view.jobState[jobIdx] === JobStateCode.running &&
      (view.jobs.lab.get(jobIdx)?.elastic ?? null) !== null &&
      owed.mayTake(jobIdx),
  );
  if (elastic.length === 0) return false;
  trial.begin(view, shape, elastic, null, chance);
  const sizes = elastic.map((jobIdx, at) => {
    const members = trial.membersOf(at);
    const { allowed } = view.jobs.lab.get(jobIdx)!.elastic!;
    return allowed
      .filter((size) => size < members)
      .map((size) => members - size)
      .reverse();
  });
  const some = sizes.some((of) => of.length > 0);
  const losses = some && sizes.every((of) => of.length > 0) ? memberVictims(sizes, trial) : null;
  trial.end();
  if (losses === null) return false;
  for (const [at, members] of losses.members) act.shrink(elastic[at]!, 0, members);
  return true;
}

function stopAll(
  book: ReclaimBook,
  view: PoolView,
  jobIdx: number,
  owner: number,
  victims: readonly number[],
  act: Actions,
  chance: Chance,
): RoomMade {
  const isGraceful = (victim: number): boolean =>
    book.rules.modeOfTier[view.tierOfJob[victim]!] === "graceful";
  // Where victims take their time, the walk keeps the place that was found last.
  if (victims.some((victim) => isGraceful(victim) || view.jobs.lab.has(victim))) chance.fits();
  let untilMs = view.nowMs;
  for (const victim of victims) {
    const graceMs = isGraceful(victim) ? book.rules.graceOfTier[view.tierOfJob[victim]!]! : 0;
    act.evict(victim, "requeue", graceMs, jobIdx, StopReasonCode.reclaimed);
    if (view.jobState[victim] === JobStateCode.ending)
      untilMs = Math.max(untilMs, view.nowMs + graceMs);
  }
  if (untilMs === view.nowMs) return "now";
  book.keptUntilMs = untilMs + 1;
  book.readyMs = untilMs;
  book.claims.set(owner, untilMs);
  return "later";
}
