/**
 * kube-scheduler by itself: every job is admitted as it arrives, and its pods are bound one by one. No gangs, no run times, no reservations: small pods pass big ones, big
 * ones can starve, and jobs that hold part of their pods can block each other for ever. Rules and their sources: `docs/policies/kube-scheduler.md`.
 */
import type { Scheduler } from "../../engine/view.ts";
import { budgetFacts } from "./placement/budgets.ts";
import { explainPlacement, podFacts } from "./placement/explain.ts";
import {
  createPlacement,
  forEach,
  hearPlacement,
  offerJob,
  runPlacement,
} from "./placement/placement.ts";
import { copyState, type PlacementState } from "./placement/state.ts";

export const kubeScheduler: Scheduler<PlacementState> = {
  init(view, pool) {
    const state = createPlacement(view, pool);
    forEach(view.waiting(), (jobIdx) => offerJob(view, state, jobIdx));
    return state;
  },

  decide(view, happened, state, act) {
    hearPlacement(view, happened, state);
    forEach(happened.queued, (jobIdx) => offerJob(view, state, jobIdx));
    return runPlacement(view, state, act);
  },

  explain: explainPlacement,
  budgetFacts,
  placementFacts: podFacts,
  snapshot: copyState,
};
