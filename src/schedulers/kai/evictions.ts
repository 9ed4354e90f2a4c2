/**
 * Consolidate, reclaim, preempt: who waits after allocate may make room, job by job in the order of turns; within a queue none is tried that asks for no less than one that failed.
 *
 * - Consolidate moves preemptible jobs of any queue, a few at most, if all find another place: they are restarted.
 * - Reclaim takes from other queues: the job's queue stays within its fair share, and the victim's branch is above its share, or above its quota while the job stays within its own.
 * - Preempt takes from jobs of lower priority in the same queue.
 *
 * Work of priority 100 and more is never a victim, nor is who has not run for the least time of his queue. Source: kai-scheduler/KAI-Scheduler
 * `pkg/scheduler/actions/{consolidation,reclaim,preempt}`, `plugins/proportion/reclaimable`, `docs/{fairness,priority}`.
 */
import { kubeReasonCode, StopReasonCode } from "../../model/reasons.ts";
import { mayAskFor, mayReclaim } from "../../scheduling/kubernetes/kai/reclaim.ts";
import { type Amounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { Lane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { closeLane, groupAt } from "../podGroups/session.ts";
import { consolidateBound, preemptBound, reclaimBound } from "./reach.ts";
import { queueRefuses, type Session } from "./session.ts";
import { FIXED_FROM, priorityOf } from "./setup.ts";
import { solve } from "./solver.ts";
import type { KaiState } from "./state.ts";
import {
  nextComponent,
  nextTurn,
  openPartials,
  openTurns,
  type Partials,
  reopenTurns,
  type Turn,
  turnTaken,
} from "./turns.ts";
import { victimsInOrder } from "./victimOrder.ts";

/** How an action goes through the jobs that wait. */
interface Attempts {
  /** One that has failed speaks for the larger ones of all queues, not of its own alone. */
  readonly anyQueue: boolean;
  /** Cannot be helped as the session stands now: asked for the head of each lane, and again after each success. */
  readonly hopeless: (queueIdx: number, priority: number, request: Amounts) => boolean;
  readonly attempt: (turn: Turn) => boolean;
}

/** Tries every job that waits, and those that want more members, unless a smaller one has failed. */
function forEachWaiting(session: Session, { anyQueue, hopeless, attempt }: Attempts): void {
  const failed = new Map<number, Turn[]>();
  const over = new Set<Lane>();
  const turns = openTurns(session, sift(session, over, hopeless));
  const done = new Set<number>();
  for (;;) {
    const turn = nextTurn(session, turns);
    if (turn === null) return;
    turnTaken(session, turns, turn.queueIdx);
    const scope = anyQueue ? -1 : turn.queueIdx;
    const before = failed.get(scope) ?? [];
    failed.set(scope, before);
    const noEasier = before.some((other) => isNoEasier(session, turn, other));
    const helped = !noEasier && attempt(turn);
    if (!noEasier && !helped) before.push(turn);
    if (!helped && turn.lane !== null) {
      over.add(turn.lane);
      turn.lane.closed = true;
    }
    if (!helped && turn.lane === null) done.add(turn.jobIdx);
    if (helped) reopenTurns(turns, sift(session, over, hopeless));
    if (helped || turn.lane === null) leaveOut(turns.partials, done);
  }
}

function leaveOut(partials: Partials, done: ReadonlySet<number>): void {
  for (const [queueIdx, jobs] of partials.entries())
    partials[queueIdx] = jobs.filter((jobIdx) => !done.has(jobIdx));
}

/** Closes the lanes that cannot be helped; the jobs, by queue, that could have more members. */
function sift(session: Session, over: ReadonlySet<Lane>, hopeless: Attempts["hopeless"]): Partials {
  const { state } = session;
  for (const lane of state.waiting.list) {
    const jobIdx = lane.jobs[lane.first];
    lane.closed =
      jobIdx === undefined ||
      over.has(lane) ||
      isBarred(session, lane, jobIdx) ||
      hopeless(lane.queueIdx, lane.priority, groupAt(session, jobIdx).leastRequest);
  }
  return openPartials(session).map((jobs, queueIdx) =>
    jobs.filter((jobIdx) => {
      const at = nextComponent(session, jobIdx);
      const { priority } = state.runs.get(jobIdx)!;
      const request = at < 0 ? null : groupAt(session, jobIdx).each[at]!;
      return (
        request !== null &&
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

/** It asks for at least as much, in sum and for each member, and is no more important. */
function isNoEasier(session: Session, turn: Turn, other: Turn): boolean {
  const [group, failed] = [groupAt(session, turn.jobIdx), groupAt(session, other.jobIdx)];
  const { view, setup } = session;
  return (
    priorityOf(view, setup, turn.jobIdx) <= priorityOf(view, setup, other.jobIdx) &&
    turn.request.every((asked, at) => asked >= other.request[at]!) &&
    group.each[0]!.every((asked, at) => asked >= failed.each[0]![at]!)
  );
}

export function consolidate(session: Session): void {
  const { view, setup } = session;
  if (!setup.consolidate) return;
  forEachWaiting(session, {
    anyQueue: true,
    hopeless: (_queueIdx, priority, request) =>
      priority >= FIXED_FROM ||
      request[GPU]! > (session.future?.sketch.gpusFreeTotal ?? view.gpusFreeTotal),
    attempt: (turn) =>
      solve(session, turn, {
        next: victimsInOrder(session, { queue: () => true, whole: true }),
        bound: () => consolidateBound(session),
        move: true,
        most: setup.consolidateMost,
        stopReason: StopReasonCode.migrated,
      }),
  });
}

export function reclaim(session: Session): void {
  const { setup } = session;
  if (!setup.reclaim) return;
  forEachWaiting(session, {
    anyQueue: false,
    hopeless: (queueIdx, priority, request) =>
      !mayAskFor(session.shares[queueIdx]!, request, priority < FIXED_FROM) ||
      setup.queues.every(
        (_, other) => other === queueIdx || !mayTakeFrom(session, queueIdx, request, other),
      ),
    attempt: (turn) => {
      const { queueIdx, request, lane } = turn;
      const found = solve(session, turn, {
        next: victimsInOrder(session, {
          queue: (other) => other !== queueIdx && mayTakeFrom(session, queueIdx, request, other),
          leastRun: "reclaimMinMs",
        }),
        bound: () => reclaimBound(session, queueIdx, request),
        move: false,
        most: Number.POSITIVE_INFINITY,
        stopReason: StopReasonCode.reclaimed,
      });
      if (!found && lane !== null) closeLane(session, lane, kubeReasonCode("mayNotReclaim"));
      return found;
    },
  });
}

/** Where the two branches part, as the session stands now. */
function mayTakeFrom(
  session: Session,
  queueIdx: number,
  request: Amounts,
  victimQueue: number,
): boolean {
  if (session.state.victims[victimQueue]!.length === 0) return false;
  const { setup, shares } = session;
  const parting = setup.partings[queueIdx]![victimQueue]!;
  return (
    parting !== null &&
    mayReclaim(shares[parting.mine]!, shares[parting.theirs]!, request, setup.multiplier)
  );
}

export function preempt(session: Session): void {
  const { view, state, setup } = session;
  if (!setup.preempt) return;
  forEachWaiting(session, {
    anyQueue: false,
    hopeless: (queueIdx, priority, request) => {
      const first = state.victims[queueIdx]![0];
      if (first === undefined || state.runs.get(first)!.priority >= priority) return true;
      const free = session.future?.sketch.gpusFreeTotal ?? view.gpusFreeTotal;
      return Math.floor(request[GPU]!) > free + gpusBelow(state, queueIdx, priority);
    },
    attempt: (turn) => {
      const below = Math.min(FIXED_FROM, priorityOf(view, setup, turn.jobIdx));
      return solve(session, turn, {
        next: victimsInOrder(session, {
          queue: (other) => other === turn.queueIdx,
          leastRun: "preemptMinMs",
          belowPriority: below,
        }),
        bound: () => preemptBound(session, turn.queueIdx, below),
        move: false,
        most: Number.POSITIVE_INFINITY,
        stopReason: StopReasonCode.preempted,
      });
    },
  });
}

/** What preemptible work of lower priority holds in a queue. */
function gpusBelow({ books }: KaiState, queueIdx: number, priority: number): number {
  let gpus = 0;
  for (const [theirs, amount] of books[queueIdx]!.gpusAt) if (theirs < priority) gpus += amount;
  return gpus;
}
