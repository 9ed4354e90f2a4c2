/**
 * Consolidate, reclaim, preempt: who waits after allocate may make room, job by job in the order of turns (`attempts.ts`).
 *
 * - Consolidate moves preemptible jobs of any queue, a few at most, if all find another place: they are restarted.
 * - Reclaim takes from other queues: the job's queue stays within its fair share, and the victim's branch is above its share, or above its quota while the job stays within its own.
 * - Preempt takes from jobs of lower priority in the same queue.
 *
 * Work of priority 100 and more is never a victim, nor is who has not run for the least time of his queue. Source: kai-scheduler/KAI-Scheduler
 * `pkg/scheduler/actions/{consolidation,reclaim,preempt}`, `plugins/proportion/reclaimable`, `docs/{fairness,priority}`.
 */
import { kubeReasonCode, StopReasonCode } from "../../model/reasons.ts";
import {
  mayAskFor,
  mayReclaim,
  staysLessSaturated,
} from "../../scheduling/kubernetes/kai/reclaim.ts";
import { type Amounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { type Attempts, forEachWaiting } from "./attempts.ts";
import { consolidateBound, inReach, preemptBound, reclaimBound, victimsBound } from "./reach.ts";
import type { Session } from "./session.ts";
import { FIXED_FROM } from "./setup.ts";
import type { KaiState } from "./state.ts";
import type { Victim } from "./victims.ts";

export function consolidate(session: Session): void {
  const { view, setup } = session;
  if (!setup.consolidate) return;
  forEachWaiting(session, {
    anyQueue: true,
    hopeless: (_queueIdx, priority, request) =>
      priority >= FIXED_FROM ||
      request[GPU]! > (session.future?.sketch.gpusFreeTotal ?? view.gpusFreeTotal),
    reaches: (turn) => inReach(session, turn, () => consolidateBound(session)),
    who: () => ({ queue: () => true, whole: true }),
    move: true,
    most: setup.consolidateMost,
    stopReason: StopReasonCode.migrated,
    told: 0,
  });
}

export function reclaim(session: Session): void {
  const { setup } = session;
  if (!setup.reclaim) return;
  const whoFor: Attempts["who"] = ({ queueIdx, request }) => ({
    queue: (other) => other !== queueIdx && mayTakeFrom(session, queueIdx, request, other),
    leastRun: "reclaimMinMs",
  });
  forEachWaiting(session, {
    anyQueue: false,
    hopeless: (queueIdx, priority, request) =>
      !mayAskFor(session.shares[queueIdx]!, request, priority < FIXED_FROM) ||
      !someGive(session, queueIdx, request),
    reaches: (turn) =>
      inReach(session, turn, () => reclaimBound(session, turn.queueIdx, turn.request)) &&
      inReach(session, turn, () => victimsBound(session, turn.jobIdx, whoFor(turn))),
    who: whoFor,
    holds: ({ queueIdx, request }, leaving) =>
      leaving.every((victim) => leavesMore(session, queueIdx, request, victim)),
    move: false,
    most: Number.POSITIVE_INFINITY,
    stopReason: StopReasonCode.reclaimed,
    told: kubeReasonCode("mayNotReclaim"),
  });
}

/** Is there a queue from which this one may take? */
function someGive(session: Session, queueIdx: number, request: Amounts): boolean {
  const count = session.setup.queues.length;
  for (let other = 0; other < count; other++)
    if (other !== queueIdx && mayTakeFrom(session, queueIdx, request, other)) return true;
  return false;
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

/** With all victims gone, is the branch of one still more saturated than that of the job? */
function leavesMore(
  { setup, shares }: Session,
  queueIdx: number,
  request: Amounts,
  { run, amounts }: Victim,
): boolean {
  const { mine, theirs } = setup.partings[queueIdx]![run.queueIdx]!;
  return staysLessSaturated(shares[mine]!, shares[theirs]!, request, amounts, setup.multiplier);
}

export function preempt(session: Session): void {
  const { view, state, setup } = session;
  if (!setup.preempt) return;
  forEachWaiting(session, {
    anyQueue: false,
    hopeless: (queueIdx, priority, request) => {
      const first = state.victims[queueIdx]![0];
      if (first === undefined || first.priority >= priority) return true;
      const free = session.future?.sketch.gpusFreeTotal ?? view.gpusFreeTotal;
      return Math.floor(request[GPU]!) > free + gpusBelow(state, queueIdx, priority);
    },
    reaches: (turn) =>
      inReach(session, turn, () =>
        preemptBound(session, turn.queueIdx, Math.min(FIXED_FROM, turn.priority)),
      ),
    who: ({ queueIdx, priority }) => ({
      queue: (other) => other === queueIdx,
      leastRun: "preemptMinMs",
      belowPriority: Math.min(FIXED_FROM, priority),
    }),
    move: false,
    most: Number.POSITIVE_INFINITY,
    stopReason: StopReasonCode.preempted,
    told: 0,
  });
}

/** What preemptible work of lower priority holds in a queue. */
function gpusBelow({ books }: KaiState, queueIdx: number, priority: number): number {
  let gpus = 0;
  for (const [theirs, amount] of books[queueIdx]!.gpusAt) if (theirs < priority) gpus += amount;
  return gpus;
}
