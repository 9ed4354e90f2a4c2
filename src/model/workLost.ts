/** What becomes of a run that ended, by how it ended: whether its work is thrown away, and whether it gave way to others. */
import { StopReasonCode } from "./reasons.ts";
import { EndStateCode } from "./states.ts";

/** A gang that hung, or ran out of restarts, failed before its work was done. */
export function throwsWorkAway(endState: number, stopReason: number): boolean {
  return (
    (endState === EndStateCode.failed && stopReason !== StopReasonCode.workDone) ||
    endState === EndStateCode.preempted ||
    endState === EndStateCode.requeued ||
    endState === EndStateCode.nodeFailed
  );
}

/** Runs ended for another job, whoever that is. */
const TAKEN_BACK: ReadonlySet<number> = new Set([StopReasonCode.reclaimed, StopReasonCode.outbid]);
/** Others are only where the run ended for a certain job. */
const FOR_ANOTHER: ReadonlySet<number> = new Set([StopReasonCode.none, StopReasonCode.preempted]);

/** Whether the run counts as a preemption. Runs that end at a round do not: the round says how many. */
export function gaveWay(endState: number, stopReason: number): boolean {
  return (
    (endState === EndStateCode.preempted && FOR_ANOTHER.has(stopReason)) ||
    TAKEN_BACK.has(stopReason)
  );
}
