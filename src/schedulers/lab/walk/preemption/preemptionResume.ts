/**
 * Jobs that were suspended for others go on, on the same devices, as soon as all of these are free again: at the begin of a pass, before anybody
 * who waits; but where a job waits that could suspend them once more, only after it has had its turn. Highest tier first, then the lower job index.
 * A gang that has lost members to a failed node meanwhile is queued again.
 *
 * Of each the device is remembered that was in its way last: while it is in use nothing else need be asked.
 *
 * Pathology: where the urgent job is smaller than its victim, or ends earlier than another that shares the devices, jobs of any tier may slip into
 * the rest meanwhile, and the victim waits for all of them. O(suspended + their devices where that one is free) a pass.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { JobStateCode } from "../../../../model/states.ts";
import type { StepPart } from "../parts.ts";
import { preemptRules } from "./preemptionState.ts";

/** A job whose devices are lent. */
interface Suspended {
  readonly jobIdx: number;
  readonly tier: number;
  /** Devices that it held whole when it was suspended; null: it may have lost some since. */
  readonly devices: readonly number[] | null;
  /** Index of the one that was in use when it was asked about last; −1: unknown. */
  watched: number;
}

interface ResumeState {
  readonly relation: Uint8Array;
  /** In the order in which they go on; and who they are. */
  suspended: Suspended[];
  readonly listed: Set<number>;
  /** Whole devices of jobs that are suspended and whose devices are about to be lent. */
  readonly held: Map<number, readonly number[]>;
  /** Tier of each job that waits, and how many of each tier do. */
  readonly waiting: Map<number, number>;
  readonly waitingOfTier: number[];
}

const grant = new Grant();

function noteSuspended(state: ResumeState, view: PoolView, jobIdx: number): void {
  const suspended = view.jobState[jobIdx] === JobStateCode.suspended;
  const lent = suspended && view.lent(jobIdx) !== "no";
  const devices = state.held.get(jobIdx) ?? null;
  if (devices !== null) state.held.delete(jobIdx);
  const listed = state.listed.delete(jobIdx);
  if (listed) state.suspended = state.suspended.filter((other) => other.jobIdx !== jobIdx);
  if (lent) {
    const tier = view.tierOfJob[jobIdx]!;
    state.listed.add(jobIdx);
    state.suspended.push({ jobIdx, tier, devices: listed ? null : devices, watched: -1 });
    state.suspended.sort(inOrder);
  } else if (suspended) state.held.set(jobIdx, wholeDevices(view, jobIdx));
}

function inOrder(one: Suspended, other: Suspended): number {
  return one.tier - other.tier || one.jobIdx - other.jobIdx;
}

function wholeDevices(view: PoolView, jobIdx: number): number[] {
  grant.clear();
  view.holdings(jobIdx, grant);
  const devices: number[] = [];
  for (let row = 0; row < grant.length; row++) {
    if (grant.part[row] !== 0) continue;
    const first = view.cluster.deviceBase[grant.node[row]!]! + grant.first[row]!;
    for (let at = 0; at < grant.count[row]!; at++) devices.push(first + at);
  }
  return devices;
}

function noteTier(state: ResumeState, view: PoolView, jobIdx: number): void {
  if (state.waiting.has(jobIdx)) noteWaiting(state, view, jobIdx);
  if (!state.listed.has(jobIdx)) return;
  const at = state.suspended.findIndex((other) => other.jobIdx === jobIdx);
  const { devices } = state.suspended[at]!;
  state.suspended[at] = { jobIdx, tier: view.tierOfJob[jobIdx]!, devices, watched: -1 };
  state.suspended.sort(inOrder);
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

/** Whether a waiting job could suspend one of this tier. O(tiers). */
function isThreatened({ waitingOfTier, relation }: ResumeState, tier: number): boolean {
  for (let other = 0; other < waitingOfTier.length; other++)
    if (waitingOfTier[other]! > 0 && relation[other * waitingOfTier.length + tier] === 1)
      return true;
  return false;
}

function resumeAll(state: ResumeState, view: PoolView, act: Actions, threatened: boolean): void {
  let tier = -1;
  let waits = false;
  for (let at = 0; at < state.suspended.length; ) {
    const job = state.suspended[at]!;
    if (!threatened && job.tier !== tier) {
      tier = job.tier;
      waits = isThreatened(state, tier);
    }
    const inUse = job.watched >= 0 && view.deviceUsed[job.watched]! > 0;
    const lent = waits || inUse ? "inUse" : view.lent(job.jobIdx);
    if (lent === "inUse") {
      if (!waits && !inUse) watch(job, view);
      at++;
      continue;
    }
    if (lent === "free") act.resume(job.jobIdx);
    if (lent === "short") act.evict(job.jobIdx, "requeue", 0, -1);
    // Who goes on, or waits now, has left the list.
    if (state.suspended[at] === job) at++;
    tier = -1;
  }
}

function watch(job: Suspended, view: PoolView): void {
  job.watched = job.devices?.find((device) => view.deviceUsed[device]! > 0) ?? -1;
}

const resume: StepPart<ResumeState> = {
  applies: (view, pool) => preemptRules(view.tiers, pool).modeOfTier.includes("suspend"),

  create(view, pool) {
    const state: ResumeState = {
      relation: preemptRules(view.tiers, pool).relation,
      suspended: [],
      listed: new Set(),
      held: new Map(),
      waiting: new Map(),
      waitingOfTier: view.tiers.map(() => 0),
    };
    const waiting = view.waiting();
    for (let i = 0; i < waiting.length; i++) noteWaiting(state, view, waiting.at[i]!);
    return state;
  },

  copy: (state) => ({
    relation: state.relation,
    suspended: state.suspended.map((job) => ({ ...job })),
    listed: new Set(state.listed),
    held: new Map(state.held),
    waiting: new Map(state.waiting),
    waitingOfTier: state.waitingOfTier.slice(),
  }),

  hooks: {
    queued: noteWaiting,
    withdrawn: (state, _view, jobIdx) => noteGone(state, jobIdx),
    given: (state, _view, jobIdx) => noteGone(state, jobIdx),
    released: noteSuspended,
    retiered: noteTier,
  },

  before: (state, view, _pool, _shapes, act) => resumeAll(state, view, act, false),
  run: (state, view, _pool, _shapes, act) => resumeAll(state, view, act, true),
};

export const resumeSuspended = resume as StepPart<unknown>;
