/** Why a job waits, by the lane it waits in and what its lane was last told. Changes nothing. O(queues). */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, kubeReasonOf, WaitReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { groupOf, type KaiState, queueOf } from "./state.ts";

export function explain(view: PoolView, state: KaiState, jobIdx: number): Explanation {
  const group = groupOf(view, jobIdx);
  const lane = laneOfJob(state.waiting, jobIdx);
  const reason = state.awaited.has(jobIdx)
    ? kubeReasonCode("nominated")
    : state.runs.has(jobIdx)
      ? kubeReasonCode("partBound")
      : lane?.reason || view.waitReason(jobIdx) || WaitReasonCode.nextPass;
  const counted = countedOf(view, state, jobIdx, group, reason);
  return {
    reason,
    gpusNeeded: group.shape.gpuTotal,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: Math.ceil(group.leastRequest[GPU]!),
    unitsFree: view.gpusFreeTotal,
    position: lane === null ? 0 : rankInLane(lane, view.jobs.at.submitMs, jobIdx),
    headJobIdx: lane === null ? -1 : lane.jobs[lane.first]!,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
    ...(counted === "" ? {} : { counted }),
  };
}

/** The numbers of the rule that holds it back. */
function countedOf(
  view: PoolView,
  state: KaiState,
  jobIdx: number,
  group: GroupClass,
  reason: number,
): string {
  const queueIdx = queueOf(view, state, jobIdx);
  const { name, limit, quota } = state.setup.queues[queueIdx]!;
  const { allocated, fixed } = state.books[queueIdx]!;
  const asks = `it asks for ${group.leastRequest[GPU]}`;
  switch (kubeReasonOf(reason)) {
    case "queueMost":
      return limit[GPU]! < 0
        ? `Queue ${name} has ${allocated[GPU]} GPUs; ${asks}, and a queue above it is at its limit.`
        : `Queue ${name} has ${allocated[GPU]} of the ${limit[GPU]} GPUs of its limit; ${asks}.`;
    case "fixedQuota":
      return `Work that is never preempted holds ${fixed[GPU]} of the ${quota[GPU]} GPUs of queue ${name}’s quota; ${asks}.`;
    case "groupShort":
      return `${group.leastMembers} members must start together; ${view.gpusFreeTotal} GPUs are free, not where all of them fit.`;
    case "mayNotReclaim":
      return `Queue ${name} has ${allocated[GPU]} GPUs and a quota of ${quota[GPU]}; ${asks}, ${view.gpusFreeTotal} are free.`;
    default:
      return "";
  }
}
