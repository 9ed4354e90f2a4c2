/** Why a job waits, in Volcano's words and numbers. Changes nothing. */
import { numberText } from "../../base/format.ts";
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, kubeReasonOf, WaitReasonCode } from "../../model/reasons.ts";
import {
  type Amounts,
  CPU,
  GPU,
  MEMORY,
  totalOf,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";
import {
  countOf,
  explanation,
  groupShortWords,
  noNodeWords,
  reasonIn,
  requestLacked,
  unitOf,
} from "../podGroups/explain.ts";
import { groupOf, queueOf } from "../podGroups/state.ts";
import type { VolcanoState } from "./state.ts";

export function explain(view: PoolView, state: VolcanoState, jobIdx: number): Explanation {
  const lane = laneOfJob(state.waiting, jobIdx) ?? laneOfJob(state.pending, jobIdx);
  const isMade = state.creating.every((one) => one.jobIdx !== jobIdx);
  const own = isMade ? 0 : kubeReasonCode("podsToCome");
  const reason = reasonIn(view, state, jobIdx, lane, own);
  const counted = countedOf(view, state, jobIdx, groupOf(view, jobIdx), reason);
  return explanation(view, jobIdx, lane, reason, counted);
}

const ROOM: ReadonlySet<number> = new Set([
  WaitReasonCode.resources,
  WaitReasonCode.fragmentation,
  kubeReasonCode("groupShort"),
]);

/** The numbers of the rule that holds it back. */
function countedOf(
  view: PoolView,
  state: VolcanoState,
  jobIdx: number,
  group: GroupClass,
  reason: number,
): string {
  const queueIdx = queueOf(view, state, jobIdx);
  const { name } = state.setup.queues[queueIdx]!;
  const { allocated } = state.books[queueIdx]!;
  const request = requestLacked(state, jobIdx, group);
  const asks = `it asks for ${request[GPU]}`;
  const isPromised = group.leastRequest[GPU]! > 0 && state.entered.has(jobIdx);
  if (ROOM.has(reason) && isPromised && fitsNowhere(view, group))
    return `No node can hold one of its members, even empty. It was let in and keeps ${group.leastRequest[GPU]} GPUs promised; while it waits they are missing at the gate.`;
  const lost = (of: number): string => {
    const gpus = promisedForNothing(view, state, of);
    return gpus === 0 ? "" : `, ${gpus} of them promised to groups that no node can hold`;
  };
  switch (kubeReasonOf(reason)) {
    case "queueMost":
      return mostWords(view, state, queueIdx, request, lost(queueIdx));
    case "queueDeserved": {
      const part = state.deserved[queueIdx]!;
      return `Queue ${name} has ${allocated[GPU]} of the ${numberText(part, Number.isInteger(part) ? 0 : 1)} GPUs that are its part by weight now; ${asks}.`;
    }
    case "notLetIn":
      return gateWords(view, state, group.leastRequest, lost(-1));
    case "groupShort":
      return groupShortWords(view, group);
    case "noNode":
      return noNodeWords(view, group);
    default:
      return "";
  }
}

/** The resource that the gate is short of; GPUs where it is of none any more. O(nodes + queues). */
function gateWords(
  view: PoolView,
  { setup, books }: VolcanoState,
  request: Amounts,
  lostGpus: string,
): string {
  const isOpen = (node: number) => view.nodeState[node] === 0;
  const there = totalOf(view.cluster, view.nodes, isOpen);
  const free = [view.gpusFree, view.cpuMilliFree, view.memMiBFree].map((of) =>
    view.nodes.reduce((sum, node) => (isOpen(node) ? sum + of[node]! : sum), 0),
  );
  const promised = there.map((_, at) => books.reduce((sum, book) => sum + book.inqueue[at]!, 0));
  const isShort = (at: number) =>
    request[at]! > 0 &&
    promised[at]! + request[at]! > free[at]! + there[at]! * (setup.overcommit - 1);
  const at = [GPU, CPU, MEMORY].find(isShort) ?? GPU;
  const [has, others, asked] = [free[at]!, promised[at]!, request[at]!].map((amount) =>
    countOf(at, amount),
  );
  return `${has} ${unitOf(at)} are free and ${others} promised to groups let in before it${at === GPU ? lostGpus : ""}; it asks for ${asked}.`;
}

/** The resource of which a queue cannot have what is asked for; GPUs where there is none any more. */
function mostWords(
  view: PoolView,
  state: VolcanoState,
  queueIdx: number,
  request: Amounts,
  lostGpus: string,
): string {
  const { allocated, inqueue } = state.books[queueIdx]!;
  const most = mostOf(view, state, queueIdx);
  const held = allocated.map((amount, at) => amount + inqueue[at]!);
  const isShort = (at: number) => request[at]! > 0 && held[at]! + request[at]! > most[at]!;
  const at = [GPU, CPU, MEMORY].find(isShort) ?? GPU;
  const [has, can, asked] = [held[at]!, most[at]!, request[at]!].map((amount) =>
    countOf(at, amount),
  );
  return `Queue ${state.setup.queues[queueIdx]!.name} has or was promised ${has} of the ${can} ${unitOf(at)} that it can have${at === GPU ? lostGpus : ""}; it asks for ${asked}.`;
}

/** What a queue can really have: the cluster without what is guaranteed to others, within its capability. O(nodes + queues). */
function mostOf(view: PoolView, { setup }: VolcanoState, queueIdx: number): number[] {
  const there = totalOf(view.cluster, view.nodes, (node) => view.nodeState[node] === 0);
  return there.map((amount, at) => {
    const others = setup.queues.reduce(
      (sum, { guarantee }, idx) => (idx === queueIdx ? sum : sum + guarantee[at]!),
      0,
    );
    return Math.min(setup.queues[queueIdx]!.capability[at]!, amount - others);
  });
}

/** GPUs promised to groups of a queue (−1: of any) that fit on no node, however empty: upstream never takes such a promise back. O(let in + classes × nodes). */
function promisedForNothing(view: PoolView, state: VolcanoState, queueIdx: number): number {
  const known = new Map<GroupClass, boolean>();
  let gpus = 0;
  for (const jobIdx of state.entered) {
    if (queueIdx >= 0 && queueOf(view, state, jobIdx) !== queueIdx) continue;
    const group = groupOf(view, jobIdx);
    const nowhere = known.get(group) ?? fitsNowhere(view, group);
    known.set(group, nowhere);
    if (nowhere) gpus += group.leastRequest[GPU]!;
  }
  return gpus;
}

function fitsNowhere(view: PoolView, { shape, least }: GroupClass): boolean {
  return shape.parts.some(
    (part, at) => least[at]! > 0 && view.nodes.every((node) => !couldHold(view, node, part)),
  );
}

/** One member, were the node empty and open. */
function couldHold({ cluster }: PoolView, node: number, part: Part): boolean {
  const group = cluster.nodeGroup[node]!;
  const { cpusPerNode, memMiBPerNode } = cluster.groups[group]!;
  return (
    part.groupFits[group] !== 0 &&
    part.gpus <= cluster.deviceBase[node + 1]! - cluster.deviceBase[node]! &&
    part.cpuMilli <= cpusPerNode * 1_000 &&
    part.memMiB <= memMiBPerNode
  );
}
