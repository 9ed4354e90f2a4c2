/**
 * How an action that evicts goes through the jobs that wait: in the order of turns, each searches for victims once, and none is tried that asks for no less than one that failed. Nearly
 * always nobody can be helped, which is seen before the first turn: O(lanes) then, else O(turns × (queues × lanes)) and the searches.
 */
import type { Amounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { Lane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { closeLane, groupAt } from "../podGroups/session.ts";
import { queueRefuses, type Session } from "./session.ts";
import { type Search, solve } from "./solver.ts";
import {
  laneTurn,
  memberTurn,
  nextComponent,
  nextTurn,
  openPartials,
  openTurns,
  type Partials,
  reopenTurns,
  type Turn,
  turnTaken,
} from "./turns.ts";

export interface Attempts extends Search {
  /** One that has failed speaks for the larger ones of all queues, not of its own alone. */
  readonly anyQueue: boolean;
  /** Cannot be helped as the session stands now: asked for the head of each lane, and again after each success. */
  readonly hopeless: (queueIdx: number, priority: number, request: Amounts) => boolean;
  /** Could a search end well, as far as bounds tell? */
  readonly reaches: (turn: Turn) => boolean;
  /** What the head of a lane is told whose search fails; 0: nothing. */
  readonly told: number;
}

/** Tries every job that waits, and those that want more members, unless a smaller one has failed. */
export function forEachWaiting(session: Session, attempts: Attempts): void {
  const over = new Set<Lane>();
  const sifted = sift(session, over, attempts);
  if (sifted === null || nobodyIsHelped(session, sifted, attempts)) return;
  const turns = openTurns(session, sifted);
  const failed = session.setup.queues.map((): Turn[] => []);
  const done = new Set<number>();
  for (;;) {
    const turn = nextTurn(session, turns);
    if (turn === null) return;
    turnTaken(session, turns, turn.queueIdx);
    const before = failed[attempts.anyQueue ? 0 : turn.queueIdx]!;
    const noEasier = before.some((other) => isNoEasier(session, turn, other));
    const helped = !noEasier && attempt(session, turn, attempts);
    if (!noEasier && !helped) before.push(turn);
    if (!helped && turn.lane !== null) {
      over.add(turn.lane);
      turn.lane.closed = true;
    }
    if (!helped && turn.lane === null) done.add(turn.jobIdx);
    if (helped) {
      const again = sift(session, over, attempts);
      if (again === null) return;
      reopenTurns(turns, again);
    }
    if (helped || turn.lane === null) leaveOut(turns.partials, done);
  }
}

function attempt(session: Session, turn: Turn, attempts: Attempts): boolean {
  const helped = (session.everySearch || attempts.reaches(turn)) && solve(session, turn, attempts);
  const { told } = attempts;
  if (!helped && told > 0 && turn.lane !== null) closeLane(session, turn.lane, told);
  return helped;
}

function leaveOut(partials: Partials, done: ReadonlySet<number>): void {
  if (done.size === 0) return;
  for (const [queueIdx, jobs] of partials.entries())
    partials[queueIdx] = jobs.filter((jobIdx) => !done.has(jobIdx));
}

/** Closes the lanes that cannot be helped; the jobs, by queue, that could have more members. Null where nobody is left. */
function sift(session: Session, over: ReadonlySet<Lane>, { hopeless }: Attempts): Partials | null {
  const { state } = session;
  const { list, busy } = state.waiting;
  let some = state.partial.size > 0;
  for (let queueIdx = 0; queueIdx < busy.length; queueIdx++)
    for (const idx of busy[queueIdx]!) {
      const lane = list[idx]!;
      const jobIdx = lane.jobs[lane.first]!;
      lane.closed =
        over.has(lane) ||
        hopeless(lane.queueIdx, lane.priority, groupAt(session, jobIdx).leastRequest) ||
        isBarred(session, lane, jobIdx);
      if (!lane.closed) some = true;
    }
  if (!some) return null;
  return openPartials(session).map((jobs, queueIdx) =>
    jobs.filter((jobIdx) => {
      if (nextComponent(session, jobIdx) < 0) return false;
      const { request, priority } = memberTurn(session, queueIdx, jobIdx);
      return (
        queueRefuses(session, queueIdx, request, priority) === 0 &&
        !hopeless(queueIdx, priority, request)
      );
    }),
  );
}

/** It has not waited long enough, or its queue may not have it. */
function isBarred(session: Session, { queueIdx, priority }: Lane, jobIdx: number): boolean {
  const { view, setup } = session;
  const waitedMs = view.nowMs - view.jobs.at.submitMs[jobIdx]!;
  const { leastRequest } = groupAt(session, jobIdx);
  return (
    waitedMs < setup.preemptionDelayMs ||
    queueRefuses(session, queueIdx, leastRequest, priority) > 0
  );
}

/**
 * Nobody can be helped, and those whose search would fail have been told so. A session in which nobody is helped stays as it is, so no queue need have its turn before another: in each the
 * lanes are gone through as they would come. Not known of jobs that hold members where somebody is to be told.
 */
function nobodyIsHelped(session: Session, partials: Partials, attempts: Attempts): boolean {
  if (session.everySearch) return false;
  const { reaches, told, anyQueue } = attempts;
  const { list, busy } = session.state.waiting;
  for (let queueIdx = 0; queueIdx < partials.length; queueIdx++)
    for (const jobIdx of partials[queueIdx]!)
      if (told > 0 || reaches(memberTurn(session, queueIdx, jobIdx))) return false;
  const failed: Turn[] = [];
  const telling: Lane[] = [];
  for (const order of busy) {
    failed.length = 0;
    for (const idx of order) {
      const lane = list[idx]!;
      if (lane.closed) continue;
      const turn = laneTurn(session, lane);
      // Of several queues it is not known here who would have failed before.
      if (!anyQueue && failed.some((other) => isNoEasier(session, turn, other))) continue;
      // What is said follows the order in which jobs were told first.
      const isNews = told > 0 && !session.told.has(turn.jobIdx);
      if (isNews || reaches(turn)) return false;
      failed.push(turn);
      telling.push(lane);
    }
  }
  if (told > 0) for (const lane of telling) closeLane(session, lane, told);
  return true;
}

/** It asks for at least as much, in sum and for each member, and is no more important. */
function isNoEasier(session: Session, turn: Turn, other: Turn): boolean {
  if (turn.priority > other.priority) return false;
  const each = groupAt(session, turn.jobIdx).each[0]!;
  const failed = groupAt(session, other.jobIdx).each[0]!;
  for (let at = 0; at < each.length; at++)
    if (turn.request[at]! < other.request[at]! || each[at]! < failed[at]!) return false;
  return true;
}
