/**
 * Whose turn it is: down the tree, at each level the child that comes first, then its first job. A queue comes first that is not above its fair share; that with its job stays
 * within its quota; with the higher priority; that has a share at all of what it uses; with the smaller part of its share, its job counted, then without; with the smaller share; the older one.
 * What is known of a queue is kept until its turn comes: nobody else changes it. Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/plugins/proportion/queue_order`.
 */
import { type Amounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { isReady, shortComponent } from "../../scheduling/kubernetes/podGroups/held.ts";
import { type Lane, nextLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { groupAt } from "../podGroups/session.ts";
import { partialsByQueue } from "../podGroups/state.ts";
import type { Session } from "./session.ts";
import type { KaiSetup } from "./setup.ts";

/** The next job: the head of a lane, or one that holds some of its members. */
export interface Turn {
  readonly queueIdx: number;
  readonly lane: Lane | null;
  readonly jobIdx: number;
  readonly priority: number;
  readonly request: Amounts;
  /** Members wanted, by component. */
  readonly wanted: readonly number[];
}

/** Jobs that hold members and want more, by queue. */
export type Partials = number[][];

export function openPartials(session: Session): Partials {
  const { view, state, promised } = session;
  return partialsByQueue(
    view,
    state,
    (jobIdx) => !promised.has(jobIdx) || nextComponent(session, jobIdx) >= 0,
  );
}

/** Turns of one action: the first of each queue and what it is compared by, until its queue has had a turn. There is one at a time. */
export interface Turns {
  partials: Partials;
  /** By queue; `undefined` = not known now. */
  readonly first: (Turn | null | undefined)[];
  /** By queue and key. */
  readonly keys: Float64Array;
}

/** Of the run whose setup it is, used again by each action. */
const knownTurns = new WeakMap<KaiSetup, Turns>();

export function openTurns({ setup }: Session, partials: Partials): Turns {
  let turns = knownTurns.get(setup);
  if (turns === undefined) {
    const count = setup.queues.length;
    const first = new Array<undefined>(count).fill(undefined);
    turns = { partials, first, keys: new Float64Array(count * KEYS) };
    knownTurns.set(setup, turns);
  }
  reopenTurns(turns, partials);
  return turns;
}

/** All queues are looked at anew. */
export function reopenTurns(turns: Turns, partials: Partials): void {
  turns.partials = partials;
  turns.first.fill(undefined);
}

/** The queue has had a turn: it and those above it have another first job, or hold more. */
export function turnTaken({ setup }: Session, { first }: Turns, queueIdx: number): void {
  for (let up = queueIdx; up >= 0; up = setup.queues[up]!.parentIdx) first[up] = undefined;
}

/** O(queues on the way of the last turn × their siblings + lanes of its queue). */
export function nextTurn(session: Session, turns: Turns): Turn | null {
  return bestBelow(session, session.setup.queues.length, turns);
}

function bestBelow(session: Session, parent: number, turns: Turns): Turn | null {
  const { first, keys } = turns;
  let best: Turn | null = null;
  let bestIdx = -1;
  for (const idx of session.setup.children[parent]!) {
    let turn = first[idx];
    if (turn === undefined) {
      const isLeaf = session.setup.children[idx]!.length === 0;
      turn = isLeaf ? turnOf(session, idx, turns.partials) : bestBelow(session, idx, turns);
      first[idx] = turn;
      if (turn !== null) fillKey(session, idx, turn.request, keys, idx * KEYS);
    }
    if (turn === null || (best !== null && !isLess(keys, idx * KEYS, keys, bestIdx * KEYS)))
      continue;
    best = turn;
    bestIdx = idx;
  }
  return best;
}

/** Priority first, then jobs that lack their least members, then age. */
function turnOf(session: Session, queueIdx: number, partials: Partials): Turn | null {
  const { state } = session;
  const lane = nextLane(state.waiting, queueIdx);
  const partial = bestPartial(session, partials[queueIdx]!);
  if (partial >= 0 && (lane === null || partialFirst(session, partial, lane))) {
    return memberTurn(session, queueIdx, partial);
  }
  return lane === null ? null : laneTurn(session, lane);
}

/** The least members of the head of a lane. */
export function laneTurn(session: Session, lane: Lane): Turn {
  const { queueIdx, priority } = lane;
  const jobIdx = lane.jobs[lane.first]!;
  const { least, leastRequest } = groupAt(session, jobIdx);
  return { queueIdx, lane, jobIdx, priority, request: leastRequest, wanted: least };
}

/** One more member of a job that holds some. */
export function memberTurn(session: Session, queueIdx: number, jobIdx: number): Turn {
  const group = groupAt(session, jobIdx);
  const at = nextComponent(session, jobIdx);
  const wanted = group.least.map((_, idx) => (idx === at ? 1 : 0));
  const { priority } = session.state.runs.get(jobIdx)!;
  return { queueIdx, lane: null, jobIdx, priority, request: group.each[at]!, wanted };
}

/** The first component that could have one more, what it was promised counted; −1: none. */
export function nextComponent({ state, classes, promised }: Session, jobIdx: number): number {
  const group = classes.list[classes.classOfJob[jobIdx]!]!;
  const { members } = state.runs.get(jobIdx)!;
  const kept = promised.get(jobIdx);
  const there = kept === undefined ? members : members.map((count, at) => count + kept[at]!);
  return shortComponent(group, there, state.leaving, jobIdx);
}

function bestPartial(session: Session, jobs: readonly number[]): number {
  let best = -1;
  for (const jobIdx of jobs)
    if (best < 0 || partialKey(session, jobIdx) > partialKey(session, best)) best = jobIdx;
  return best;
}

/** Larger goes first. */
function partialKey(session: Session, jobIdx: number): number {
  const { members, priority } = session.state.runs.get(jobIdx)!;
  return priority * 2 + (isReady(groupAt(session, jobIdx), members) ? 0 : 1);
}

function partialFirst(session: Session, jobIdx: number, lane: Lane): boolean {
  const { members, priority } = session.state.runs.get(jobIdx)!;
  if (priority !== lane.priority) return priority > lane.priority;
  return !isReady(groupAt(session, jobIdx), members) && jobIdx < lane.jobs[lane.first]!;
}

/** What decides between queues, each smaller first. */
export const KEYS = 8;

/** Does the queue of one key come before that of another? No two keys are equal. */
export function isLess(
  one: Float64Array,
  from: number,
  other: Float64Array,
  otherFrom: number,
): boolean {
  for (let at = 0; at < KEYS; at++) {
    const mine = one[from + at]!;
    const theirs = other[otherFrom + at]!;
    if (mine !== theirs) return mine < theirs;
  }
  return false;
}

/** What a queue is compared by, given its first job. */
export function fillKey(
  session: Session,
  queueIdx: number,
  request: Amounts,
  keys: Float64Array,
  from: number,
): void {
  const { quota, limit, priority } = session.setup.queues[queueIdx]!;
  const has = session.held[queueIdx]!;
  const fair = session.fair[queueIdx]!;
  let above = 0;
  let overQuota = 0;
  let noShare = 0;
  let partAfter = 0;
  let partNow = 0;
  let size = 0;
  for (let at = 0; at < has.length; at++) {
    const after = has[at]! + request[at]!;
    const most = quota[at]! < 0 ? Number.POSITIVE_INFINITY : Math.max(quota[at]!, fair[at]!);
    const share = limit[at]! < 0 ? most : Math.min(limit[at]!, most);
    if (has[at]! > fair[at]! + ROUNDING) above = 1;
    if (quota[at]! >= 0 && after > quota[at]! + ROUNDING) overQuota = 1;
    if (after > 0 && share === 0) noShare = 1;
    // A queue without a share is full with next to nothing.
    const base = share > 0 ? share : Math.max(ROUNDING, session.total[at]! / 1_000);
    partAfter = Math.max(partAfter, after / base);
    partNow = Math.max(partNow, has[at]! / base);
    if (at === GPU) size = share;
  }
  keys[from] = above;
  keys[from + 1] = overQuota;
  keys[from + 2] = -priority;
  keys[from + 3] = noShare;
  keys[from + 4] = partAfter;
  keys[from + 5] = partNow;
  keys[from + 6] = size;
  keys[from + 7] = queueIdx;
}

const ROUNDING = 1e-9;
