/** The order in which a scheduler considers waiting jobs: the key of `model/queueOrder.ts` with the tier that a job has now. */

import type { PoolView } from "../../engine/view.ts";
import type { LabOrder } from "../../model/policy.ts";
import { queueKey } from "../../model/queueOrder.ts";

/** The key of a waiting job at `view.nowMs`; a change of tier changes it. Called for each job that joins the queue. O(1). */
export function orderKey(order: LabOrder, view: PoolView, jobIdx: number): number {
  return queueKey(order, view.jobs, view.tierOfJob[jobIdx]!, jobIdx);
}
