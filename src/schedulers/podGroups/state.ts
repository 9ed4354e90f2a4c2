/**
 * What a scheduler of pod groups keeps, whatever its rules: waiting jobs by lane, what each job holds, who is leaving. Upstream keeps next to nothing, so this only saves looking
 * everything up anew. Plain data; rules stand in a constant beside it. Copies are O(what waits and runs).
 */

import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { JobStateCode } from "../../model/states.ts";
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
import type { GroupBook, GroupRun } from "./runs.ts";

/** What settings and YAML say that both schedulers know. */
export interface GroupSetup {
  readonly periodMs: number;
  readonly queues: readonly { readonly name: string; readonly parentIdx: number }[];
  /** Queue of each of the document's queues. */
  readonly queueOf: readonly number[];
  /** By queue: the subject of its gauges; −1 = it has none. */
  readonly subjects: readonly number[];
  readonly graceMs: number;
  readonly bindsPerSecond: number;
  readonly podStartMs: number;
}

export interface GroupState {
  readonly setup: GroupSetup;
  /** Jobs that hold nothing and may be given a place. */
  waiting: Lanes;
  runs: Map<number, GroupRun>;
  /** By queue. */
  books: GroupBook[];
  /** Of these, the ones with members that have no place. */
  partial: Set<number>;
  /** Told to leave, devices not back. */
  ending: Set<number>;
  /** Single pods told to leave. */
  leaving: LeavingPod[];
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

/** How a scheduler's books follow what happens to a job. */
export interface Books<S extends GroupState> {
  /** A job that holds nothing waits from now on. */
  readonly arrive: (view: PoolView, state: S, jobIdx: number) => void;
  /** A job that holds nothing is taken out of all lists. */
  readonly leave: (view: PoolView, state: S, jobIdx: number) => void;
  /** A job's tier is another. */
  readonly changeLane: (view: PoolView, state: S, jobIdx: number) => void;
  /** The books say what the job holds now. */
  readonly takeStock: (view: PoolView, state: S, jobIdx: number) => void;
  /** Whether it waits and holds nothing. O(1). */
  readonly isWaiting: (state: S, jobIdx: number) => boolean;
}

export function createGroupState<S extends GroupSetup>(view: PoolView, setup: S) {
  return {
    setup,
    waiting: createLanes(setup.queues.length),
    partial: new Set<number>(),
    ending: new Set<number>(),
    leaving: [] as LeavingPod[],
    originMs: view.nowMs,
    lastSessionMs: -1,
    stale: true,
    grown: 0,
    failedAt: new Map<number, number>(),
    awaited: new Set<number>(),
  };
}

/** The shared part of a copy. */
export function copyGroupState(state: GroupState) {
  return {
    waiting: copyLanes(state.waiting),
    partial: new Set(state.partial),
    ending: new Set(state.ending),
    leaving: [...state.leaving],
    failedAt: new Map(state.failedAt),
    awaited: new Set(state.awaited),
  };
}

/** Takes over what runs and waits when a scheduler begins. */
export function takeOver<S extends GroupState>(view: PoolView, state: S, books: Books<S>): S {
  const running = view.running();
  for (let i = 0; i < running.length; i++) books.takeStock(view, state, running.at[i]!);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) books.arrive(view, state, waiting.at[i]!);
  return state;
}

export function groupOf(view: PoolView, jobIdx: number): GroupClass {
  const classes = classesOf(view.jobs, view.cluster);
  return classes.list[classes.classOfJob[jobIdx]!]!;
}

export function queueOf(
  view: PoolView,
  { setup }: Pick<GroupState, "setup">,
  jobIdx: number,
): number {
  return setup.queueOf[view.jobs.at.queue[jobIdx]!] ?? 0;
}

function laneOf(
  view: PoolView,
  state: GroupState,
  lanes: Lanes,
  jobIdx: number,
  priority: number,
): Lane {
  const { classOfJob } = classesOf(view.jobs, view.cluster);
  return laneFor(lanes, queueOf(view, state, jobIdx), priority, classOfJob[jobIdx]!);
}

/** Puts a job into the lane of its queue, priority and class. */
export function join(
  view: PoolView,
  state: GroupState,
  lanes: Lanes,
  jobIdx: number,
  priority: number,
): void {
  const lane = laneOf(view, state, lanes, jobIdx, priority);
  joinLane(lanes, lane, view.jobs.at.submitMs, jobIdx);
}

/** Whether it was there. */
export function leaveLane(view: PoolView, lanes: Lanes, jobIdx: number): boolean {
  return leaveLanes(lanes, view.jobs.at.submitMs, jobIdx);
}

/** A job whose tier has changed waits in another lane. */
export function changeLanes(
  view: PoolView,
  state: GroupState,
  lanes: readonly Lanes[],
  jobIdx: number,
  priority: number,
): void {
  for (const some of lanes)
    if (leaveLane(view, some, jobIdx)) join(view, state, some, jobIdx, priority);
}

/** Brings runs up to date with what a job holds now: `make` gives the run of these members, `count` puts one on the books, or takes it off again. */
export function recount<R extends GroupRun>(
  view: PoolView,
  state: Omit<GroupState, "runs"> & { runs: Map<number, R> },
  jobIdx: number,
  make: (group: GroupClass, queueIdx: number, members: readonly number[]) => R,
  count: (run: R, group: GroupClass, sign: 1 | -1) => void,
): void {
  const group = groupOf(view, jobIdx);
  const before = state.runs.get(jobIdx);
  if (before !== undefined) count(before, group, -1);
  const members = membersHeld(view, group, jobIdx, state.leaving);
  if (members === null) {
    state.runs.delete(jobIdx);
    state.partial.delete(jobIdx);
    if (state.leaving.length > 0)
      state.leaving = state.leaving.filter((pod) => pod.jobIdx !== jobIdx);
    return;
  }
  const run = make(group, queueOf(view, state, jobIdx), members);
  state.runs.set(jobIdx, run);
  count(run, group, 1);
  if (shortComponent(group, members, state.leaving, jobIdx) >= 0) state.partial.add(jobIdx);
  else state.partial.delete(jobIdx);
}

/** While a job writes a checkpoint or is suspended nobody joins it. */
export function mayJoin(view: PoolView, jobIdx: number): boolean {
  const now = view.jobState[jobIdx]!;
  return now !== JobStateCode.checkpointing && now !== JobStateCode.suspended;
}

/** Jobs that hold members and may be given more, by queue, in the order of their numbers. */
export function partialsByQueue(
  view: PoolView,
  state: GroupState,
  wants: (jobIdx: number) => boolean = () => true,
): number[][] {
  const partials: number[][] = state.setup.queues.map(() => []);
  for (const jobIdx of [...state.partial].sort((one, other) => one - other))
    if (mayJoin(view, jobIdx) && wants(jobIdx))
      partials[queueOf(view, state, jobIdx)]!.push(jobIdx);
  return partials;
}

/** Queues as described, then those that jobs name and nobody describes; and the queue of each of the document's. */
export function namedQueues<Q extends { readonly name: string }>(
  asked: readonly string[],
  described: readonly Q[],
  plainQueue: (name: string) => Q,
): { readonly queues: readonly Q[]; readonly queueOf: readonly number[] } {
  const queues = [...described];
  const indexOf = new Map(described.map(({ name }, idx) => [name, idx]));
  const queueOf = asked.map((given) => {
    const name = given === "" || given === "-" ? DEFAULT_QUEUE : given;
    let idx = indexOf.get(name);
    if (idx === undefined) {
      idx = queues.length;
      indexOf.set(name, idx);
      queues.push(plainQueue(name));
    }
    return idx;
  });
  if (queues.length === 0) queues.push(plainQueue(DEFAULT_QUEUE));
  return { queues, queueOf };
}

const DEFAULT_QUEUE = "default";

/** The settings that both have. */
export function sharedSettings({ settings }: PoolSettings) {
  return {
    periodMs: Number(settings["schedulePeriodMs"]),
    graceMs: Number(settings["graceMs"]),
    bindsPerSecond: Number(settings["bindsPerSecond"]),
    podStartMs: Number(settings["podStartMs"]),
  };
}
