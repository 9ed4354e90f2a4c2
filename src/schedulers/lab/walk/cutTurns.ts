/** The turns of jobs whose MIG devices are cut anew (`cuts.ts`): when it is found that they must be, and when they are ready. */
import { WaitReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { Placing } from "../../../scheduling/placement/placing.ts";
import type { Shape } from "../../../scheduling/placement/shapes.ts";
import { grantOn } from "../starts.ts";
import { beginCuts, plannedGrant, settleCuts } from "./cuts.ts";
import type { Desk } from "./pass.ts";

/** Where the place found for a job needs devices cut anew, or is on devices under way, the job waits for them with its place kept. O(rows). */
export function waitsForCut(
  { view, state, act }: Desk,
  jobIdx: number,
  shape: Shape,
  place: Placing,
  startReason: number,
): boolean {
  const { cuts } = state;
  if (shape.parts[0]!.rules.cutMs === 0 && cuts.untilMs.size === 0) return false;
  if (shape.parts.every((part) => part.mig === 0)) return false;
  const grant = grantOn(view, shape, place);
  const readyMs = beginCuts(cuts, view, act, shape, jobIdx, grant, startReason);
  if (readyMs < 0) return false;
  act.wait(jobIdx, WaitReasonCode.cutting);
  act.plan(jobIdx, readyMs);
  return true;
}

/** Those whose devices have been cut start, unless something has come between: then they are jobs like others again. O(planned × rows). */
export function startCut(
  { view, state, shapes, act }: Desk,
  verdict: (jobIdx: number) => number,
): void {
  const { cuts } = state;
  settleCuts(cuts, view);
  if (cuts.jobs.size === 0) return;
  for (const [jobIdx, job] of [...cuts.jobs]) {
    if (job.readyMs > view.nowMs) continue;
    cuts.jobs.delete(jobIdx);
    const grant = plannedGrant(view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, job);
    if (grant === null || verdict(jobIdx) !== WaitReasonCode.none) {
      // It is told anew why it waits.
      state.newcomers.add(jobIdx);
      continue;
    }
    act.place(jobIdx, grant, job.startReason);
    const waits = view.jobState[jobIdx] === JobStateCode.placed;
    if (waits && !state.looseSinceMs.has(jobIdx)) state.looseSinceMs.set(jobIdx, view.nowMs);
  }
}
