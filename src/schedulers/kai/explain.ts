/** Why a job waits, in KAI's words and numbers. Changes nothing. */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonOf } from "../../model/reasons.ts";
import { type Amounts, addAmounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
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
import type { KaiSetup } from "./setup.ts";
import type { KaiState } from "./state.ts";

export function explain(view: PoolView, state: KaiState, jobIdx: number): Explanation {
  const lane = laneOfJob(state.waiting, jobIdx);
  const reason = reasonIn(view, state, jobIdx, lane);
  const counted = countedOf(view, state, jobIdx, groupOf(view, jobIdx), reason);
  return explanation(view, jobIdx, lane, reason, counted);
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
  const { name, quota } = state.setup.queues[queueIdx]!;
  const request = requestLacked(state, jobIdx, group);
  const word = kubeReasonOf(reason);
  switch (word) {
    case "queueMost":
    case "fixedQuota":
      return boundWords(state, queueIdx, request, word);
    case "groupShort":
      return groupShortWords(view, group);
    case "noNode":
      return noNodeWords(view, group);
    case "mayNotReclaim":
      return `Queue ${name} has ${state.books[queueIdx]!.allocated[GPU]} GPUs and a quota of ${quota[GPU]}; it asks for ${group.leastRequest[GPU]}, ${view.gpusFreeTotal} are free.`;
    default:
      return "";
  }
}

/** The queue, its own or one above it, and the resource whose limit or quota is too small; the own queue's GPUs where none is any more. O(queues × depth). */
function boundWords(
  { setup, books }: KaiState,
  ownIdx: number,
  request: Amounts,
  word: "queueMost" | "fixedQuota",
): string {
  const isLimit = word === "queueMost";
  const sums = amountsBelow(
    setup,
    isLimit ? books.map((book) => book.allocated) : books.map((book) => book.fixed),
  );
  const boundOf = (idx: number) => (isLimit ? setup.queues[idx]!.limit : setup.queues[idx]!.quota);
  let found = { idx: ownIdx, at: GPU };
  search: for (let idx = ownIdx; idx >= 0; idx = setup.queues[idx]!.parentIdx)
    for (const at of request.keys()) {
      const most = boundOf(idx)[at]!;
      if (request[at]! <= 0 || most < 0 || sums[idx]![at]! + request[at]! <= most) continue;
      found = { idx, at };
      break search;
    }
  const { idx, at } = found;
  const { name, described } = setup.queues[idx]!;
  if (!isLimit && !described)
    return `No YAML describes queue ${name}, so it has the quota of KAI’s default queue, 0; work that is never preempted starts within quota only.`;
  const [held, most, asked] = [sums[idx]![at]!, boundOf(idx)[at]!, request[at]!].map((amount) =>
    countOf(at, amount),
  );
  const unit = unitOf(at);
  if (most! < 0) return `Queue ${name} has ${held} ${unit}; it asks for ${asked}.`;
  return isLimit
    ? `Queue ${name} has ${held} of the ${most} ${unit} of its limit; it asks for ${asked}.`
    : `Work that is never preempted holds ${held} of the ${most} ${unit} of queue ${name}’s quota; it asks for ${asked}.`;
}

/** What queues hold and those below them. */
function amountsBelow({ queues }: KaiSetup, own: readonly Amounts[]): number[][] {
  const sums = own.map((amounts) => [...amounts]);
  for (const [idx, { parentIdx }] of queues.entries())
    for (let up = parentIdx; up >= 0; up = queues[up]!.parentIdx) addAmounts(sums[up]!, own[idx]!);
  return sums;
}
