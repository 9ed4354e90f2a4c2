/** Why a job waits, in Volcano's words and numbers. Changes nothing. */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { kubeReasonCode, kubeReasonOf } from "../../model/reasons.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { explanation, groupShortWords, reasonIn } from "../podGroups/explain.ts";
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
      return groupShortWords(view, group.leastMembers);
    default:
      return "";
  }
}
