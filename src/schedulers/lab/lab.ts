/**
 * The lab: one scheduler with every knob of the policy lab (order, backfill, placement, gangs together or not, depth). Each
 * pass takes in the news, then lets the backfill of the settings decide. See `docs/policies/`.
 */
import type { Scheduler } from "../../engine/view.ts";
import { NEVER_MS } from "../../model/units.ts";
import { shapesOf } from "../../scheduling/placement/shapes.ts";
import { explainJob } from "./explain.ts";
import { refuseImpossible, takeNews } from "./news.ts";
import { passPlans } from "./planPass.ts";
import { passQueue } from "./queuePass.ts";
import type { LabState } from "./state.ts";
import { copyState, createState } from "./state.ts";

export const lab: Scheduler<LabState> = {
  init: createState,

  decide(view, happened, state, act) {
    const shapes = shapesOf(view.jobs, view.cluster);
    if (state.fresh) refuseImpossible(view, state, shapes, act);
    const news = takeNews(view, happened, state, shapes, act);
    let wakeMs = NEVER_MS;
    if (state.backfill === "conservative") wakeMs = passPlans(view, state, shapes, news, act);
    else passQueue(view, state, shapes, news, act);
    state.fresh = false;
    return wakeMs;
  },

  explain: explainJob,
  snapshot: copyState,
};
