/**
 * The memory of the walk: the states of its parts, who waits, what runs until when by the estimates, and what the last pass kept room for.
 * What a pass keeps is made anew in each; it stays here so that arrivals alone can be tested against it, and for the page.
 */
import { assert } from "../../../base/assert.ts";
import { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import { JobFlag } from "../../../model/jobs.ts";
import { LAB_PLACEMENTS, type LabPlacement, type PoolSettings } from "../../../model/policy.ts";
import { JobStateCode } from "../../../model/states.ts";
import {
  copyReservation,
  noReservation,
  type Reservation,
} from "../../../scheduling/backfill/shadow.ts";
import {
  copySortedJobs,
  createSortedJobs,
  insertJob,
  removeJob,
  type SortedJobs,
} from "../../../scheduling/ordering/sortedJobs.ts";
import { nodeRulesOf } from "../../../scheduling/placement/nodeRules.ts";
import type { Placing } from "../../../scheduling/placement/placing.ts";
import { shapesOf } from "../../../scheduling/placement/shapes.ts";
import { CLOSURES } from "./closures/closures.ts";
import { type Cuts, copyCuts, noCuts } from "./cuts.ts";
import { ESTIMATE } from "./estimates.ts";
import { GATES } from "./gates/gates.ts";
import { noteRun } from "./keep/keepRuns.ts";
import { noteOne } from "./keep/oneStands.ts";
import { ORDERS, type WalkOrder } from "./orders.ts";
import { copyParked, noneParked, type Parked } from "./parked.ts";
import type { Hooks, Part } from "./parts.ts";
import { PREEMPTIONS } from "./preemption/preemption.ts";
import { STEPS } from "./steps/steps.ts";

export type PartInUse = readonly [part: Part<unknown>, state: unknown];

/** The settings of the pass itself. */
export interface WalkRules {
  readonly placement: LabPlacement;
  /** The first job that does not fit ends the pass. */
  readonly strict: boolean;
  /** Reservations that a pass keeps at most. */
  readonly reservations: number;
  /** No reservation later than this from now. */
  readonly windowMs: number;
  /** Jobs looked at in a pass; `Infinity` = all. */
  readonly testDepth: number;
  /** 0 = a pass whenever something happens. */
  readonly passEveryMs: number;
  /** Members of all gangs take devices as they come. */
  readonly looseGangs: boolean;
  /** Those of some jobs do. */
  readonly loose: boolean;
}

/** A part in use: its place in its list, and its state. */
export interface Held {
  readonly part: number;
  readonly state: unknown;
}

/** Room that is kept for a waiting job. `startMs` −∞: from now on, for a job that victims make room for. */
export interface KeptJob {
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly placing: Placing;
}

/** A job for which victims are ending. */
export interface Nominated {
  readonly jobIdx: number;
  /** Its room is kept so long; and there at the latest then (`Infinity` = nobody knows). */
  readonly untilMs: number;
  readonly readyMs: number;
  readonly placing: Placing;
}

export interface WalkState {
  readonly walk: true;
  readonly pool: PoolSettings;
  readonly rules: WalkRules;
  readonly order: unknown;
  readonly estimate: unknown;
  readonly gates: readonly Held[];
  readonly preemption: readonly Held[];
  readonly steps: readonly Held[];
  readonly closures: readonly Held[];
  /** True until the first pass. */
  fresh: boolean;
  readonly waiting: Set<number>;
  /** Those of them that have come since the last pass. */
  readonly newcomers: Set<number>;
  /** Those of them that a gate holds, and that a pass need not look at. */
  readonly parked: Parked;
  /** Jobs that hold devices, by estimated end; and that end, by job. */
  readonly runs: SortedJobs;
  readonly endMsOf: Map<number, number>;
  /** Of the last pass, in the order in which they were made. */
  kept: KeptJob[];
  /** EASY's one reservation on the fast road, with what it leaves; `jobIdx` −1 = not in use. */
  readonly one: Reservation;
  /** Whose reservation `one` still is, as it would be made anew (`keep/oneStands.ts`); and the run beginning now that has been taken from what it leaves. */
  oneKept: KeptJob | null;
  oneTook: number;
  /** Jobs have started beside what is kept, which another choice of nodes might suit better now: it must be made anew. */
  stale: boolean;
  /** When it wakes next for nothing but its steps: the queue is gone through only if these change something. −1 = not so. */
  stepWakeMs: number;
  nominated: Nominated[];
  /** The last pass stopped runs for a job that could not start on what they held: those that had their turn before have not been asked since. */
  inVain: boolean;
  /** MIG devices that are cut anew, and who waits for them. */
  readonly cuts: Cuts;
  /** The first job that the last pass could not start; −1 = none. */
  headJobIdx: number;
  /** Since when the members of partly placed gangs wait for the rest. */
  readonly looseSinceMs: Map<number, number>;
  /** Starts promised first and last, by waiting job. */
  readonly promises: Map<number, { firstMs: number; lastMs: number }>;
  /** Something happened since the last pass that was put off to the next multiple of the interval. */
  putOff: boolean;
  /** Follows from the world: see `LabState`. */
  fitsEmpty: Uint8Array;
}

export function orderOf(state: WalkState): WalkOrder {
  const order = ORDERS.get(String(state.pool.settings["order"]));
  assert(order !== undefined, "the walk does not know the order of its settings");
  return order;
}

/** A part in use with one thing to be told. */
export interface Told {
  readonly tell: (own: unknown, view: PoolView, jobIdx: number) => void;
  readonly own: unknown;
}

type HookName = keyof Hooks<unknown>;

/** What is asked for at each event, and follows from which parts are in use. */
export interface InUse {
  readonly all: readonly PartInUse[];
  readonly hooks: Readonly<Record<HookName, readonly Told[]>>;
  /** Those that change their mind by themselves: steps, and all others. */
  readonly stepsThatWake: readonly PartInUse[];
  readonly othersThatWake: readonly PartInUse[];
}

/** Which parts a state has never changes, nor which objects their states are. */
const known = new WeakMap<WalkState, InUse>();

/** Every part in use with its state, in the order in which they hear of things; steps last. O(1) after the first time. */
export function partsOf(state: WalkState): InUse {
  let parts = known.get(state);
  if (parts === undefined) {
    parts = listParts(state);
    known.set(state, parts);
  }
  return parts;
}

function listParts(state: WalkState): InUse {
  const steps = state.steps.map(({ part, state: own }): PartInUse => [STEPS[part]!, own]);
  const others: PartInUse[] = [
    [orderOf(state), state.order],
    [ESTIMATE, state.estimate],
    ...state.gates.map(({ part, state: own }): PartInUse => [GATES[part]!, own]),
    ...state.preemption.map(({ part, state: own }): PartInUse => [PREEMPTIONS[part]!, own]),
    ...state.closures.map(({ part, state: own }): PartInUse => [CLOSURES[part]!, own]),
  ];
  const all = [...others, ...steps];
  const hearing = (name: HookName): Told[] =>
    all.flatMap(([{ hooks }, own]) => {
      const tell = hooks?.[name];
      return tell === undefined ? [] : [{ tell, own }];
    });
  const wakes = ([part]: PartInUse): boolean => part.wakeMs !== undefined;
  return {
    all,
    hooks: {
      queued: hearing("queued"),
      withdrawn: hearing("withdrawn"),
      given: hearing("given"),
      released: hearing("released"),
      evicted: hearing("evicted"),
      retiered: hearing("retiered"),
    },
    stepsThatWake: steps.filter(wakes),
    othersThatWake: others.filter(wakes),
  };
}

/** Takes a pool over. O(waiting + running, × log), and what its parts cost. */
export function createWalk(view: PoolView, pool: PoolSettings, before?: WalkState): WalkState {
  const order = ORDERS.get(String(pool.settings["order"]));
  assert(order !== undefined, "the walk does not know the order of its settings");
  const state: WalkState = {
    walk: true,
    pool,
    rules: readRules(view, pool),
    order: order.create(view, pool),
    estimate: ESTIMATE.create(view, pool),
    gates: inUse(GATES, view, pool, before?.gates),
    preemption: inUse(PREEMPTIONS, view, pool).slice(0, 1),
    steps: inUse(STEPS, view, pool),
    closures: inUse(CLOSURES, view, pool),
    fresh: true,
    waiting: new Set(),
    newcomers: new Set(),
    parked: noneParked(),
    runs: createSortedJobs(),
    endMsOf: new Map(),
    kept: [],
    one: noReservation(view.cluster.nodeCount),
    oneKept: null,
    oneTook: -1,
    stale: false,
    stepWakeMs: -1,
    nominated: [],
    inVain: false,
    cuts: before?.cuts ?? noCuts(),
    headJobIdx: -1,
    looseSinceMs: new Map(),
    promises: new Map(),
    putOff: false,
    fitsEmpty: new Uint8Array(0),
  };
  const running = view.running();
  for (let i = 0; i < running.length; i++) followRun(state, view, running.at[i]!);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) {
    const jobIdx = waiting.at[i]!;
    state.waiting.add(jobIdx);
    if (state.rules.loose && view.jobState[jobIdx] === JobStateCode.placed)
      state.looseSinceMs.set(jobIdx, before?.looseSinceMs.get(jobIdx) ?? view.nowMs);
  }
  return state;
}

function inUse(
  list: readonly (Part<unknown> & { applies(view: PoolView, pool: PoolSettings): boolean })[],
  view: PoolView,
  pool: PoolSettings,
  before: readonly Held[] = [],
): Held[] {
  const held: Held[] = [];
  for (const [part, known] of list.entries()) {
    if (!known.applies(view, pool)) continue;
    const own = before.find((other) => other.part === part)?.state;
    held.push({ part, state: known.create(view, pool, own) });
  }
  return held;
}

function readRules(view: PoolView, { settings }: PoolSettings): WalkRules {
  const { backfill, placement, depth, reservations, windowMs, testDepth, passEveryMs } = settings;
  const rule = LAB_PLACEMENTS.find((known) => known === placement);
  assert(rule !== undefined, `the lab has no placement ${String(placement)}`);
  const most: Readonly<Record<string, number>> = {
    easy: 1,
    conservative: Math.max(1, Number(depth)),
    reservations: Math.max(1, Number(reservations ?? 1)),
  };
  const anyhow = (value: unknown): number => {
    const number = Number(value ?? 0);
    return number > 0 ? number : Number.POSITIVE_INFINITY;
  };
  const looseGangs = settings["gangTogether"] === false && backfill !== "conservative";
  return {
    placement: rule,
    strict: backfill === "none",
    reservations: most[String(backfill)] ?? 0,
    windowMs: backfill === "reservations" ? anyhow(windowMs) : Number.POSITIVE_INFINITY,
    testDepth: anyhow(testDepth),
    passEveryMs: Number(passEveryMs ?? 0),
    looseGangs,
    loose: looseGangs || (backfill !== "conservative" && someAreNoGang(view)),
  };
}

/** Whether a job of several members is said to be no gang. O(jobs). */
function someAreNoGang({ jobs, world, pool }: PoolView): boolean {
  const { flags, firstComponent } = jobs.at;
  for (let jobIdx = 0; jobIdx < jobs.count; jobIdx++) {
    if ((flags[jobIdx]! & JobFlag.gang) !== 0 || world.poolOfJob[jobIdx] !== pool) continue;
    const first = firstComponent[jobIdx]!;
    if (firstComponent[jobIdx + 1]! > first + 1 || jobs.components.members[first]! > 1) return true;
  }
  return false;
}

/** A copy for a snapshot. O(waiting + running + kept). */
export function copyWalk(state: WalkState): WalkState {
  const each = (held: readonly Held[], list: readonly Part<unknown>[]): Held[] =>
    held.map(({ part, state: own }) => ({ part, state: list[part]!.copy(own) }));
  return {
    ...state,
    order: orderOf(state).copy(state.order),
    estimate: ESTIMATE.copy(state.estimate),
    gates: each(state.gates, GATES),
    preemption: each(state.preemption, PREEMPTIONS),
    steps: each(state.steps, STEPS),
    closures: each(state.closures, CLOSURES),
    waiting: new Set(state.waiting),
    newcomers: new Set(state.newcomers),
    parked: copyParked(state.parked),
    runs: copySortedJobs(state.runs),
    endMsOf: new Map(state.endMsOf),
    kept: state.kept.map((kept) => ({ ...kept, placing: kept.placing.copy() })),
    one: copyReservation(state.one),
    oneKept: state.oneKept && { ...state.oneKept, placing: state.oneKept.placing.copy() },
    nominated: state.nominated.map((job) => ({ ...job, placing: job.placing.copy() })),
    cuts: copyCuts(state.cuts),
    looseSinceMs: new Map(state.looseSinceMs),
    promises: new Map([...state.promises].map(([jobIdx, told]) => [jobIdx, { ...told }])),
    fitsEmpty: new Uint8Array(0),
  };
}

const holdings = new Grant();

/** Leaves what it holds in `holdings`. */
function isHolding(view: PoolView, jobIdx: number): boolean {
  const jobState = view.jobState[jobIdx]!;
  if (jobState < JobStateCode.starting || jobState === JobStateCode.done) return false;
  holdings.clear();
  view.holdings(jobIdx, holdings);
  return holdings.length > 0;
}

/** Looks again at what a job holds and until when: among the runs if it holds anything, else not. O(log running + its rows). */
export function followRun(state: WalkState, view: PoolView, jobIdx: number): void {
  noteRun(state.runs, jobIdx);
  const known = state.endMsOf.get(jobIdx);
  if (known !== undefined) {
    removeJob(state.runs, known, 0, jobIdx);
    state.endMsOf.delete(jobIdx);
  }
  const holds = isHolding(view, jobIdx);
  const endMs = holds ? ESTIMATE.endMs(state.estimate, view, jobIdx) : -1;
  if (state.oneKept !== null) noteOne(state, jobIdx, known, holds ? endMs : undefined);
  if (!holds) return;
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(state.pool.settings));
  let gpus = 0;
  for (let row = 0; row < holdings.length; row++) gpus += holdings.count[row]!;
  const flat = view.cluster.flat && shapes.plainOnly;
  const need = flat ? shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole : gpus;
  insertJob(state.runs, endMs, 0, jobIdx, need, 0);
  state.endMsOf.set(jobIdx, endMs);
}
