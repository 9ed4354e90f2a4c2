/** The memory of KAI's scheduler: waiting jobs by lane, what each job holds, sums by leaf queue, and running jobs in the order in which they would be victims. Copies are O(what waits and runs). */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { addAmounts, GPU, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { classesOf, type GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { membersHeld, shortComponent } from "../../scheduling/kubernetes/podGroups/held.ts";
import {
  copyLanes,
  createLanes,
  joinLane,
  type Lane,
  type Lanes,
  laneFor,
  leaveLanes,
} from "../../scheduling/kubernetes/podGroups/lanes.ts";
import type { LeavingPod } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { createHeldOn, type DevicesOn, type HeldOn, shiftHeldOn } from "./heldOn.ts";
import { FIXED_FROM, type KaiSetup, priorityOf, setupOf } from "./setup.ts";
import { copyUsage, createUsage, type UsageBook } from "./usage.ts";

export interface QueueBook {
  allocated: number[];
  /** Of it, what work holds that is never a victim. */
  fixed: number[];
  /** What all its jobs ask for, running and waiting. */
  request: number[];
  /** Devices that its preemptible work holds, by priority. */
  gpusAt: Map<number, number>;
}

interface Run {
  readonly members: number[];
  readonly priority: number;
  /** Where it holds devices. */
  readonly devices: DevicesOn;
}

export interface KaiState {
  readonly setup: KaiSetup;
  waiting: Lanes;
  runs: Map<number, Run>;
  /** Runs with members that have no place. */
  partial: Set<number>;
  ending: Set<number>;
  /** Single pods told to leave. */
  leaving: LeavingPod[];
  /** Of these runs, how long they have been below their least members. */
  shortSinceMs: Map<number, number>;
  books: QueueBook[];
  /** By leaf queue: preemptible runs, least important first, of equals the youngest first. */
  victims: number[][];
  /** Follows from the runs: null in a copy, until somebody asks. */
  heldOn: HeldOn | null;
  usage: UsageBook | null;
  readonly originMs: number;
  lastSessionMs: number;
  stale: boolean;
  grown: number;
  failedAt: Map<number, number>;
  awaited: Set<number>;
  /** Jobs for which others had to leave, and how often: they come first, or those would take their old places again for ever. A job that runs is owed as many members. */
  roomMadeFor: Map<number, number>;
}

export function createState(view: PoolView, pool: PoolSettings): KaiState {
  const setup = setupOf(view, pool);
  const count = setup.queues.length;
  const state: KaiState = {
    setup,
    waiting: createLanes(count),
    runs: new Map(),
    partial: new Set(),
    ending: new Set(),
    leaving: [],
    shortSinceMs: new Map(),
    books: setup.queues.map(() => ({
      allocated: noAmounts(),
      fixed: noAmounts(),
      request: noAmounts(),
      gpusAt: new Map(),
    })),
    victims: setup.queues.map(() => []),
    heldOn: createHeldOn(view.cluster.nodeCount, count),
    usage:
      setup.strength > 0
        ? createUsage(view.nowMs, setup.usageWindowMs, setup.usageHalfLifeMs, count)
        : null,
    originMs: view.nowMs,
    lastSessionMs: -1,
    stale: true,
    grown: 0,
    failedAt: new Map(),
    awaited: new Set(),
    roomMadeFor: new Map(),
  };
  const running = view.running();
  for (let i = 0; i < running.length; i++) takeStock(view, state, running.at[i]!);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) arrive(view, state, waiting.at[i]!);
  return state;
}

export function copyState(state: KaiState): KaiState {
  return {
    ...state,
    waiting: copyLanes(state.waiting),
    runs: new Map(state.runs),
    partial: new Set(state.partial),
    ending: new Set(state.ending),
    leaving: [...state.leaving],
    shortSinceMs: new Map(state.shortSinceMs),
    books: state.books.map((book) => ({
      allocated: [...book.allocated],
      fixed: [...book.fixed],
      request: [...book.request],
      gpusAt: new Map(book.gpusAt),
    })),
    victims: state.victims.map((jobs) => [...jobs]),
    heldOn: null,
    usage: state.usage === null ? null : copyUsage(state.usage),
    failedAt: new Map(state.failedAt),
    awaited: new Set(state.awaited),
    roomMadeFor: new Map(state.roomMadeFor),
  };
}

export function groupOf(view: PoolView, jobIdx: number): GroupClass {
  const classes = classesOf(view.jobs, view.cluster);
  return classes.list[classes.classOfJob[jobIdx]!]!;
}

export function queueOf(view: PoolView, state: KaiState, jobIdx: number): number {
  return state.setup.queueOf[view.jobs.at.queue[jobIdx]!] ?? 0;
}

export function laneOf(view: PoolView, state: KaiState, jobIdx: number): Lane {
  const { classOfJob } = classesOf(view.jobs, view.cluster);
  const priority = priorityOf(view, state.setup, jobIdx);
  return laneFor(state.waiting, queueOf(view, state, jobIdx), priority, classOfJob[jobIdx]!);
}

/** A job that holds nothing waits; one that holds too little waits with what it has. */
export function arrive(view: PoolView, state: KaiState, jobIdx: number): void {
  takeStock(view, state, jobIdx);
  if (state.runs.has(jobIdx)) return;
  joinLane(state.waiting, laneOf(view, state, jobIdx), view.jobs.at.submitMs, jobIdx);
  addAmounts(state.books[queueOf(view, state, jobIdx)]!.request, groupOf(view, jobIdx).fullRequest);
}

/** Takes a job that holds nothing out of all lists. */
export function leave(view: PoolView, state: KaiState, jobIdx: number): void {
  state.awaited.delete(jobIdx);
  state.roomMadeFor.delete(jobIdx);
  if (!leaveLanes(state.waiting, view.jobs.at.submitMs, jobIdx)) return;
  const book = state.books[queueOf(view, state, jobIdx)]!;
  addAmounts(book.request, groupOf(view, jobIdx).fullRequest, -1);
}

/** A job whose tier has changed waits in another lane, or is another victim. */
export function changeLane(view: PoolView, state: KaiState, jobIdx: number): void {
  const { submitMs } = view.jobs.at;
  if (leaveLanes(state.waiting, submitMs, jobIdx))
    joinLane(state.waiting, laneOf(view, state, jobIdx), submitMs, jobIdx);
  else if (state.runs.has(jobIdx)) takeStock(view, state, jobIdx);
}

/** Brings the books up to date with what a job holds now. */
export function takeStock(view: PoolView, state: KaiState, jobIdx: number): void {
  const group = groupOf(view, jobIdx);
  const queueIdx = queueOf(view, state, jobIdx);
  const before = state.runs.get(jobIdx);
  if (before !== undefined) {
    charge(state.books[queueIdx]!, group, before, -1);
    if (before.priority < FIXED_FROM) {
      dropVictim(view, state, queueIdx, jobIdx, before.priority);
      if (state.heldOn !== null)
        shiftHeldOn(state.heldOn, queueIdx, before.priority, before.devices, -1);
    }
  }
  const members = membersHeld(view, group, jobIdx, state.leaving);
  if (members === null) {
    if (before !== undefined) state.roomMadeFor.delete(jobIdx);
    state.runs.delete(jobIdx);
    state.partial.delete(jobIdx);
    state.leaving = state.leaving.filter((pod) => pod.jobIdx !== jobIdx);
    state.shortSinceMs.delete(jobIdx);
    return;
  }
  const priority = priorityOf(view, state.setup, jobIdx);
  const run = { members, priority, devices: devicesOn(view, jobIdx) };
  state.runs.set(jobIdx, run);
  charge(state.books[queueIdx]!, group, run, 1);
  if (run.priority < FIXED_FROM) {
    addVictim(view, state, queueIdx, jobIdx, run.priority);
    if (state.heldOn !== null) shiftHeldOn(state.heldOn, queueIdx, priority, run.devices, 1);
  }
  if (shortComponent(group, members, state.leaving, jobIdx) >= 0) state.partial.add(jobIdx);
  else state.partial.delete(jobIdx);
}

function devicesOn(view: PoolView, jobIdx: number): DevicesOn {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const devices = new Int32Array(holdings.length * 2);
  for (let row = 0; row < holdings.length; row++) {
    devices[row * 2] = holdings.node[row]!;
    devices[row * 2 + 1] = holdings.count[row]!;
  }
  return devices;
}

/** O(1); O(what runs) the first time after a snapshot. */
export function heldOnOf(view: PoolView, state: KaiState): HeldOn {
  if (state.heldOn !== null) return state.heldOn;
  state.heldOn = createHeldOn(view.cluster.nodeCount, state.setup.queues.length);
  for (const [jobIdx, { priority, devices }] of state.runs)
    if (priority < FIXED_FROM)
      shiftHeldOn(state.heldOn, queueOf(view, state, jobIdx), priority, devices, 1);
  return state.heldOn;
}

const holdings = new Grant();

function charge(
  book: QueueBook,
  group: GroupClass,
  { members, priority }: Run,
  sign: number,
): void {
  for (const [at, each] of group.each.entries()) {
    addAmounts(book.allocated, each, sign * members[at]!);
    if (priority >= FIXED_FROM) addAmounts(book.fixed, each, sign * members[at]!);
    else
      book.gpusAt.set(
        priority,
        (book.gpusAt.get(priority) ?? 0) + sign * each[GPU]! * members[at]!,
      );
  }
  addAmounts(book.request, group.fullRequest, sign);
}

function addVictim(
  view: PoolView,
  state: KaiState,
  queueIdx: number,
  jobIdx: number,
  priority: number,
): void {
  const jobs = state.victims[queueIdx]!;
  jobs.splice(victimPlace(view, state, jobs, jobIdx, priority), 0, jobIdx);
}

function dropVictim(
  view: PoolView,
  state: KaiState,
  queueIdx: number,
  jobIdx: number,
  priority: number,
): void {
  const jobs = state.victims[queueIdx]!;
  const at = victimPlace(view, state, jobs, jobIdx, priority);
  if (jobs[at] === jobIdx) jobs.splice(at, 1);
}

/** First place whose job is not a victim before this one. O(log n). */
function victimPlace(
  view: PoolView,
  state: KaiState,
  jobs: readonly number[],
  jobIdx: number,
  priority: number,
): number {
  const { submitMs } = view.jobs.at;
  let low = 0;
  let high = jobs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = jobs[middle]!;
    const theirs = state.runs.get(other)!.priority;
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
