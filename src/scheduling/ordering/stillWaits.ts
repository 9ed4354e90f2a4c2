/** Whether a job waits, also one that holds some of its members already and waits for the others. */
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";

export function stillWaits(view: PoolView, jobIdx: number): boolean {
  const state = view.jobState[jobIdx]!;
  return (
    state === JobStateCode.queued ||
    state === JobStateCode.admitted ||
    state === JobStateCode.placed
  );
}
