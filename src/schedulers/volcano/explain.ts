/** Why a job waits, by the lane it waits in and what its lane was last told. Changes nothing. O(nodes). */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, kubeReasonOf, WaitReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { groupOf, queueOf, type VolcanoState } from "./state.ts";

export function explain(view: PoolView, state: VolcanoState, jobIdx: number): Explanation {
  const group = groupOf(view, jobIdx);
  const lane = laneOfJob(state.inqueue, jobIdx) ?? laneOfJob(state.pending, jobIdx);
  const reason = reasonOf(view, state, jobIdx, lane?.reason ?? 0);
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

function reasonOf(view: PoolView, state: VolcanoState, jobIdx: number, ofLane: number): number {
  if (state.awaited.has(jobIdx)) return kubeReasonCode("nominated");
  if (state.runs.has(jobIdx)) return kubeReasonCode("partBound");
  if (state.creating.some((one) => one.jobIdx === jobIdx)) return kubeReasonCode("podsToCome");
  if (ofLane > 0) return ofLane;
  return view.waitReason(jobIdx) || WaitReasonCode.nextPass;
}

/** The numbers of the rule that holds it back. */
function countedOf(
  view: PoolView,
  state: VolcanoState,
  jobIdx: number,
  group: GroupClass,
  reason: number,
): string {
  const queueIdx = queueOf(view, state, jobIdx);
  const { name, capability } = state.setup.queues[queueIdx]!;
  const { allocated, inqueue } = state.books[queueIdx]!;
  const asks = `it asks for ${group.leastRequest[GPU]}`;
  const held = allocated[GPU]! + inqueue[GPU]!;
  switch (kubeReasonOf(reason)) {
    case "queueMost": {
      const most = capability[GPU]!;
      if (!Number.isFinite(most)) return `Queue ${name} has or was promised ${held} GPUs; ${asks}.`;
      return `Queue ${name} has or was promised ${held} of the ${most} GPUs that it may have; ${asks}.`;
    }
    case "queueDeserved":
      return `Queue ${name} has ${allocated[GPU]} GPUs; ${asks}, and its part by weight is less than both.`;
    case "notLetIn": {
      const promised = state.books.reduce((sum, book) => sum + book.inqueue[GPU]!, 0);
      return `${view.gpusFreeTotal} GPUs are free and ${promised} promised to groups let in before it; ${asks}.`;
    }
    case "groupShort":
      return `${group.leastMembers} members must start together; ${view.gpusFreeTotal} GPUs are free, not where all of them fit.`;
    default:
      return "";
  }
}
