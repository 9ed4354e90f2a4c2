/** Why a job waits: by the lane it waits in and what its lane was last told. Changes nothing. O(its place in the lane). */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { CPU, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { type Lane, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { type GroupState, groupOf } from "./state.ts";

/** `own`: a reason of the scheduler's own that goes before what the lane was told; 0: none. */
export function reasonIn(
  view: PoolView,
  state: GroupState,
  jobIdx: number,
  lane: Lane | null,
  own = 0,
): number {
  if (state.awaited.has(jobIdx)) return kubeReasonCode("nominated");
  if (state.runs.has(jobIdx)) return kubeReasonCode("partBound");
  return own || lane?.reason || view.waitReason(jobIdx) || WaitReasonCode.nextPass;
}

/** `counted`: the numbers of the rule that holds it back, a sentence or nothing. */
export function explanation(
  view: PoolView,
  jobIdx: number,
  lane: Lane | null,
  reason: number,
  counted: string,
): Explanation {
  const group = groupOf(view, jobIdx);
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

/** The sentence of a group that finds no nodes. */
export function groupShortWords(view: PoolView, leastMembers: number): string {
  return `${leastMembers} members must start together; ${view.gpusFreeTotal} GPUs are free, not where all of them fit.`;
}

/** A resource's name, and its amount as people count it: GPUs in pieces, CPUs whole, memory in GiB. */
export function unitOf(resource: number): string {
  return resource === GPU ? "GPUs" : resource === CPU ? "CPUs" : "GiB";
}
export function countOf(resource: number, amount: number): number {
  const plain = resource === GPU ? amount : amount / (resource === CPU ? 1_000 : 1_024);
  return Math.round(plain * 1_000) / 1_000;
}
