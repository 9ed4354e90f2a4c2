/**
 * Jobs that were suspended for others go on, on the same devices, as soon as all of these are free again: at the begin of a pass, before anybody
 * who waits; but where a job waits that could suspend them once more, only after it has had its turn. Highest tier first, then the lower job index.
 * A gang that has lost members to a failed node meanwhile is queued again.
 *
 * Pathology: where the urgent job is smaller than its victim, or ends earlier than another that shares the devices, jobs of any tier may slip into
 * the rest meanwhile, and the victim waits for all of them. O(suspended × their devices) a pass.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { JobStateCode } from "../../../../model/states.ts";
import type { StepPart } from "../parts.ts";
import { preemptRules } from "./preemptionState.ts";

interface ResumeState {
  readonly relation: Uint8Array;
  readonly suspended: Set<number>;
  /** Tier of each job that waits, and how many of each tier do. */
  readonly waiting: Map<number, number>;
  readonly waitingOfTier: number[];
}

function noteSuspended(state: ResumeState, view: PoolView, jobIdx: number): void {
  const lent = view.jobState[jobIdx] === JobStateCode.suspended && view.lent(jobIdx) !== "no";
  if (lent) state.suspended.add(jobIdx);
  else state.suspended.delete(jobIdx);
}

function noteWaiting(state: ResumeState, view: PoolView, jobIdx: number): void {
  noteGone(state, jobIdx);
  const tier = view.tierOfJob[jobIdx]!;
  state.waiting.set(jobIdx, tier);
  state.waitingOfTier[tier] = state.waitingOfTier[tier]! + 1;
}

function noteGone(state: ResumeState, jobIdx: number): void {
  const tier = state.waiting.get(jobIdx);
  if (tier === undefined) return;
  state.waiting.delete(jobIdx);
  state.waitingOfTier[tier] = state.waitingOfTier[tier]! - 1;
}

/** Whether a waiting job could suspend this one. O(tiers). */
function isThreatened(state: ResumeState, view: PoolView, jobIdx: number): boolean {
  const tier = view.tierOfJob[jobIdx]!;
  return state.waitingOfTier.some(
    (count, other) => count > 0 && state.relation[other * view.tiers.length + tier] === 1,
  );
}

function resumeAll(state: ResumeState, view: PoolView, act: Actions, threatened: boolean): void {
  if (state.suspended.size === 0) return;
  const inOrder = [...state.suspended].sort(
    (one, other) => view.tierOfJob[one]! - view.tierOfJob[other]! || one - other,
  );
  for (const jobIdx of inOrder) {
    if (!threatened && isThreatened(state, view, jobIdx)) continue;
    const lent = view.lent(jobIdx);
    if (lent === "free") act.resume(jobIdx);
    if (lent === "short") act.evict(jobIdx, "requeue", 0, -1);
  }
}

const resume: StepPart<ResumeState> = {
  applies: (view, pool) => preemptRules(view.tiers, pool).modeOfTier.includes("suspend"),

  create(view, pool) {
    const state: ResumeState = {
      relation: preemptRules(view.tiers, pool).relation,
      suspended: new Set(),
      waiting: new Map(),
      waitingOfTier: view.tiers.map(() => 0),
    };
    const waiting = view.waiting();
    for (let i = 0; i < waiting.length; i++) noteWaiting(state, view, waiting.at[i]!);
    return state;
  },

  copy: (state) => ({
    relation: state.relation,
    suspended: new Set(state.suspended),
    waiting: new Map(state.waiting),
    waitingOfTier: state.waitingOfTier.slice(),
  }),

  hooks: {
    queued: noteWaiting,
    withdrawn: (state, _view, jobIdx) => noteGone(state, jobIdx),
    given: (state, _view, jobIdx) => noteGone(state, jobIdx),
    released: noteSuspended,
    retiered(state, view, jobIdx) {
      if (state.waiting.has(jobIdx)) noteWaiting(state, view, jobIdx);
    },
  },

  before: (state, view, _pool, _shapes, act) => resumeAll(state, view, act, false),
  run: (state, view, _pool, _shapes, act) => resumeAll(state, view, act, true),
};

export const resumeSuspended = resume as StepPart<unknown>;
