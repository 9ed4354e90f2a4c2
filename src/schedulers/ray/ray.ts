/**
 * Ray: tasks, actors and placement groups on the logical resources of one cluster. New work is looked at at once, work that waits when room has become known; nobody is stopped for anybody, and
 * nothing is kept for anybody. A call's start latency is its round trips and the start of its worker process. Source: ray-project/ray `src/ray/raylet/scheduling`, `src/ray/gcs`,
 * `python/ray/autoscaler/v2`; docs.ray.io "Scheduling".
 */
import type { PoolView, Scheduler } from "../../engine/view.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { tellBehind } from "../../scheduling/kubernetes/podGroups/behind.ts";
import { autoscale, nextStepMs, noteIdle, noteLeft, workersCome } from "./autoscaler.ts";
import { callPass } from "./callPass.ts";
import { candidates } from "./candidates.ts";
import { explain, rayFacts } from "./explain.ts";
import { groupPass } from "./groupPass.ts";
import { takeNews } from "./news.ts";
import { openSession } from "./session.ts";
import { copyState, createState, type RayState } from "./state.ts";

export const ray: Scheduler<RayState> = {
  init(view, pool) {
    const state = createState(view, pool);
    noteIdle(view, state);
    return state;
  },

  decide(view, happened, state, act) {
    const left = takeNews(view, happened, state, act);
    const grew = workersCome(view, state) || happened.nodesChanged;
    if (grew) {
      forgetInfeasible(state);
      noteIdle(view, state);
    } else noteLeft(view, state, left);
    unblock(view, state);
    const steps = nextStepMs(view, state) <= view.nowMs;
    // Most news are of room that is not known yet: nothing to look at.
    if (!state.fresh && !steps) return nextWakeMs(view, state);
    const session = openSession(view, state, act);
    if (state.fresh) {
      state.fresh = false;
      groupPass(session);
      callPass(session);
      tellBehind(view, act, happened.queued, [state.groups, state.calls]);
    }
    if (steps) {
      state.lastStepMs = view.nowMs;
      autoscale(session);
    }
    return nextWakeMs(view, state);
  },

  explain,
  candidates,
  placementFacts: rayFacts,
  snapshot: copyState,
};

/** Lines that were refused are looked at again once room is known to have come. */
function unblock(view: PoolView, state: RayState): void {
  if (state.callsDueMs <= view.nowMs) {
    state.callsDueMs = NEVER_MS;
    state.fresh = true;
    const infeasible = kubeReasonCode("rayInfeasible");
    for (const [classIdx, reason] of state.blockedCalls)
      if (reason !== infeasible) state.blockedCalls.delete(classIdx);
  }
  if (state.groupsDueMs <= view.nowMs) {
    state.groupsDueMs = NEVER_MS;
    state.fresh = true;
    state.blockedGroups.clear();
  }
}

/** Other nodes may be large enough. */
function forgetInfeasible(state: RayState): void {
  const infeasible = kubeReasonCode("rayInfeasible");
  for (const [classIdx, reason] of state.blockedCalls)
    if (reason === infeasible) state.blockedCalls.delete(classIdx);
  state.fresh = true;
}

function nextWakeMs(view: PoolView, state: RayState): number {
  let nextMs = Math.min(state.callsDueMs, state.groupsDueMs, nextStepMs(view, state));
  for (const { atMs } of state.launches) nextMs = Math.min(nextMs, atMs);
  return nextMs;
}
