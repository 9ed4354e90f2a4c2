/** The memory of preemption: its rules, who runs in which tier, how often jobs were evicted, and whose room is being made. Plain data. */
import { assert } from "../../../../base/assert.ts";
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import { JobFlag } from "../../../../model/jobs.ts";
import type { PoolSettings, SettingValue } from "../../../../model/policy.ts";
import { EndStateCode, JobStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { TierInfo } from "../../../../model/world.ts";
import {
  type EvictedJobs,
  type EvictionLog,
  noteEvicted,
  noteEviction,
  type Protections,
} from "../../../../scheduling/preemption/protection.ts";
import {
  type EqualOrder,
  equalOrder,
  tierRelation,
} from "../../../../scheduling/preemption/relation.ts";
import { VICTIM_RULES, type VictimRule } from "../../../../scheduling/preemption/victimChoice.ts";

export const PREEMPT_MODES = ["none", "cancel", "requeue", "suspend", "graceful", "wait"] as const;
export type PreemptMode = (typeof PREEMPT_MODES)[number];
const PREEMPT_UNITS = ["job", "node", "device"] as const;
export type PreemptUnit = (typeof PREEMPT_UNITS)[number];

export interface PreemptRules extends Protections {
  /** How jobs of each tier give way. */
  readonly modeOfTier: readonly PreemptMode[];
  readonly graceOfTier: readonly number[];
  /** See `tierRelation`. */
  readonly relation: Uint8Array;
  readonly victims: VictimRule;
  readonly unit: PreemptUnit;
  readonly equal: EqualOrder | null;
  readonly onlyIfUseful: boolean;
  readonly shrinkFirst: boolean;
  /** 0 = never. */
  readonly giveUpMs: number;
}

/** Room that is being made: its victims have been told, or are waited for. */
export interface Claim {
  readonly untilMs: number;
  /** When all of them will have gone at the latest, as far as is known; `Infinity` = it is not. */
  readonly readyMs: number;
  readonly victims: readonly { readonly jobIdx: number; readonly run: number }[];
}

export interface PreemptionState {
  readonly rules: PreemptRules;
  /** Jobs of one tier may preempt each other: by priorities of their own, or by age. */
  readonly withinTiers: boolean;
  /** Running jobs of each tier that may be preempted at all, with the devices they hold. */
  readonly runs: Map<number, number>[];
  /** Devices that they hold together. */
  readonly gpusOfTier: number[];
  /** Tier under which a running job is listed. */
  readonly listedIn: Map<number, number>;
  /** Tier of each job that waits, and how many of each tier do. */
  readonly waiting: Map<number, number>;
  readonly waitingOfTier: number[];
  readonly evicted: EvictedJobs;
  readonly log: EvictionLog;
  readonly claims: Map<number, Claim>;
  lastReason: number;
  /**
   * Since the last pass through the queue began every search has failed with all candidates gone, nobody was safe, and nothing gave devices back: each fails again
   * until something does.
   */
  failsAgain: boolean;
  /** When a search that failed may succeed although nothing happens (ms). */
  againMs: number;
}

function oneOf<V extends string>(
  values: readonly V[],
  value: SettingValue | undefined,
  standard: V,
): V {
  const found = values.find((candidate) => candidate === value);
  assert(found !== undefined || value === undefined, `preemption has no setting ${String(value)}`);
  return found ?? standard;
}

/** The rules by the settings of a pool and the table of tiers. */
export function preemptRules(tiers: readonly TierInfo[], pool: PoolSettings): PreemptRules {
  const { settings } = pool;
  const mode = oneOf(PREEMPT_MODES, settings["preemption"], "none");
  const modeOfTier = tiers.map((tier) => tier.preemptMode ?? mode);
  const onlyWaits = modeOfTier.every((own) => own === "wait" || own === "none");
  const victims = oneOf(VICTIM_RULES, settings["victims"], "fewestJobs");
  const count = (key: string) => Number(settings[key] ?? 0);
  return {
    modeOfTier,
    graceOfTier: tiers.map((tier) => tier.graceMs ?? count("graceMs")),
    relation: tierRelation(tiers),
    victims: onlyWaits ? "firstToEnd" : victims,
    unit: oneOf(PREEMPT_UNITS, settings["preemptUnit"], "job"),
    equal: equalOrder(pool),
    onlyIfUseful: settings["onlyIfUseful"] !== false,
    shrinkFirst: settings["shrinkFirst"] !== false,
    minRunMs: count("minRunMs"),
    exemptMs: count("exemptMs"),
    cooldownMs: count("cooldownMs"),
    evictionsMost: count("evictionsMost"),
    giveUpMs: count("giveUpMs"),
  };
}

/** Takes a pool over. O(running + waiting + jobs with a life of their own). */
export function createPreemption(view: PoolView, pool: PoolSettings): PreemptionState {
  const rules = preemptRules(view.tiers, pool);
  const state: PreemptionState = {
    rules,
    withinTiers: rules.equal !== null || someHavePriority(view),
    runs: view.tiers.map(() => new Map<number, number>()),
    gpusOfTier: view.tiers.map(() => 0),
    listedIn: new Map(),
    waiting: new Map(),
    waitingOfTier: view.tiers.map(() => 0),
    evicted: new Map(),
    log: new Map(),
    claims: new Map(),
    lastReason: 0,
    failsAgain: false,
    againMs: NEVER_MS,
  };
  notePastEvictions(view, state);
  const running = view.running();
  for (let i = 0; i < running.length; i++) listRun(state, view, running.at[i]!);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) noteWaiting(state, view, waiting.at[i]!);
  return state;
}

/** Evictions before the policy was asked for count: a job's number of them, and budgets. O(runs so far). */
export function notePastEvictions(
  view: PoolView,
  { log, evicted }: { readonly log: EvictionLog; readonly evicted: EvictedJobs },
): void {
  view.past(({ jobIdx, endState, toMs }) => {
    if (endState !== EndStateCode.preempted) return;
    noteEviction(log, view, jobIdx, toMs);
    if (view.jobState[jobIdx] !== JobStateCode.done) noteEvicted(evicted, jobIdx, toMs);
  });
}

function someHavePriority(view: PoolView): boolean {
  for (const life of view.jobs.lab.values()) if ((life.priority ?? 0) !== 0) return true;
  return false;
}

/** Whether some jobs of the other tier may be victims of a tier's. O(1). */
export function mayTouch(
  state: PreemptionState,
  view: PoolView,
  tier: number,
  other: number,
): boolean {
  const { relation } = state.rules;
  return relation[tier * view.tiers.length + other] === 1 || (state.withinTiers && other === tier);
}

/** O(running + waiting + evicted + claims). */
export function copyPreemption(state: PreemptionState): PreemptionState {
  return {
    ...state,
    runs: state.runs.map((runs) => new Map(runs)),
    gpusOfTier: state.gpusOfTier.slice(),
    listedIn: new Map(state.listedIn),
    waiting: new Map(state.waiting),
    waitingOfTier: state.waitingOfTier.slice(),
    evicted: new Map(state.evicted),
    log: new Map([...state.log].map(([key, times]) => [key, times.slice()])),
    claims: new Map(state.claims),
  };
}

/** A job waits, in the tier that it has now. O(1). */
export function noteWaiting(state: PreemptionState, view: PoolView, jobIdx: number): void {
  noteGone(state, jobIdx);
  const tier = view.tierOfJob[jobIdx]!;
  state.waiting.set(jobIdx, tier);
  state.waitingOfTier[tier] = state.waitingOfTier[tier]! + 1;
}

/** It waits no longer. O(1). */
export function noteGone(state: PreemptionState, jobIdx: number): void {
  const tier = state.waiting.get(jobIdx);
  if (tier === undefined) return;
  state.waiting.delete(jobIdx);
  state.waitingOfTier[tier] = state.waitingOfTier[tier]! - 1;
}

const held = new Grant();

/** Brings the list of possible victims up to date with what a job holds now. O(its runs of devices). */
export function listRun(state: PreemptionState, view: PoolView, jobIdx: number): void {
  unlistRun(state, jobIdx);
  const tier = view.tierOfJob[jobIdx]!;
  const isVictim =
    (view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0 &&
    state.rules.modeOfTier[tier] !== "none" &&
    holdsDevices(view, jobIdx);
  if (!isVictim) return;
  held.clear();
  view.holdings(jobIdx, held);
  let gpus = 0;
  for (let row = 0; row < held.length; row++) gpus += held.count[row]!;
  state.listedIn.set(jobIdx, tier);
  state.runs[tier]!.set(jobIdx, gpus);
  state.gpusOfTier[tier] = state.gpusOfTier[tier]! + gpus;
}

export function unlistRun(state: PreemptionState, jobIdx: number): void {
  const tier = state.listedIn.get(jobIdx);
  if (tier === undefined) return;
  state.listedIn.delete(jobIdx);
  state.gpusOfTier[tier] = state.gpusOfTier[tier]! - state.runs[tier]!.get(jobIdx)!;
  state.runs[tier]!.delete(jobIdx);
}

/** Whether a job has a run that can be stopped: one that is ending is gone already. */
export function holdsDevices(view: PoolView, jobIdx: number): boolean {
  switch (view.jobState[jobIdx]) {
    case JobStateCode.running:
    case JobStateCode.starting:
    case JobStateCode.checkpointing:
    case JobStateCode.placed:
      return true;
    default:
      return false;
  }
}
