/**
 * Preemption in the walk. The turn of a job that does not fit: the running jobs that the tiers let it stop, less those that are safe for
 * now, are the candidates; the search (`scheduling/preemption`) starts from what is free and takes no more than needed; each victim gives way as
 * its tier says. At once (cancel, requeue, suspend) the job starts in the same pass; with a grace, or where victims are waited for, it has a claim
 * on its place until its victims have gone or are given up.
 *
 * Nobody is stopped outside the relation (checked again right before each victim), and with "only if useful" nobody without the job fitting
 * then. Without it victims go by device counts alone and may make room that nobody can use.
 * Cost: O(tiers) where tiers and device counts already say no; else O(nodes + candidates × log) and a bounded number of trials.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { WaitReasonCode } from "../../../../model/reasons.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";
import {
  BudgetQuota,
  followEvicted,
  noteEvicted,
  noteEviction,
} from "../../../../scheduling/preemption/protection.ts";
import { sortCandidates } from "../../../../scheduling/preemption/victimChoice.ts";
import type { Chance, OrderView, PreemptionPart, RoomMade } from "../parts.ts";
import { candidateOf, gatherCandidates } from "./preemptionCandidates.ts";
import { chooseVictims } from "./preemptionChoice.ts";
import { loneOf, stopLone } from "./preemptionLone.ts";
import {
  copyPreemption,
  createPreemption,
  listRun,
  mayTouch,
  noteGone,
  noteWaiting,
  type PreemptionState,
  preemptRules,
} from "./preemptionState.ts";
import { claimStands, stopVictims } from "./preemptionStops.ts";
import { ChanceTrial } from "./preemptionTrial.ts";

const trial = new ChanceTrial();
const quota = new BudgetQuota();

const preemption: PreemptionPart<PreemptionState> = {
  applies: (view, pool) =>
    preemptRules(view.tiers, pool).modeOfTier.some((mode) => mode !== "none"),
  create: createPreemption,
  copy: copyPreemption,
  hooks: {
    queued: noteWaiting,
    withdrawn(state, view, jobIdx) {
      noteGone(state, jobIdx);
      state.claims.delete(jobIdx);
      followEvicted(state.evicted, view, jobIdx);
    },
    given(state, view, jobIdx) {
      noteGone(state, jobIdx);
      state.claims.delete(jobIdx);
      listRun(state, view, jobIdx);
    },
    released(state, view, jobIdx) {
      state.failsAgain = false;
      listRun(state, view, jobIdx);
      followEvicted(state.evicted, view, jobIdx);
    },
    evicted(state, view, jobIdx) {
      noteEvicted(state.evicted, jobIdx);
      noteEviction(state.log, view, jobIdx);
    },
    retiered(state, view, jobIdx) {
      state.failsAgain = false;
      if (state.listedIn.has(jobIdx)) listRun(state, view, jobIdx);
      if (state.waiting.has(jobIdx)) noteWaiting(state, view, jobIdx);
    },
  },

  wakeMs(state, view) {
    let wakeMs = state.againMs > view.nowMs ? state.againMs : NEVER_MS;
    for (const { untilMs } of state.claims.values())
      if (untilMs > view.nowMs) wakeMs = Math.min(wakeMs, untilMs);
    return wakeMs;
  },

  begin(state) {
    state.failsAgain = !isLimited(state);
  },

  failsAgain: (state) => state.failsAgain,

  couldMakeRoom(state, view, shape, jobIdx, chance) {
    if (!mayHelp(state, view, shape, jobIdx)) return false;
    if (shape.parts.length > 1) return true;
    const { open, safe } = gatherCandidates(state, view, jobIdx);
    if (safe.length > 0) return true;
    trial.begin(view, shape, open, null, chance);
    const could = trial.couldFit(open.length);
    trial.end();
    return could;
  },

  makeRoom(state, view, order, shape, jobIdx, act, chance) {
    state.lastReason = WaitReasonCode.none;
    if (claimStands(state, view, jobIdx)) return "later";
    state.claims.delete(jobIdx);
    if (!mayHelp(state, view, shape, jobIdx)) return "no";
    return findAndStop(state, view, order, shape, jobIdx, act, chance);
  },

  group(state, view, jobIdx) {
    const tier = view.tierOfJob[jobIdx]!;
    if (victimsOf(state, view, tier) === 0) return -1;
    return state.withinTiers ? view.tiers.length + jobIdx : tier;
  },

  hopeful(state, view, looked) {
    let jobs = 0;
    for (let tier = 0; tier < view.tiers.length; tier++) {
      const left = state.waitingOfTier[tier]! - looked[tier]!;
      if (left > 0 && victimsOf(state, view, tier) > 0) jobs += left;
    }
    return jobs;
  },

  lastReason: (state) => state.lastReason,

  isOver: (state, view, jobIdx) => state.claims.has(jobIdx) && !claimStands(state, view, jobIdx),

  readyMs: (state, jobIdx) => state.claims.get(jobIdx)?.readyMs ?? NEVER_MS,

  keptUntilMs: (state, jobIdx) => state.claims.get(jobIdx)?.untilMs ?? Number.NEGATIVE_INFINITY,
};

/** The kinds of preemption that the walk knows. */
export const PREEMPTIONS: readonly PreemptionPart<unknown>[] = [
  preemption as PreemptionPart<unknown>,
];

/** Whether searches go by more than who is there and what is free. Equal jobs are victims by their place in the queue. */
function isLimited({ rules }: PreemptionState): boolean {
  return !rules.onlyIfUseful || rules.equal !== null;
}

/** Running jobs in the tiers that a tier may preempt. O(tiers). */
function victimsOf(state: PreemptionState, view: PoolView, tier: number): number {
  let victims = 0;
  for (let other = 0; other < view.tiers.length; other++)
    if (mayTouch(state, view, tier, other)) victims += state.runs[other]!.size;
  return victims;
}

/** Whether there are victims, and enough devices to be had. O(tiers). */
function mayHelp(state: PreemptionState, view: PoolView, shape: Shape, jobIdx: number): boolean {
  const tier = view.tierOfJob[jobIdx]!;
  if (victimsOf(state, view, tier) === 0) return false;
  let gpus = view.gpusFreeTotal;
  for (let other = 0; other < view.tiers.length; other++)
    if (mayTouch(state, view, tier, other)) gpus += state.gpusOfTier[other]!;
  return gpus >= shape.gpusWhole;
}

function findAndStop(
  state: PreemptionState,
  view: PoolView,
  order: OrderView,
  shape: Shape,
  jobIdx: number,
  act: Actions,
  chance: Chance,
): RoomMade {
  if (state.againMs <= view.nowMs) state.againMs = NEVER_MS;
  const { open, safe, againMs } = gatherCandidates(state, view, jobIdx);
  const lone = chance.countSays ? loneOf(state, view, order, shape, open) : -1;
  if (lone >= 0) return stopLone(state, view, jobIdx, lone, act, chance);
  quota.begin(view, state.log);
  // Under budgets not all can be taken at once, and yet one of them may do.
  const limited = (view.world.disruptionBudgets?.length ?? 0) > 0;
  if (limited || safe.length > 0 || shape.parts.length > 1) state.failsAgain = false;
  trial.begin(view, shape, open, quota, chance);
  if (limited || !state.rules.onlyIfUseful || trial.couldFit(open.length)) {
    state.failsAgain = false;
    const found = open.map((victimIdx) => candidateOf(state, view, order, victimIdx));
    const places = sortCandidates(found, state.rules.victims, (one, other) =>
      order.compare(view, one, other),
    );
    const sorted = places.map((at) => found[at]!);
    const jobs = sorted.map((candidate) => candidate.jobIdx);
    quota.begin(view, state.log);
    trial.beginAgain(jobs, places);
    const losses = chooseVictims(state.rules, view, sorted, trial);
    // The walk keeps the place that was found last.
    if (losses !== null) trial.finds();
    trial.end();
    if (losses !== null) return stopVictims(state, view, jobIdx, jobs, losses, act);
  }
  trial.end();
  if (safe.length === 0 && quota.againMs === NEVER_MS) return "no";
  // Would it fit without protection? Then that is why it waits.
  trial.begin(view, shape, [...open, ...safe], null, chance);
  for (let victim = 0; victim < open.length + safe.length; victim++) trial.remove(victim);
  const couldFit = trial.fits();
  trial.end();
  if (!couldFit) return "no";
  state.lastReason = WaitReasonCode.protected;
  state.againMs = Math.min(state.againMs, againMs, quota.againMs);
  return "no";
}
