/**
 * A single victim that is enough, without the search: most jobs that make room find one (`scheduling/preemption/loneVictim.ts`). Only where the settings leave the choice to
 * "fewest jobs" and whole jobs, nobody is elastic, no budget counts, and a count of members says where the job fits; the outcome is that of the search.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { type Shape, shapesOf } from "../../../../scheduling/placement/shapes.ts";
import { loneVictim } from "../../../../scheduling/preemption/loneVictim.ts";
import { ShapeTrial } from "../../../../scheduling/preemption/shapeTrial.ts";
import type { Chance, OrderView, RoomMade } from "../parts.ts";
import { candidateOf } from "./preemptionCandidates.ts";
import type { PreemptionState } from "./preemptionState.ts";
import { stopVictims } from "./preemptionStops.ts";

const count = new ShapeTrial();
const NOBODY: readonly number[] = [];

/** The victim; −1: it must be searched for. O(nodes + candidates), and a count for some of them. */
export function loneOf(
  state: PreemptionState,
  view: PoolView,
  order: OrderView,
  shape: Shape,
  open: readonly number[],
): number {
  const { rules, runs } = state;
  const bySearch = rules.victims !== "fewestJobs" || rules.unit !== "job" || !rules.onlyIfUseful;
  const limited = (view.world.disruptionBudgets?.length ?? 0) > 0;
  if (bySearch || limited || view.jobs.lab.size > 0) return -1;
  const { hasParts } = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
  count.begin(view, shape, hasParts, NOBODY, null);
  const facts = {
    gpusOf: (jobIdx: number) => runs[view.tierOfJob[jobIdx]!]!.get(jobIdx)!,
    candidateOf: (jobIdx: number) => candidateOf(state, view, order, jobIdx),
  };
  return loneVictim(open, facts, count);
}

/** Stops it. Where it takes its time the walk keeps the place that was found last. */
export function stopLone(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
  victimIdx: number,
  act: Actions,
  chance: Chance,
): RoomMade {
  state.failsAgain = false;
  const mode = state.rules.modeOfTier[view.tierOfJob[victimIdx]!];
  if (mode === "graceful" || mode === "wait") {
    chance.without(victimIdx);
    chance.fits();
    chance.with(victimIdx);
  }
  return stopVictims(state, view, jobIdx, [victimIdx], { members: new Map(), whole: [0] }, act);
}
