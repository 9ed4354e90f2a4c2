/**
 * A session looks at the head of each lane and tells it why it waits; who joins a lane behind somebody is told that, once, when he has come. He hears more when he is the head himself.
 * O(jobs that came).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { type Lanes, laneOfJob } from "./lanes.ts";

interface Came {
  readonly length: number;
  readonly at: ArrayLike<number>;
}

/** `lanes`: all in which one of them can wait. Those that run by now, or were told something else, are left alone. */
export function tellBehind(
  view: PoolView,
  act: Actions,
  came: Came,
  lanes: readonly Lanes[],
): void {
  const behind = kubeReasonCode("behindLike");
  // What admission said last of those that it has handed over.
  const admitting = kubeReasonCode("admitting");
  for (let i = 0; i < came.length; i++) {
    const jobIdx = came.at[i]!;
    const now = view.jobState[jobIdx];
    if (now !== JobStateCode.queued && now !== JobStateCode.admitted) continue;
    const said = view.waitReason(jobIdx);
    if (said !== 0 && said !== admitting) continue;
    for (const some of lanes) {
      const lane = laneOfJob(some, jobIdx);
      if (lane !== null && lane.jobs[lane.first] !== jobIdx) act.wait(jobIdx, behind);
    }
  }
}
