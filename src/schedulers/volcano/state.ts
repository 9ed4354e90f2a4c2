/**
 * The memory of Volcano's scheduler beside what all schedulers of pod groups keep: groups that are not let in yet, those whose pods are being made, and sums by queue. Upstream has
 * none but the phase of each pod group. Copies are O(what waits and runs).
 */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { addAmounts, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { isReady } from "../../scheduling/kubernetes/podGroups/held.ts";
import {
  copyLanes,
  createLanes,
  type Lanes,
  laneOfJob,
} from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { type Bound, createHeldOn, type HeldOn, shiftHeldOn } from "../podGroups/heldOn.ts";
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
import { setupOf, type VolcanoSetup } from "./setup.ts";

export interface QueueBook extends GroupBook {
  /** Least requests of jobs let in that hold nothing yet. */
  inqueue: number[];
  /** What jobs hold beyond their least members. */
  elastic: number[];
}

interface Run extends GroupRun {
  /** It has more than its least members in sum, so its gang lets some go. */
  readonly spares: boolean;
}

/** Where work lies that may be evicted: follows from the runs. */
interface Victims {
  /** Devices of preemptible work, by queue; that of runs that spare nobody under the numbers of the queues from their count on. */
  readonly heldOn: HeldOn;
  /** Running jobs by node, ascending. */
  readonly jobsOn: number[][];
}

/** `waiting`: pod groups that were let in and whose pods exist. */
export interface VolcanoState extends GroupState {
  readonly setup: VolcanoSetup;
  runs: Map<number, Run>;
  /** Pod groups that have not been let in. */
  pending: Lanes;
  /** Let in; their pods exist from then on. In order of time. */
  creating: { jobIdx: number; atMs: number }[];
  /** Jobs let in that hold nothing. */
  entered: Set<number>;
  books: QueueBook[];
  /** GPUs that queues deserved in the last session, for gauges. */
  deserved: number[];
  /** Null in a copy and where nobody may evict, until somebody asks. */
  victims: Victims | null;
}

export const BOOKS: Books<VolcanoState> = { arrive, leave, changeLane, takeStock, isWaiting };

export function createState(view: PoolView, pool: PoolSettings): VolcanoState {
  const setup = setupOf(view, pool);
  const state: VolcanoState = {
    ...createGroupState(view, setup),
    runs: new Map(),
    pending: createLanes(setup.queues.length),
    creating: [],
    entered: new Set(),
    books: setup.queues.map(() => ({
      ...noBook(),
      inqueue: noAmounts(),
      elastic: noAmounts(),
    })),
    deserved: setup.queues.map(() => 0),
    victims: null,
  };
  return takeOver(view, state, BOOKS);
}

export function copyState(state: VolcanoState): VolcanoState {
  return {
    ...state,
    ...copyGroupState(state),
    runs: new Map(state.runs),
    pending: copyLanes(state.pending),
    creating: state.creating.map((one) => ({ ...one })),
    entered: new Set(state.entered),
    books: state.books.map((book) => ({
      ...copyBook(book),
      inqueue: [...book.inqueue],
      elastic: [...book.elastic],
    })),
    deserved: [...state.deserved],
    victims: null,
  };
}

export function priorityOf(view: PoolView, { setup }: VolcanoState, jobIdx: number): number {
  return setup.priority ? setup.tierPriority[view.tierOfJob[jobIdx]!]! : 0;
}

/** A job that holds nothing waits to be let in; without the enqueue action it is in at once. One that holds too little waits with what it has. */
function arrive(view: PoolView, state: VolcanoState, jobIdx: number): void {
  takeStock(view, state, jobIdx);
  if (state.runs.has(jobIdx)) return;
  if (!state.setup.actions.includes("enqueue")) enter(view, state, jobIdx);
  else join(view, state, state.pending, jobIdx, priorityOf(view, state, jobIdx));
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
  else join(view, state, state.waiting, jobIdx, priorityOf(view, state, jobIdx));
}

/** Pods whose time has come wait for a place from now on. */
export function podsMade(view: PoolView, state: VolcanoState): void {
  const { creating } = state;
  if (creating.length === 0 || creating[0]!.atMs > view.nowMs) return;
  state.creating = creating.filter(({ atMs }) => atMs > view.nowMs);
  for (const { jobIdx, atMs } of creating)
    if (atMs <= view.nowMs)
      join(view, state, state.waiting, jobIdx, priorityOf(view, state, jobIdx));
}

function leave(view: PoolView, state: VolcanoState, jobIdx: number): void {
  state.awaited.delete(jobIdx);
  if (leaveLane(view, state.pending, jobIdx) || !state.entered.delete(jobIdx)) return;
  const group = groupOf(view, jobIdx);
  const book = state.books[queueOf(view, state, jobIdx)]!;
  addAmounts(book.inqueue, group.leastRequest, -1);
  addAmounts(book.request, group.fullRequest, -1);
  if (leaveLane(view, state.waiting, jobIdx)) return;
  state.creating = state.creating.filter((one) => one.jobIdx !== jobIdx);
}

/** A job whose tier has changed waits in another lane, or is another victim. */
function changeLane(view: PoolView, state: VolcanoState, jobIdx: number): void {
  if (state.runs.has(jobIdx)) takeStock(view, state, jobIdx);
  const priority = priorityOf(view, state, jobIdx);
  changeLanes(view, state, [state.pending, state.waiting], jobIdx, priority);
}

function isWaiting(state: VolcanoState, jobIdx: number): boolean {
  return state.entered.has(jobIdx) || laneOfJob(state.pending, jobIdx) !== null;
}

function takeStock(view: PoolView, state: VolcanoState, jobIdx: number): void {
  recount(
    view,
    state,
    jobIdx,
    (group, queueIdx, members) => ({
      ...runOf(view, group, jobIdx, queueIdx, priorityOf(view, state, jobIdx), members),
      spares: members.reduce((sum, count) => sum + count, 0) > group.leastMembers,
    }),
    (run, group, sign) => {
      charge(state.books[run.queueIdx]!, group, run, sign);
      if (state.victims !== null) shiftVictim(view, state, state.victims, run, sign);
    },
  );
}

function shiftVictim(
  view: PoolView,
  state: VolcanoState,
  { heldOn, jobsOn }: Victims,
  { jobIdx, queueIdx, priority, spares, devices }: Run,
  sign: 1 | -1,
): void {
  const under = queueIdx + (spares ? 0 : state.setup.queues.length);
  if ((view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0)
    shiftHeldOn(heldOn, under, priority, devices, sign);
  for (let row = 0; row < devices.length; row += 2) {
    const there = jobsOn[devices[row]!]!;
    const at = there.findIndex((other) => other >= jobIdx);
    if (sign < 0) {
      if (there[at] === jobIdx) there.splice(at, 1);
    } else if (at < 0) there.push(jobIdx);
    else if (there[at] !== jobIdx) there.splice(at, 0, jobIdx);
  }
}

/** O(1); O(what runs) the first time, and the first time after a snapshot. */
function victimsOf(view: PoolView, state: VolcanoState): Victims {
  if (state.victims !== null) return state.victims;
  const heldOn = createHeldOn(view.cluster.nodeCount, 2 * state.setup.queues.length);
  state.victims = { heldOn, jobsOn: Array.from({ length: view.cluster.nodeCount }, () => []) };
  for (const run of state.runs.values()) shiftVictim(view, state, state.victims, run, 1);
  return state.victims;
}

/** Adds by node what would be free if all left that may: of these queues and priorities, and with `gangs` only members that their gangs can spare. */
export function addVictims(
  to: Bound,
  view: PoolView,
  state: VolcanoState,
  gangs: boolean,
  may: (queueIdx: number, priority: number) => boolean,
): void {
  const queues = state.setup.queues.length;
  to.addHeld(victimsOf(view, state).heldOn, (at, priority) =>
    at < queues ? may(at, priority) : !gangs && may(at - queues, priority),
  );
}

/** Running jobs by node. */
export const jobsOn = (view: PoolView, state: VolcanoState): readonly (readonly number[])[] =>
  victimsOf(view, state).jobsOn;

function charge(book: QueueBook, group: GroupClass, run: Run, sign: 1 | -1): void {
  chargeBook(book, group, run, sign);
  if (!isReady(group, run.members)) return;
  for (const [at, each] of group.each.entries())
    addAmounts(book.elastic, each, sign * (run.members[at]! - group.least[at]!));
}
