/**
 * Volcano: a session every period, each with the actions of the list. A session that could decide nothing new is not computed: nothing has happened since the last one, no pods
 * are being made. So a job's start latency is the wait for the next session, one more for its pods (they are made only once its group is let in), and its place among the binds.
 * Source: volcano-sh/volcano `pkg/scheduler/scheduler.go`, `actions`, `plugins`.
 */
import type { Actions, PoolView, Scheduler } from "../../engine/view.ts";
import type { VolcanoAction } from "../../model/kubernetes/volcanoConfig.ts";
import { NEVER_MS } from "../../model/units.ts";
import { countWaiting } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { nextLeavingMs, takeAway } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { allocate } from "./allocate.ts";
import { backfill } from "./backfill.ts";
import { enqueue } from "./enqueue.ts";
import { explain } from "./explain.ts";
import { takeNews } from "./news.ts";
import { preempt } from "./preempt.ts";
import { reclaim } from "./reclaim.ts";
import { closeSession, openSession, type Session } from "./session.ts";
import { copyState, createState, joinInqueue, takeStock, type VolcanoState } from "./state.ts";

const ACTIONS: Readonly<Record<VolcanoAction, (session: Session) => void>> = {
  enqueue,
  allocate,
  backfill,
  preempt,
  reclaim,
};

export const volcano: Scheduler<VolcanoState> = {
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
function podsLeave(view: PoolView, state: VolcanoState, act: Actions): void {
  const { left, jobs } = takeAway(view, act, state.leaving);
  if (jobs.length === 0) return;
  state.leaving = left;
  for (const jobIdx of jobs) takeStock(view, state, jobIdx);
  state.grown++;
  state.stale = true;
}

function runSession(view: PoolView, state: VolcanoState, act: Actions): void {
  const made = podsMade(view, state);
  if (!state.stale && !made) return;
  state.stale = false;
  // Nobody to decide about: whoever arrives at this very time still finds this session.
  if (nobodyWaits(state)) return;
  state.lastSessionMs = view.nowMs;
  const session = openSession(view, state, act);
  for (const action of state.setup.actions) ACTIONS[action](session);
  closeSession(session);
  // What it decided changes what queues deserve: the next session is computed, too.
  if (session.decided > 0) state.stale = true;
}

function nobodyWaits({ pending, entered, partial }: VolcanoState): boolean {
  return partial.size === 0 && entered.size === 0 && countWaiting(pending) === 0;
}

/** Pods whose time has come wait for a place from now on. */
function podsMade(view: PoolView, state: VolcanoState): boolean {
  const made = state.creating.filter(({ atMs }) => atMs <= view.nowMs);
  if (made.length === 0) return false;
  state.creating = state.creating.filter(({ atMs }) => atMs > view.nowMs);
  for (const { jobIdx } of made) joinInqueue(view, state, jobIdx);
  return true;
}

/** The next session that has something to decide. */
function nextWakeMs(view: PoolView, state: VolcanoState): number {
  const firstMs = state.stale ? view.nowMs : (state.creating[0]?.atMs ?? NEVER_MS);
  if (firstMs === NEVER_MS) return NEVER_MS;
  const { periodMs } = state.setup;
  const sinceMs = Math.max(firstMs, state.lastSessionMs === view.nowMs ? view.nowMs + 1 : firstMs);
  return state.originMs + Math.ceil((sinceMs - state.originMs) / periodMs) * periodMs;
}
