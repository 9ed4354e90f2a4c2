/** Why a job waits: by the lane it waits in and what its lane was last told. Changes nothing. O(its place in the lane). */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { type Amounts, CPU, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { type GroupClass, membersTogether } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { shortComponent } from "../../scheduling/kubernetes/podGroups/held.ts";
import { type Lane, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { membersOn } from "../../scheduling/placement/capacity.ts";
import { roomWords } from "../../scheduling/placement/roomWords.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";
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
  if (state.runs.has(jobIdx)) return queueBoundOr(view, jobIdx, kubeReasonCode("partBound"));
  return own || lane?.reason || view.waitReason(jobIdx) || WaitReasonCode.nextPass;
}

const QUEUE_BOUNDS: ReadonlySet<number> = new Set(
  (["queueMost", "queueDeserved", "fixedQuota"] as const).map(kubeReasonCode),
);

/** Members that are missing are kept back by their queue where the last session said so, and else by the nodes. */
function queueBoundOr(view: PoolView, jobIdx: number, other: number): number {
  const told = view.waitReason(jobIdx);
  return QUEUE_BOUNDS.has(told) ? told : other;
}

/** What a job lacks to go on: all its least members, or one more where it holds some. */
export function requestLacked(state: GroupState, jobIdx: number, group: GroupClass): Amounts {
  const run = state.runs.get(jobIdx);
  const at = run === undefined ? -1 : shortComponent(group, run.members, state.leaving, jobIdx);
  return at < 0 ? group.leastRequest : group.each[at]!;
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

/** The sentence of a group that finds no nodes. O(1); O(nodes) where it asks for no GPUs. */
export function groupShortWords(view: PoolView, group: GroupClass): string {
  const have =
    group.leastRequest[GPU]! > 0
      ? `${view.gpusFreeTotal} GPUs are free, not where all of them fit.`
      : noNodeWords(view, group);
  const near = group.topology?.mode === "required" || group.shape.wish !== "none";
  return `${membersTogether(group)} members must start together${near ? " and near each other" : ""}; ${have}`;
}

/** Of the component that fits on fewest nodes. O(components × nodes). */
export function noNodeWords(view: PoolView, { shape, least, bestEffort }: GroupClass): string {
  const asked = shape.parts.filter((_, at) => bestEffort || least[at]! > 0);
  const room = (part: Part) =>
    view.nodes.reduce((sum, node) => sum + Math.min(1, membersOn(view, node, part, 1)), 0);
  const hardest = asked.reduce((one, other) => (room(other) < room(one) ? other : one));
  return roomWords(view, hardest);
}

/** A resource's name, and its amount as people count it: GPUs in pieces, CPUs whole, memory in GiB. */
export function unitOf(resource: number): string {
  return resource === GPU ? "GPUs" : resource === CPU ? "CPUs" : "GiB";
}
export function countOf(resource: number, amount: number): number {
  const plain = resource === GPU ? amount : amount / (resource === CPU ? 1_000 : 1_024);
  return Math.round(plain * 1_000) / 1_000;
}
