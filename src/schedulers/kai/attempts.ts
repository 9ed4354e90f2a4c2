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
  if (sifted === null || (attempts.told === 0 && !someReach(session, sifted, attempts))) return;
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
  let some = state.partial.size > 0;
  for (const lane of state.waiting.list) {
    const jobIdx = lane.jobs[lane.first];
    lane.closed =
      jobIdx === undefined ||
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

/** Could anybody be helped? A session in which nobody is stays as it is, so that no turn need be had. */
function someReach(session: Session, partials: Partials, { reaches }: Attempts): boolean {
  if (session.everySearch) return true;
  const { list } = session.state.waiting;
  return (
    list.some((lane) => !lane.closed && reaches(laneTurn(session, lane))) ||
    partials.some((jobs, queueIdx) =>
      jobs.some((jobIdx) => reaches(memberTurn(session, queueIdx, jobIdx))),
    )
  );
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
