/** The memory of KAI's scheduler beside what all schedulers of pod groups keep: sums by leaf queue, past use, and running jobs in the order in which they would be victims. Copies are O(what waits and runs). */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { addAmounts, GPU, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { createHeldOn, type HeldOn, shiftHeldOn, takenOn } from "../podGroups/heldOn.ts";
import {
  chargeBook,
  copyBook,
  type GroupBook,
  type GroupRun,
  noBook,
  runOf,
} from "../podGroups/runs.ts";
import {
  type Books,
  changeLanes,
  copyGroupState,
  createGroupState,
  type GroupState,
  groupOf,
  join,
  leaveLane,
  queueOf,
  recount,
  takeOver,
} from "../podGroups/state.ts";
import { FIXED_FROM, type KaiSetup, priorityOf, setupOf } from "./setup.ts";
import { copyUsage, createUsage, type UsageBook } from "./usage.ts";

export interface QueueBook extends GroupBook {
  /** Of what is allocated, what work holds that is never a victim. */
  fixed: number[];
  /** Devices that its preemptible work holds, by priority. */
  gpusAt: Map<number, number>;
}

export interface Run extends GroupRun {
  /** No parts of devices are among it. */
  readonly isExact: boolean;
  /** It has members of some component beyond the least. */
  readonly spares: boolean;
  readonly taken: ReturnType<typeof takenOn>;
}

export interface KaiState extends GroupState {
  readonly setup: KaiSetup;
  runs: Map<number, Run>;
  /** Of the runs with members that have no place, how long they have been below their least members. */
  shortSinceMs: Map<number, number>;
  books: QueueBook[];
  /** By leaf queue: preemptible runs, least important first, of equals the youngest first. */
  victims: Run[][];
  /** Follows from the runs: null in a copy, until somebody asks. */
  heldOn: HeldOn | null;
  usage: UsageBook | null;
  /** Jobs for which others had to leave, and how often: they come first, or those would take their old places again for ever. A job that runs is owed as many members. */
  roomMadeFor: Map<number, number>;
}

export const BOOKS: Books<KaiState> = { arrive, leave, changeLane, takeStock, isWaiting };

export function createState(view: PoolView, pool: PoolSettings): KaiState {
  const setup = setupOf(view, pool);
  const count = setup.queues.length;
  const { usageWindowMs, usageHalfLifeMs } = setup;
  const isTimed = setup.strength > 0;
  const state: KaiState = {
    ...createGroupState(view, setup),
    runs: new Map(),
    shortSinceMs: new Map(),
    books: setup.queues.map(() => ({ ...noBook(), fixed: noAmounts(), gpusAt: new Map() })),
    victims: setup.queues.map(() => []),
    heldOn: createHeldOn(view.cluster.nodeCount, count),
    usage: isTimed ? createUsage(view.nowMs, usageWindowMs, usageHalfLifeMs, count) : null,
    roomMadeFor: new Map(),
  };
  return takeOver(view, state, BOOKS);
}

export function copyState(state: KaiState): KaiState {
  return {
    ...state,
    ...copyGroupState(state),
    runs: new Map(state.runs),
    shortSinceMs: new Map(state.shortSinceMs),
    books: state.books.map((book) => ({
      ...copyBook(book),
      fixed: [...book.fixed],
      gpusAt: new Map(book.gpusAt),
    })),
    victims: state.victims.map((runs) => [...runs]),
    heldOn: null,
    usage: state.usage === null ? null : copyUsage(state.usage),
    roomMadeFor: new Map(state.roomMadeFor),
  };
}

/** A job that holds nothing waits; one that holds too little waits with what it has. */
function arrive(view: PoolView, state: KaiState, jobIdx: number): void {
  takeStock(view, state, jobIdx);
  if (state.runs.has(jobIdx)) return;
  join(view, state, state.waiting, jobIdx, priorityOf(view, state.setup, jobIdx));
  addAmounts(state.books[queueOf(view, state, jobIdx)]!.request, groupOf(view, jobIdx).fullRequest);
}

function leave(view: PoolView, state: KaiState, jobIdx: number): void {
  state.awaited.delete(jobIdx);
  state.roomMadeFor.delete(jobIdx);
  if (!leaveLane(view, state.waiting, jobIdx)) return;
  const book = state.books[queueOf(view, state, jobIdx)]!;
  addAmounts(book.request, groupOf(view, jobIdx).fullRequest, -1);
}

/** A job whose tier has changed waits in another lane, or is another victim. */
function changeLane(view: PoolView, state: KaiState, jobIdx: number): void {
  if (state.runs.has(jobIdx)) takeStock(view, state, jobIdx);
  changeLanes(view, state, [state.waiting], jobIdx, priorityOf(view, state.setup, jobIdx));
}

function isWaiting({ waiting }: KaiState, jobIdx: number): boolean {
  return laneOfJob(waiting, jobIdx) !== null;
}

function takeStock(view: PoolView, state: KaiState, jobIdx: number): void {
  const hadRun = state.runs.has(jobIdx);
  recount(
    view,
    state,
    jobIdx,
    (group, queueIdx, members) => {
      const priority = priorityOf(view, state.setup, jobIdx);
      const { amounts, devices } = runOf(view, group, jobIdx, queueIdx, priority, members);
      // Read by every search: spelled out, it is quicker to read than a copy that was added to.
      return {
        jobIdx,
        queueIdx,
        priority,
        members,
        amounts,
        devices,
        isExact: amounts.every(Number.isInteger),
        spares: members.some((count, at) => count > group.least[at]!),
        taken: takenOn(view, jobIdx),
      };
    },
    (run, group, sign) => {
      charge(state.books[run.queueIdx]!, group, run, sign);
      if (run.priority >= FIXED_FROM) return;
      shiftVictim(view, state, run, sign);
      if (state.heldOn !== null)
        shiftHeldOn(state.heldOn, run.queueIdx, run.priority, run.devices, sign);
    },
  );
  // A gang that is whole again is short no longer, and no session need look at it.
  if (!state.partial.has(jobIdx)) state.shortSinceMs.delete(jobIdx);
  if (state.runs.has(jobIdx)) return;
  if (hadRun) state.roomMadeFor.delete(jobIdx);
}

/** O(1); O(what runs) the first time after a snapshot. */
export function heldOnOf(view: PoolView, state: KaiState): HeldOn {
  if (state.heldOn !== null) return state.heldOn;
  state.heldOn = createHeldOn(view.cluster.nodeCount, state.setup.queues.length);
  for (const { queueIdx, priority, devices } of state.runs.values())
    if (priority < FIXED_FROM) shiftHeldOn(state.heldOn, queueIdx, priority, devices, 1);
  return state.heldOn;
}

function charge(book: QueueBook, group: GroupClass, run: Run, sign: 1 | -1): void {
  chargeBook(book, group, run, sign);
  const { members, priority } = run;
  for (let at = 0; at < group.each.length; at++) {
    const each = group.each[at]!;
    const count = sign * members[at]!;
    if (priority >= FIXED_FROM) addAmounts(book.fixed, each, count);
    else book.gpusAt.set(priority, (book.gpusAt.get(priority) ?? 0) + each[GPU]! * count);
  }
}

/** A run becomes a victim of its queue, or is none any more. */
function shiftVictim(view: PoolView, state: KaiState, run: Run, sign: 1 | -1): void {
  const runs = state.victims[run.queueIdx]!;
  const at = victimPlace(view, runs, run);
  if (sign > 0) runs.splice(at, 0, run);
  else if (runs[at]?.jobIdx === run.jobIdx) runs.splice(at, 1);
}

/** First place whose run is not a victim before this one. O(log n). */
function victimPlace({ jobs }: PoolView, runs: readonly Run[], run: Run): number {
  const { submitMs } = jobs.at;
  const { jobIdx, priority } = run;
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { jobIdx: other, priority: theirs } = runs[middle]!;
    const before =
      theirs !== priority
        ? theirs < priority
        : submitMs[other] !== submitMs[jobIdx]
          ? submitMs[other]! > submitMs[jobIdx]!
          : other > jobIdx;
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}
