/** What happened since the last pass, into lanes and books. O(what happened × log waiting). */
import type { Happened, PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import type { Books, GroupState } from "./state.ts";

export function takeNews<S extends GroupState>(
  view: PoolView,
  happened: Happened,
  state: S,
  books: Books<S>,
): void {
  const { withdrawn, released, retiered, queued, nodesChanged } = happened;
  for (let i = 0; i < withdrawn.length; i++) {
    books.leave(view, state, withdrawn.at[i]!);
    books.takeStock(view, state, withdrawn.at[i]!);
  }
  for (let i = 0; i < released.length; i++) {
    const jobIdx = released.at[i]!;
    books.takeStock(view, state, jobIdx);
    if (view.jobState[jobIdx] !== JobStateCode.ending) state.ending.delete(jobIdx);
  }
  for (let i = 0; i < retiered.length; i++) books.changeLane(view, state, retiered.at[i]!);
  for (let i = 0; i < queued.length; i++) {
    const jobIdx = queued.at[i]!;
    state.ending.delete(jobIdx);
    // What `init` has seen comes once more.
    if (!books.isWaiting(state, jobIdx)) books.arrive(view, state, jobIdx);
  }
  const rooms = released.length + withdrawn.length;
  if (rooms > 0 || nodesChanged) state.grown++;
  if (rooms + retiered.length + queued.length > 0 || nodesChanged) state.stale = true;
}
