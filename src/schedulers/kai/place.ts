/** Where a job's members go: in one domain of the network where it asks for that, preferred ones elsewhere as well. */
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import {
  hardTier,
  nodesHeld,
  placeInDomains,
  tierOf,
} from "../../scheduling/kubernetes/podGroups/forest.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { Session } from "./session.ts";

/** Puts a place for the wanted members (by component) into `into` and takes it out of the board; false, and nothing taken, where there is none. `afresh`: what it holds does not count. */
export function findPlace(
  session: Session,
  board: NodeBoard,
  jobIdx: number,
  group: GroupClass,
  wanted: readonly number[],
  into: Placing,
  afresh = false,
): boolean {
  const { view, state, forest } = session;
  const members = !afresh && state.runs.has(jobIdx) ? nodesHeld(view, jobIdx) : null;
  const ask = { group, wanted, members };
  const { topology } = group;
  if (topology?.mode === "preferred") {
    for (let tier = tierOf(topology.level); tier <= 2; tier++)
      if (placeInDomains(board, forest, tier, ask, into)) return true;
    return placeInDomains(board, forest, -1, ask, into);
  }
  return placeInDomains(board, forest, hardTier(group), ask, into);
}
