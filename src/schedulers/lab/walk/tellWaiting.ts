/**
 * What a pass tells those who wait. Newcomers are told why in any case, if only that it is not their turn; others where the pass came to them and they must hear
 * something else than before. On the first pass everybody is a newcomer.
 */
import { WaitReasonCode } from "../../../model/reasons.ts";
import type { Desk, Progress } from "./pass.ts";

/** Tells a job why it waits. */
export function say(desk: Desk, progress: Progress, jobIdx: number, reason: number): void {
  noteTold(desk, progress, jobIdx);
  desk.act.wait(jobIdx, reason);
}

/** Only newcomers are told something where the pass has not come to them. */
export function noteTold({ state, newcomers }: Desk, { told }: Progress, jobIdx: number): void {
  if (state.fresh || newcomers.has(jobIdx)) told.add(jobIdx);
}

/**
 * Jobs that the pass did not come to: newcomers, and who stood first before, wait for their turn, or lie deeper than the pass looks; so does everybody on the first pass.
 * Who has been told that once is not told again. O(newcomers), O(waiting) on the first pass.
 */
export function tellOthers(desk: Desk, { told, looked, head }: Progress): void {
  const { state, newcomers, headBefore, act } = desk;
  const reason = looked >= state.rules.testDepth ? WaitReasonCode.depth : WaitReasonCode.priority;
  for (const jobIdx of state.fresh ? state.waiting : newcomers) {
    if (!told.has(jobIdx) && state.waiting.has(jobIdx)) act.wait(jobIdx, reason);
  }
  // Who stood first was told in full what is missing. What a gate told stays.
  if (state.gates.length > 0 || headBefore === head) return;
  if (state.waiting.has(headBefore) && !told.has(headBefore)) act.wait(headBefore, reason);
}
