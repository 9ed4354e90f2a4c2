/** What KAI shows of its queues and of one job: quota, fair share as it is now, and what a queue and those below it hold. */
import type { Actions, PoolView } from "../../engine/view.ts";
import type { KueueJobFacts, QueueFacts } from "../../model/kubernetes/queueFacts.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { groupJobFacts, queueRows, tellQueue, usedUpTheTree } from "../podGroups/queueFacts.ts";
import { openTotal } from "../podGroups/session.ts";
import { fairSharesNow } from "./session.ts";
import { priorityOf } from "./setup.ts";
import type { KaiState } from "./state.ts";

const bound = (amount: number): number => (amount < 0 ? Number.POSITIVE_INFINITY : amount);

export function tell(state: KaiState, act: Actions): void {
  const { subjects, queues } = state.setup;
  if (subjects.every((subject) => subject < 0)) return;
  const used = usedUpTheTree(state.setup, state.books);
  for (const [queueIdx, subject] of subjects.entries())
    tellQueue(act, subject, bound(queues[queueIdx]!.quota[GPU]!), used[queueIdx]!);
}

export function queues(view: PoolView, state: KaiState): QueueFacts[] {
  const fair = fairSharesNow(state, openTotal(view));
  const used = usedUpTheTree(state.setup, state.books);
  return queueRows(view, state, [state.waiting], (queueIdx) => {
    const { quota, limit } = state.setup.queues[queueIdx]!;
    const fairShare = fair[queueIdx]![GPU]!;
    return {
      deserved: bound(quota[GPU]!),
      used: used[queueIdx]!,
      fairShare,
      most: bound(limit[GPU]!),
      share: used[queueIdx] === 0 ? 0 : (1_000 * used[queueIdx]!) / fairShare,
    };
  });
}

export function jobFacts(view: PoolView, state: KaiState, jobIdx: number): KueueJobFacts | null {
  const priority = priorityOf(view, state.setup, jobIdx);
  const lane = laneOfJob(state.waiting, jobIdx);
  return groupJobFacts(view, state, jobIdx, "kai", priority, lane, null);
}
