/** What happened since the last pass, into lanes and books. O(what happened × log waiting). */
import type { Happened, PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { arrive, changeLane, type KaiState, leave, takeStock } from "./state.ts";
import { advanceUsage } from "./usage.ts";

export function takeNews(view: PoolView, happened: Happened, state: KaiState): void {
  const { withdrawn, released, retiered, queued, nodesChanged } = happened;
  if (state.usage !== null)
    advanceUsage(
      state.usage,
      view.nowMs,
      state.books.map(({ allocated }) => allocated),
    );
  for (let i = 0; i < withdrawn.length; i++) {
    leave(view, state, withdrawn.at[i]!);
    takeStock(view, state, withdrawn.at[i]!);
  }
  for (let i = 0; i < released.length; i++) {
    const jobIdx = released.at[i]!;
    takeStock(view, state, jobIdx);
    if (view.jobState[jobIdx] !== JobStateCode.ending) state.ending.delete(jobIdx);
  }
  for (let i = 0; i < retiered.length; i++) changeLane(view, state, retiered.at[i]!);
  for (let i = 0; i < queued.length; i++) {
    const jobIdx = queued.at[i]!;
    state.ending.delete(jobIdx);
    // What `init` has seen comes once more.
    if (laneOfJob(state.waiting, jobIdx) === null) arrive(view, state, jobIdx);
  }
  const rooms = released.length + withdrawn.length;
  if (rooms > 0 || nodesChanged) state.grown++;
  if (rooms + retiered.length + queued.length > 0 || nodesChanged) state.stale = true;
}
