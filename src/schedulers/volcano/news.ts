/** What happened since the last pass, into lanes and books. O(what happened × log waiting). */
import type { Happened, PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { arrive, changeLane, isWaiting, leave, takeStock, type VolcanoState } from "./state.ts";

export function takeNews(view: PoolView, happened: Happened, state: VolcanoState): void {
  const { withdrawn, released, retiered, queued, nodesChanged } = happened;
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
    if (!isWaiting(state, jobIdx)) arrive(view, state, jobIdx);
  }
  const rooms = released.length + withdrawn.length;
  if (rooms > 0 || nodesChanged) state.grown++;
  if (rooms + retiered.length + queued.length > 0 || nodesChanged) state.stale = true;
}
