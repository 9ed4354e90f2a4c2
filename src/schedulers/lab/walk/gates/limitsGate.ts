/**
 * Gate of ceilings (`limits` of the document), of the caps of tiers, and of the guarantees of tiers. The rules: `scheduling/quota/limits.ts` and
 * `scheduling/quota/tierTable.ts`. A job within the guarantee of its tier takes back from lower tiers.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { JobFlag } from "../../../../model/jobs.ts";
import type { LimitRule } from "../../../../model/lab/tenancy.ts";
import { WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { followEvicted } from "../../../../scheduling/preemption/protection.ts";
import { askedMilli, heldMilli, isTakeable, MILLI } from "../../../../scheduling/quota/amounts.ts";
import {
  type Ceiling,
  ceilingKey,
  ceilingOf,
  ceilingsOf,
  copyLimits,
  createLimits,
  forgetAsked,
  type LimitBooks,
  limitRoom,
  limitsWakeMs,
  noteAsked,
  notePastRun,
  roomOf,
  setRun,
  timeAsked,
  whatOf,
} from "../../../../scheduling/quota/limits.ts";
import type { Owed } from "../../../../scheduling/quota/takeBack.ts";
import {
  brokenGuarantee,
  copyTierBooks,
  createTierBooks,
  isGuaranteed,
  type TierBooks,
} from "../../../../scheduling/quota/tierTable.ts";
import type { Chance, GatePart, RoomMade } from "../parts.ts";
import {
  copyReclaim,
  createReclaim,
  noteReclaimed,
  type ReclaimBook,
  reclaimWakeMs,
  takeBackFrom,
} from "./reclaimBook.ts";

interface LimitsState {
  readonly limits: LimitBooks;
  readonly tiers: TierBooks;
  readonly hasGuarantees: boolean;
  readonly reclaim: ReclaimBook;
}

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;

/** The rules of the document, and the caps of its tiers as rules of one tier each. */
function rulesOf(view: PoolView): LimitRule[] {
  const caps = view.tiers.flatMap((tier, index): LimitRule[] =>
    tier.capGpus === undefined
      ? []
      : [{ per: "tier", index, gpus: tier.capGpus, gpuMs: NEVER, periodMs: NEVER, jobs: NEVER }],
  );
  return [...(view.world.limits ?? []), ...caps];
}

/** Looks again at what a job holds. */
function follow(state: LimitsState, view: PoolView, jobIdx: number): void {
  const { limits, tiers } = state;
  const tier = view.tierOfJob[jobIdx]!;
  const milli = heldMilli(view, jobIdx);
  const before = limits.runs.get(jobIdx);
  if (before !== undefined) count(tiers, view, jobIdx, before.tier, -before.milli);
  count(tiers, view, jobIdx, tier, milli);
  const leftMs = Math.max(0, view.limitEndMs[jobIdx]! - view.nowMs);
  // A job without a device runs too.
  const jobState = view.jobState[jobIdx]!;
  const isHeld = milli > 0 || (jobState >= JobStateCode.starting && jobState !== JobStateCode.done);
  setRun(limits, view.jobs, jobIdx, tier, milli, leftMs, view.nowMs, isHeld);
}

function count(
  tiers: TierBooks,
  view: PoolView,
  jobIdx: number,
  tier: number,
  milli: number,
): void {
  tiers.held[tier]! += milli;
  if ((view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0) tiers.takeable[tier]! += milli;
}

function stillAsked(state: LimitsState, view: PoolView, jobIdx: number): number {
  return Math.max(0, askedMilli(view.jobs, jobIdx) - (state.limits.runs.get(jobIdx)?.milli ?? 0));
}

function ceiling(
  state: LimitsState,
  view: PoolView,
  jobIdx: number,
  asked: number,
): Ceiling | null {
  return ceilingOf(
    state.limits,
    view.jobs,
    jobIdx,
    view.tierOfJob[jobIdx]!,
    asked,
    view.limitMs(jobIdx),
    view.nowMs,
  );
}

function broken(state: LimitsState, view: PoolView, jobIdx: number, asked: number) {
  if (!state.hasGuarantees || asked === 0) return null;
  if ((view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0) return null;
  const tier = view.tierOfJob[jobIdx]!;
  return brokenGuarantee(state.tiers, tier, asked, view.gpusOpenTotal * MILLI);
}

function nameOf(view: PoolView, { rule, index }: Ceiling): string {
  if (rule.per === "user") return `user ${view.jobs.users[index] ?? index}`;
  const named = rule.per === "team" ? view.teams[index] : view.tiers[index];
  return `${rule.per} ${named?.name ?? index}`;
}

/** Some tier holds less than its guarantee. */
function isAnyOwed({ hasGuarantees, tiers }: LimitsState): boolean {
  return hasGuarantees && tiers.held.some((held, tier) => held < tiers.guaranteed[tier]!);
}

/** Books in which tiers below `tier` are above their guarantees. */
function owedTo(state: LimitsState, tier: number): Owed {
  const { limits, tiers } = state;
  const held = tiers.held.slice();
  return {
    milli: (jobIdx) => limits.runs.get(jobIdx)?.milli ?? 0,
    mayTake(jobIdx) {
      const run = limits.runs.get(jobIdx)!;
      return run.tier > tier && held[run.tier]! > tiers.guaranteed[run.tier]!;
    },
    take(jobIdx) {
      const run = limits.runs.get(jobIdx)!;
      held[run.tier]! -= run.milli;
    },
  };
}

export const limitsGate: GatePart<LimitsState> = {
  applies: (view) =>
    (view.world.limits ?? []).length > 0 ||
    view.tiers.some((tier) => tier.capGpus !== undefined || (tier.guaranteedGpus ?? 0) > 0),

  create(view, pool) {
    const state: LimitsState = {
      limits: createLimits(rulesOf(view)),
      tiers: createTierBooks(view.tiers),
      hasGuarantees: view.tiers.some((tier) => (tier.guaranteedGpus ?? 0) > 0),
      reclaim: createReclaim(view, pool),
    };
    view.past((use) => notePastRun(state.limits, view.jobs, use));
    const running = view.running();
    for (let i = 0; i < running.length; i++) follow(state, view, running.at[i]!);
    return state;
  },

  copy: (state) => ({
    ...state,
    limits: copyLimits(state.limits),
    tiers: copyTierBooks(state.tiers),
    reclaim: copyReclaim(state.reclaim),
  }),

  hooks: {
    given: follow,
    released(state, view, jobIdx) {
      follow(state, view, jobIdx);
      followEvicted(state.reclaim.evicted, view, jobIdx);
    },
    evicted: (state, view, jobIdx) => noteReclaimed(state.reclaim, view, jobIdx),
    retiered(state, view, jobIdx) {
      if (state.limits.runs.has(jobIdx)) follow(state, view, jobIdx);
    },
  },

  begin: (state) => forgetAsked(state.limits),

  wakeMs: (state, view) =>
    Math.min(limitsWakeMs(state.limits, view.nowMs), reclaimWakeMs(state.reclaim, view)),

  verdict(state, view, jobIdx) {
    const asked = stillAsked(state, view, jobIdx);
    const full = ceiling(state, view, jobIdx, asked);
    if (full !== null)
      return full.what === "gpuMs" ? WaitReasonCode.gpuHours : WaitReasonCode.limit;
    return broken(state, view, jobIdx, asked) === null ? WaitReasonCode.none : WaitReasonCode.limit;
  },

  parking: {
    heldBy(state, view, jobIdx) {
      const full = ceiling(state, view, jobIdx, stillAsked(state, view, jobIdx));
      // A guarantee of another tier moves with all that runs.
      return full === null ? null : ceilingKey(state.limits, full);
    },
    measure(_state, key) {
      const what = whatOf(key);
      return what === "gpus" ? "devices" : what === "gpuMs" ? "time" : "jobs";
    },
    asks(state, view, key, jobIdx) {
      const what = whatOf(key);
      const asked = stillAsked(state, view, jobIdx);
      if (what === "gpus") return asked;
      if (what !== "gpuMs") return NEVER;
      return timeAsked(state.limits, key, asked, view.limitMs(jobIdx));
    },
    room: (state, view, key) => roomOf(state.limits, key, view.nowMs),
    touchedBy: (state, view, jobIdx) =>
      ceilingsOf(state.limits, view.jobs, jobIdx, view.tierOfJob[jobIdx]!),
    waitsFor: (state, key, least) => noteAsked(state.limits, key, least),
  },

  explain(state, view, jobIdx) {
    const asked = stillAsked(state, view, jobIdx);
    const full = ceiling(state, view, jobIdx, asked);
    if (full !== null) {
      const scale = { gpus: MILLI, gpuMs: MILLI * HOUR_MS, jobs: 1, members: 1 }[full.what];
      const unit = { gpus: "GPUs", gpuMs: "GPU-hours", jobs: "jobs", members: "members" }[
        full.what
      ];
      const { used, most, asked: wanted } = full;
      return {
        whose: nameOf(view, full),
        used: used / scale,
        most: most / scale,
        ever: most / scale,
        asked: wanted / scale,
        unit,
      };
    }
    const guarantee = broken(state, view, jobIdx, asked);
    if (guarantee === null) return null;
    const tier = view.tiers[guarantee.tier]!;
    const open = view.gpusOpenTotal;
    return {
      whose: `all below the guarantee of tier ${tier.name}`,
      used: open - guarantee.leftMilli / MILLI,
      most: open,
      asked: asked / MILLI,
      unit: "GPUs",
    };
  },

  headroom(state, view, jobIdx) {
    const room = limitRoom(state.limits, view.jobs, jobIdx, view.tierOfJob[jobIdx]!);
    return Math.floor(room / MILLI);
  },

  keptUntilMs: ({ reclaim }) => reclaim.keptUntilMs,
  readyMs: ({ reclaim }) => reclaim.readyMs,
  lastReason: ({ reclaim }) => reclaim.lastReason,
  defers(state, view, jobIdx) {
    if (!isAnyOwed(state) || !isTakeable(view, jobIdx)) return false;
    const asked = stillAsked(state, view, jobIdx);
    return !isGuaranteed(state.tiers, view.tierOfJob[jobIdx]!, asked);
  },
  mayMakeRoom: isAnyOwed,

  makeRoom(
    state: LimitsState,
    view: PoolView,
    shape,
    jobIdx: number,
    act: Actions,
    chance: Chance,
  ): RoomMade {
    const tier = view.tierOfJob[jobIdx]!;
    const asked = stillAsked(state, view, jobIdx);
    state.reclaim.lastReason = WaitReasonCode.none;
    if (!state.hasGuarantees || !isGuaranteed(state.tiers, tier, asked)) return "no";
    const candidates = [...state.limits.runs]
      .filter(([runIdx, run]) => run.tier > tier && run.milli > 0 && isTakeable(view, runIdx))
      .map(([runIdx]) => runIdx)
      .reverse()
      .sort((a, b) => view.tierOfJob[b]! - view.tierOfJob[a]!);
    const missing = asked - view.gpusFreeTotal * MILLI;
    const taker = { jobIdx, shape, owner: tier, missing };
    const owed = () => owedTo(state, tier);
    return takeBackFrom(state.reclaim, view, taker, candidates, owed, act, chance);
  },
};
