/**
 * The memory of Volcano's scheduler. Upstream has none but the phase of each pod group, so most of this only saves looking everything up anew: waiting jobs by lane, what
 * each job holds, sums by queue. Copies are O(what waits and runs).
 */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { addAmounts, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { classesOf, type GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import {
  isReady,
  membersHeld,
  shortComponent,
} from "../../scheduling/kubernetes/podGroups/held.ts";
import {
  copyLanes,
  createLanes,
  joinLane,
  type Lane,
  type Lanes,
  laneFor,
  laneOfJob,
  leaveLanes,
} from "../../scheduling/kubernetes/podGroups/lanes.ts";
import type { LeavingPod } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { setupOf, type VolcanoSetup } from "./setup.ts";

/** What a queue's jobs come to. */
export interface QueueBook {
  /** What they hold. */
  allocated: number[];
  /** Least requests of jobs let in that hold nothing yet. */
  inqueue: number[];
  /** What all their pods ask for, running and waiting. */
  request: number[];
  /** What jobs hold beyond their least members. */
  elastic: number[];
}

export interface VolcanoState {
  readonly setup: VolcanoSetup;
  /** Pod groups that have not been let in, and those that have. */
  pending: Lanes;
  inqueue: Lanes;
  /** Let in; their pods exist from then on. In order of time. */
  creating: { jobIdx: number; atMs: number }[];
  /** Jobs let in that hold nothing. */
  entered: Set<number>;
  /** Members held by component. */
  runs: Map<number, number[]>;
  /** Of these, the ones with members that have no place. */
  partial: Set<number>;
  /** Told to leave, devices not back. */
  ending: Set<number>;
  /** Single pods told to leave. */
  leaving: LeavingPod[];
  books: QueueBook[];
  /** Sessions come at this time plus multiples of the period. */
  readonly originMs: number;
  lastSessionMs: number;
  /** Something has happened that the last session did not see. */
  stale: boolean;
  /** Counts how often room may have grown. */
  grown: number;
  /** By class: `grown` when it last found no node. */
  failedAt: Map<number, number>;
  /** Jobs that room was made for. */
  awaited: Set<number>;
}

export function createState(view: PoolView, pool: PoolSettings): VolcanoState {
  const setup = setupOf(view, pool);
  const count = setup.queues.length;
  const state: VolcanoState = {
    setup,
    pending: createLanes(count),
    inqueue: createLanes(count),
    creating: [],
    entered: new Set(),
    runs: new Map(),
    partial: new Set(),
    ending: new Set(),
    leaving: [],
    books: setup.queues.map(() => ({
      allocated: noAmounts(),
      inqueue: noAmounts(),
      request: noAmounts(),
      elastic: noAmounts(),
    })),
    originMs: view.nowMs,
    lastSessionMs: -1,
    stale: true,
    grown: 0,
    failedAt: new Map(),
    awaited: new Set(),
  };
  const running = view.running();
  for (let i = 0; i < running.length; i++) takeStock(view, state, running.at[i]!);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) arrive(view, state, waiting.at[i]!);
  return state;
}

export function copyState(state: VolcanoState): VolcanoState {
  return {
    ...state,
    pending: copyLanes(state.pending),
    inqueue: copyLanes(state.inqueue),
    creating: state.creating.map((one) => ({ ...one })),
    entered: new Set(state.entered),
    runs: new Map([...state.runs].map(([job, members]) => [job, [...members]])),
    partial: new Set(state.partial),
    ending: new Set(state.ending),
    leaving: [...state.leaving],
    books: state.books.map((book) => ({
      allocated: [...book.allocated],
      inqueue: [...book.inqueue],
      request: [...book.request],
      elastic: [...book.elastic],
    })),
    failedAt: new Map(state.failedAt),
    awaited: new Set(state.awaited),
  };
}

export function groupOf(view: PoolView, jobIdx: number): GroupClass {
  const classes = classesOf(view.jobs, view.cluster);
  return classes.list[classes.classOfJob[jobIdx]!]!;
}

export function queueOf(view: PoolView, state: VolcanoState, jobIdx: number): number {
  return state.setup.queueOf[view.jobs.at.queue[jobIdx]!] ?? 0;
}

export function priorityOf(view: PoolView, state: VolcanoState, jobIdx: number): number {
  return state.setup.priority ? state.setup.tierPriority[view.tierOfJob[jobIdx]!]! : 0;
}

export function laneOf(view: PoolView, state: VolcanoState, lanes: Lanes, jobIdx: number): Lane {
  const { classOfJob } = classesOf(view.jobs, view.cluster);
  const priority = priorityOf(view, state, jobIdx);
  return laneFor(lanes, queueOf(view, state, jobIdx), priority, classOfJob[jobIdx]!);
}

/** A job that holds nothing waits to be let in; without the enqueue action it is in at once. One that holds too little waits with what it has. */
export function arrive(view: PoolView, state: VolcanoState, jobIdx: number): void {
  takeStock(view, state, jobIdx);
  if (state.runs.has(jobIdx)) return;
  if (state.setup.actions.includes("enqueue"))
    joinLane(
      state.pending,
      laneOf(view, state, state.pending, jobIdx),
      view.jobs.at.submitMs,
      jobIdx,
    );
  else enter(view, state, jobIdx);
}

/** A pod group is let in: its pods are made, and count from now on. */
export function enter(view: PoolView, state: VolcanoState, jobIdx: number): void {
  const group = groupOf(view, jobIdx);
  const book = state.books[queueOf(view, state, jobIdx)]!;
  addAmounts(book.inqueue, group.leastRequest);
  addAmounts(book.request, group.fullRequest);
  state.entered.add(jobIdx);
  if (state.setup.podCreateMs > 0)
    state.creating.push({ jobIdx, atMs: view.nowMs + state.setup.podCreateMs });
  else joinInqueue(view, state, jobIdx);
}

export function joinInqueue(view: PoolView, state: VolcanoState, jobIdx: number): void {
  joinLane(
    state.inqueue,
    laneOf(view, state, state.inqueue, jobIdx),
    view.jobs.at.submitMs,
    jobIdx,
  );
}

/** Takes a job that holds nothing out of all lists. */
export function leave(view: PoolView, state: VolcanoState, jobIdx: number): void {
  const { submitMs } = view.jobs.at;
  state.awaited.delete(jobIdx);
  if (leaveLanes(state.pending, submitMs, jobIdx) || !state.entered.delete(jobIdx)) return;
  const group = groupOf(view, jobIdx);
  const book = state.books[queueOf(view, state, jobIdx)]!;
  addAmounts(book.inqueue, group.leastRequest, -1);
  addAmounts(book.request, group.fullRequest, -1);
  if (leaveLanes(state.inqueue, submitMs, jobIdx)) return;
  state.creating = state.creating.filter((one) => one.jobIdx !== jobIdx);
}

/** A job whose tier has changed waits in another lane. */
export function changeLane(view: PoolView, state: VolcanoState, jobIdx: number): void {
  const { submitMs } = view.jobs.at;
  for (const lanes of [state.pending, state.inqueue])
    if (leaveLanes(lanes, submitMs, jobIdx))
      joinLane(lanes, laneOf(view, state, lanes, jobIdx), submitMs, jobIdx);
}

/** Whether it waits and holds nothing. O(1). */
export function isWaiting(state: VolcanoState, jobIdx: number): boolean {
  return state.entered.has(jobIdx) || laneOfJob(state.pending, jobIdx) !== null;
}

/** Brings the books up to date with what a job holds now. */
export function takeStock(view: PoolView, state: VolcanoState, jobIdx: number): void {
  const group = groupOf(view, jobIdx);
  const book = state.books[queueOf(view, state, jobIdx)]!;
  const before = state.runs.get(jobIdx);
  if (before !== undefined) charge(book, group, before, -1);
  const now = membersHeld(view, group, jobIdx, state.leaving);
  if (now === null) {
    state.runs.delete(jobIdx);
    state.partial.delete(jobIdx);
    state.leaving = state.leaving.filter((pod) => pod.jobIdx !== jobIdx);
    return;
  }
  charge(book, group, now, 1);
  state.runs.set(jobIdx, now);
  if (shortComponent(group, now, state.leaving, jobIdx) >= 0) state.partial.add(jobIdx);
  else state.partial.delete(jobIdx);
}

function charge(
  book: QueueBook,
  group: GroupClass,
  members: readonly number[],
  sign: number,
): void {
  const ready = isReady(group, members);
  for (const [at, each] of group.each.entries()) {
    addAmounts(book.allocated, each, sign * members[at]!);
    if (ready) addAmounts(book.elastic, each, sign * (members[at]! - group.least[at]!));
  }
  addAmounts(book.request, group.fullRequest, sign);
}
