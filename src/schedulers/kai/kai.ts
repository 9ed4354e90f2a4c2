/**
 * KAI: a session every period, each with allocate, consolidate, reclaim, preempt and stale gang eviction. A session that could decide nothing new is not computed: nothing has happened
 * since the last one, nobody's protection has ended. With time-based fair share what queues have used changes all the time, so every session counts while somebody
 * waits. Source: kai-scheduler/KAI-Scheduler `docs/scheduling-deep-dive`, `pkg/scheduler/actions`.
 */
import type { Actions, PoolView, Scheduler } from "../../engine/view.ts";
import { NEVER_MS } from "../../model/units.ts";
import { countWaiting } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { nextLeavingMs, takeAway } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { allocate } from "./allocate.ts";
import { consolidate, preempt, reclaim } from "./evictions.ts";
import { explain } from "./explain.ts";
import { takeNews } from "./news.ts";
import { closeSession, openSession } from "./session.ts";
import { evictStale, nextStaleMs } from "./stale.ts";
import { copyState, createState, type KaiState, takeStock } from "./state.ts";

export const kai: Scheduler<KaiState> = {
  init: createState,

  decide(view, happened, state, act) {
    takeNews(view, happened, state);
    podsLeave(view, state, act);
    const isTick = (view.nowMs - state.originMs) % state.setup.periodMs === 0;
    if (isTick && state.lastSessionMs < view.nowMs) runSession(view, state, act);
    // Those without a grace period go at once.
    podsLeave(view, state, act);
    return Math.min(nextWakeMs(view, state), nextLeavingMs(state.leaving));
  },

  explain,
  snapshot: copyState,
};

/** Pods whose grace is over go, whenever that is. */
function podsLeave(view: PoolView, state: KaiState, act: Actions): void {
  const { left, jobs } = takeAway(view, act, state.leaving);
  if (jobs.length === 0) return;
  state.leaving = left;
  for (const jobIdx of jobs) takeStock(view, state, jobIdx);
  state.grown++;
  state.stale = true;
}

function runSession(view: PoolView, state: KaiState, act: Actions): void {
  if (!state.stale && lookAgainMs(view, state) > view.nowMs) return;
  state.stale = false;
  // Nobody to decide about: whoever arrives at this very time still finds this session.
  if (state.partial.size === 0 && countWaiting(state.waiting) === 0) return;
  state.lastSessionMs = view.nowMs;
  const session = openSession(view, state, act);
  allocate(session);
  consolidate(session);
  reclaim(session);
  preempt(session);
  evictStale(session);
  closeSession(session);
  if (session.decided > 0) state.stale = true;
}

/** When something changes by itself: protections and delays end, gangs are stale, past use has moved. */
function lookAgainMs(view: PoolView, state: KaiState): number {
  const { setup, usage, waiting } = state;
  const staleMs = nextStaleMs(state);
  if (countWaiting(waiting) === 0) return staleMs;
  const isTimed =
    usage !== null ||
    setup.preemptionDelayMs > 0 ||
    setup.queues.some(({ preemptMinMs, reclaimMinMs }) => preemptMinMs + reclaimMinMs > 0);
  return isTimed ? Math.min(staleMs, Math.max(view.nowMs, state.lastSessionMs + 1)) : staleMs;
}

function nextWakeMs(view: PoolView, state: KaiState): number {
  const firstMs = state.stale ? view.nowMs : lookAgainMs(view, state);
  if (firstMs === NEVER_MS) return NEVER_MS;
  const { originMs } = state;
  const { periodMs } = state.setup;
  const sinceMs = state.lastSessionMs === view.nowMs ? Math.max(firstMs, view.nowMs + 1) : firstMs;
  return originMs + Math.ceil((sinceMs - originMs) / periodMs) * periodMs;
}
