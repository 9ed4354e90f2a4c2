/** The lab's plain passes as one scheduler: each takes in the news, then lets the backfill of the settings decide. */
import type { Actions, PoolView, Scheduler } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import { shapesOf } from "../../scheduling/placement/shapes.ts";
import { explainJob } from "./explain.ts";
import { gaugeFragmentation } from "./fragmentationGauge.ts";
import { refuseImpossible, takeNews } from "./news.ts";
import { nodeFunnel } from "./nodeFunnel.ts";
import { passPlans } from "./planPass.ts";
import { passQueue } from "./queuePass.ts";
import { sameState } from "./sameState.ts";
import type { LabState } from "./state.ts";
import { copyState, createState } from "./state.ts";

/**
 * Hand-over to conservative backfill: it plans whole jobs only, so a gang that an earlier policy left with some of its members
 * gives them back and waits like any other. Only such jobs both wait and hold devices. They stay in the queue; the next pass
 * hears of them once more (`takeNews`).
 */
function giveBackParts(view: PoolView, state: LabState, act: Actions): void {
  const waiting = view.waiting();
  const parts: number[] = [];
  for (let i = 0; i < waiting.length; i++) {
    if (view.jobState[waiting.at[i]!] === JobStateCode.placed) parts.push(waiting.at[i]!);
  }
  for (const jobIdx of parts) act.evict(jobIdx, "requeue", 0, -1);
  state.gaveBack = parts.length > 0;
}

export const plain: Scheduler<LabState> = {
  init: createState,

  decide(view, happened, state, act) {
    const shapes = shapesOf(view.jobs, view.cluster, state.nodeRules);
    if (state.fresh) refuseImpossible(view, state, shapes, act);
    const news = takeNews(view, happened, state, shapes, act);
    if (state.fresh && state.backfill === "conservative") giveBackParts(view, state, act);
    let wakeMs = NEVER_MS;
    if (state.backfill === "conservative") wakeMs = passPlans(view, state, shapes, news, act);
    else passQueue(view, state, shapes, news, act);
    state.fresh = false;
    if (state.placement === "fgd") gaugeFragmentation(view, shapes, act);
    return wakeMs;
  },

  explain: explainJob,
  candidates(view, state, jobIdx) {
    const shapes = shapesOf(view.jobs, view.cluster, state.nodeRules);
    const { reservation } = state;
    return nodeFunnel(view, jobIdx, {
      shape: shapes.list[shapes.shapeOfJob[jobIdx]!]!,
      kept: reservation.jobIdx < 0 ? state.plans : [reservation],
      inWindow: new Set(),
      lengthMs: view.limitMs(jobIdx),
      endMsOf: (other) => view.limitEndMs[other]!,
      ceiling: 0,
    });
  },
  snapshot: copyState,
  same: sameState,
};
