/**
 * Whose turn it is: down the tree, at each level the child that comes first, then its first job. A queue comes first that is not above its fair share; that with its job stays
 * within its quota; with the higher priority; that has a share at all of what it uses; with the smaller part of its share, its job counted, then without; with the smaller share; the older one.
 * O(queues × lanes of a queue). Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/plugins/proportion/queue_order`.
 */
import { type Amounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { isReady, shortComponent } from "../../scheduling/kubernetes/podGroups/held.ts";
import { type Lane, nextLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { groupAt, type Session } from "./session.ts";
import { queueOf } from "./state.ts";

/** The next job: the head of a lane, or one that holds some of its members. */
export interface Turn {
  readonly queueIdx: number;
  readonly lane: Lane | null;
  readonly jobIdx: number;
  readonly request: Amounts;
}

/** Jobs that hold members and want more, by queue. */
export type Partials = number[][];

export function partialsByQueue({ view, state, setup }: Session): Partials {
  const partials: Partials = setup.queues.map(() => []);
  for (const jobIdx of [...state.partial].sort((one, other) => one - other))
    partials[queueOf(view, state, jobIdx)]!.push(jobIdx);
  return partials;
}

export function nextTurn(session: Session, partials: Partials | null): Turn | null {
  return turnBelow(session, session.setup.queues.length, partials);
}

function turnBelow(session: Session, parent: number, partials: Partials | null): Turn | null {
  let best: Turn | null = null;
  let bestKey: readonly number[] = [];
  for (const idx of session.setup.children[parent]!) {
    const isLeaf = session.setup.children[idx]!.length === 0;
    const turn = isLeaf ? turnOf(session, idx, partials) : turnBelow(session, idx, partials);
    if (turn === null) continue;
    const key = queueKey(session, idx, turn.request);
    if (best !== null && !isLess(key, bestKey)) continue;
    best = turn;
    bestKey = key;
  }
  return best;
}

/** Priority first, then jobs that lack their least members, then age. */
function turnOf(session: Session, queueIdx: number, partials: Partials | null): Turn | null {
  const { view, state } = session;
  const lane = nextLane(state.waiting, queueIdx, view.jobs.at.submitMs);
  const partial = partials === null ? -1 : bestPartial(session, partials[queueIdx]!);
  if (partial >= 0 && (lane === null || partialFirst(session, partial, lane))) {
    const group = groupAt(session, partial);
    const { members } = state.runs.get(partial)!;
    const at = shortComponent(group, members, state.leaving, partial);
    return { queueIdx, lane: null, jobIdx: partial, request: group.each[at]! };
  }
  if (lane === null) return null;
  const jobIdx = lane.jobs[lane.first]!;
  return { queueIdx, lane, jobIdx, request: groupAt(session, jobIdx).leastRequest };
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

/** Smaller comes first; what is added by a job counts where it is said. */
export function queueKey(session: Session, queueIdx: number, request: Amounts): number[] {
  const { setup, held, fair, total } = session;
  const { quota, limit, priority } = setup.queues[queueIdx]!;
  const has = held[queueIdx]!;
  const after = has.map((amount, at) => amount + request[at]!);
  const share = fair[queueIdx]!.map((amount, at) => {
    const most = Math.max(quota[at]! < 0 ? Number.POSITIVE_INFINITY : quota[at]!, amount);
    return limit[at]! < 0 ? most : Math.min(limit[at]!, most);
  });
  const above = has.some((amount, at) => amount > fair[queueIdx]![at]! + 1e-9);
  const within = after.every((amount, at) => quota[at]! < 0 || amount <= quota[at]! + 1e-9);
  const shareless = after.some((amount, at) => amount > 0 && share[at] === 0);
  const dominant = (amounts: Amounts) =>
    amounts.reduce((most, amount, at) => {
      if (amount === 0) return most;
      const base = share[at]! > 0 ? share[at]! : Math.max(1e-9, total[at]! / 1_000);
      return Math.max(most, amount / base);
    }, 0);
  return [
    above ? 1 : 0,
    within ? 0 : 1,
    -priority,
    shareless ? 1 : 0,
    dominant(after),
    dominant(has),
    share[GPU]!,
    queueIdx,
  ];
}

export function isLess(key: readonly number[], other: readonly number[]): boolean {
  const at = key.findIndex((value, idx) => value !== other[idx]);
  return at >= 0 && key[at]! < other[at]!;
}
