/**
 * In which order runs are asked to leave: queues that come last in the order of turns first, in a queue the least important and youngest run first. What a queue is compared by is
 * worked out anew only once one of its runs has left. O(queues) a victim.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { Session } from "./session.ts";
import { FIXED_FROM, type KaiSetup } from "./setup.ts";
import type { Run } from "./state.ts";
import { fillKey, isLess, KEYS } from "./turns.ts";
import { type Victim, victimsOf } from "./victims.ts";

const NOBODY = noAmounts();

/** Whose work is left alone. */
export interface Protection {
  readonly leastRun?: "preemptMinMs" | "reclaimMinMs";
  readonly belowPriority?: number;
}

export interface WhoMay extends Protection {
  /** Asked again before each victim, as the session stands then. */
  readonly queue: (queueIdx: number) => boolean;
  /** Jobs go whole. */
  readonly whole?: boolean;
}

/** Victims one by one: from the queue that comes last now among those allowed, its least important and youngest run first. What one takes is off its queue before the next is asked for. */
export function victimsInOrder(session: Session, who: WhoMay): () => Victim | null {
  const candidates = candidatesOf(session, who);
  let rest: Victim[] = [];
  let at = 0;
  return () => {
    const left = rest[at];
    if (left !== undefined && who.queue(left.run.queueIdx)) {
      at++;
      return left;
    }
    const run = candidates();
    if (run === null) return null;
    rest = victimsOf(session, run, who.whole === true);
    at = 1;
    return rest[0]!;
  };
}

/** By queue: its next victim, and what it is compared by. There is one order at a time. */
interface Ranking {
  readonly next: Int32Array;
  readonly keys: Float64Array;
  readonly now: Uint8Array;
}

/** What is known of a queue: nothing, that it has nobody to give, that it could, that it may not be asked for this victim. */
const UNKNOWN = 0;
const EMPTY = 1;
const GIVES = 2;
const REFUSED = 3;

/** Of the run whose setup it is, used again by each order. */
const knownRankings = new WeakMap<KaiSetup, Ranking>();

function newRanking(setup: KaiSetup): Ranking {
  let ranking = knownRankings.get(setup);
  if (ranking === undefined) {
    const count = setup.queues.length;
    ranking = {
      next: new Int32Array(count),
      keys: new Float64Array(count * KEYS),
      now: new Uint8Array(count),
    };
    knownRankings.set(setup, ranking);
  }
  ranking.next.fill(0);
  ranking.now.fill(UNKNOWN);
  return ranking;
}

/** Runs in the order in which they are asked; the order before it is over. */
export function candidatesOf(session: Session, who: WhoMay): () => Run | null {
  const { queues } = session.setup;
  const ranking = newRanking(session.setup);
  let before = -1;
  return () => {
    // It holds less now, and so do those above it.
    for (let up = before; up >= 0; up = queues[up]!.parentIdx) ranking.now[up] = UNKNOWN;
    before = lastAllowed(session, who, ranking);
    if (before < 0) return null;
    const at = ranking.next[before]!;
    ranking.next[before] = at + 1;
    return session.state.victims[before]![at]!;
  };
}

/** The queue that comes last now among those allowed; −1: none. */
function lastAllowed(session: Session, who: WhoMay, ranking: Ranking): number {
  const { next, keys, now } = ranking;
  let refused = false;
  let last = -1;
  for (;;) {
    last = -1;
    for (let queueIdx = 0; queueIdx < now.length; queueIdx++) {
      if (now[queueIdx] === UNKNOWN) {
        const gives = candidateOf(session, who, queueIdx, next, queueIdx) !== null;
        now[queueIdx] = gives ? GIVES : EMPTY;
        if (gives) fillKey(session, queueIdx, NOBODY, keys, queueIdx * KEYS);
      }
      if (now[queueIdx] !== GIVES) continue;
      if (last < 0 || isLess(keys, last * KEYS, keys, queueIdx * KEYS)) last = queueIdx;
    }
    if (last < 0 || who.queue(last)) break;
    now[last] = REFUSED;
    refused = true;
  }
  if (refused)
    for (let queueIdx = 0; queueIdx < now.length; queueIdx++)
      if (now[queueIdx] === REFUSED) now[queueIdx] = GIVES;
  return last;
}

/** The next run of a queue that may be a victim; null if there is none. `next[at]`, its place among the queue's, is moved on over those that may not. */
export function candidateOf(
  { view, state, setup }: Session,
  { leastRun, belowPriority = FIXED_FROM }: Protection,
  queueIdx: number,
  next: Int32Array,
  at: number,
): Run | null {
  const runs = state.victims[queueIdx]!;
  const leastMs = leastRun === undefined ? 0 : setup.queues[queueIdx]![leastRun];
  for (let place = next[at]!; place < runs.length; place++) {
    const run = runs[place]!;
    next[at] = place;
    if (run.priority >= belowPriority) return null;
    const mayLeave = leastRun === undefined || hasRun(view, run.jobIdx, leastMs);
    if (mayLeave && isOn(view, run.jobIdx)) return run;
  }
  next[at] = runs.length;
  return null;
}

function isOn({ jobState }: PoolView, jobIdx: number): boolean {
  const now = jobState[jobIdx];
  return now === JobStateCode.running || now === JobStateCode.starting;
}

function hasRun(view: PoolView, jobIdx: number, leastMs: number): boolean {
  return view.nowMs - view.startMs(jobIdx) >= leastMs;
}
