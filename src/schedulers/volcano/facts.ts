/** What Volcano shows of its queues and of one job. Deserved amounts are worked out anew when somebody asks; gauges say those of the last session. */
import type { Actions, PoolView } from "../../engine/view.ts";
import type { KueueJobFacts, QueueFacts } from "../../model/kubernetes/queueFacts.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { queueShare } from "../../scheduling/kubernetes/volcano/deserved.ts";
import { groupJobFacts, queueRows, tellQueue, usedUpTheTree } from "../podGroups/queueFacts.ts";
import { openTotal } from "../podGroups/session.ts";
import { entitlements } from "./session.ts";
import { priorityOf, type VolcanoState } from "./state.ts";

export function tell({ setup, books, deserved }: VolcanoState, act: Actions): void {
  if (setup.subjects.every((subject) => subject < 0)) return;
  const used = usedUpTheTree(setup, books);
  for (const [queueIdx, subject] of setup.subjects.entries())
    tellQueue(act, subject, deserved[queueIdx]!, used[queueIdx]!);
}

export function queues(view: PoolView, state: VolcanoState): QueueFacts[] {
  const { deserved, most } = entitlements(state, openTotal(view));
  const used = usedUpTheTree(state.setup, state.books);
  return queueRows(view, state, [state.waiting, state.pending], (queueIdx) => {
    const { allocated } = state.books[queueIdx]!;
    return {
      deserved: deserved[queueIdx]![GPU]!,
      used: used[queueIdx]!,
      fairShare: Number.NaN,
      most: most[queueIdx]![GPU]!,
      share: 1_000 * queueShare(allocated, deserved[queueIdx]!),
    };
  });
}

export function jobFacts(
  view: PoolView,
  state: VolcanoState,
  jobIdx: number,
): KueueJobFacts | null {
  const pending = laneOfJob(state.pending, jobIdx);
  const lane = pending ?? laneOfJob(state.waiting, jobIdx);
  const own =
    pending !== null ? "arriving" : lane === null && state.entered.has(jobIdx) ? "aside" : null;
  const priority = priorityOf(view, state, jobIdx);
  return groupJobFacts(view, state, jobIdx, "volcano", priority, lane, own);
}
