/** Why a job waits, in KAI's words and numbers. Changes nothing. */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonOf } from "../../model/reasons.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { explanation, groupShortWords, reasonIn } from "../podGroups/explain.ts";
import { groupOf, queueOf } from "../podGroups/state.ts";
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
      return groupShortWords(view, group.leastMembers);
    case "mayNotReclaim":
      return `Queue ${name} has ${allocated[GPU]} GPUs and a quota of ${quota[GPU]}; ${asks}, ${view.gpusFreeTotal} are free.`;
    default:
      return "";
  }
}
