/**
 * KAI: a session every period, each with allocate, consolidate, reclaim, preempt and stale gang eviction. With time-based fair share what queues have used changes all the time, so
 * every session counts while somebody waits. Source: kai-scheduler/KAI-Scheduler `docs/scheduling-deep-dive`, `pkg/scheduler/actions`.
 */
import type { PoolView } from "../../engine/view.ts";
import { countWaiting } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { closeSession } from "../podGroups/session.ts";
import { type GroupRules, groupScheduler } from "../podGroups/sessions.ts";
import { allocate } from "./allocate.ts";
import { consolidate, preempt, reclaim } from "./evictions.ts";
import { explain } from "./explain.ts";
import { jobFacts, queues, tell } from "./facts.ts";
import { openSession } from "./session.ts";
import { evictStale, nextStaleMs } from "./stale.ts";
import { BOOKS, copyState, createState, type KaiState } from "./state.ts";
import { advanceUsage } from "./usage.ts";

/** `everySearch`: also those searches for room and for victims are made that cannot end well. */
export const kaiRules = (everySearch = false): GroupRules<KaiState> => ({
  create: createState,
  copy: copyState,
  books: BOOKS,
  before({ nowMs }, { usage, books }) {
    if (usage !== null)
      advanceUsage(
        usage,
        nowMs,
        books.map(({ allocated }) => allocated),
      );
  },
  dueMs,
  nobodyWaits: ({ partial, waiting }) => partial.size === 0 && countWaiting(waiting) === 0,
  lanes: ({ waiting }) => [waiting],
  session(view, state, act) {
    const session = openSession(view, state, act, everySearch);
    allocate(session);
    consolidate(session);
    reclaim(session);
    preempt(session);
    evictStale(session);
    closeSession(session);
    return session.decided;
  },
  tell,
  queues,
  jobFacts,
  explain,
});

export const kai = groupScheduler(kaiRules());

/** Protections and delays end, gangs are stale, past use has moved. */
function dueMs(view: PoolView, state: KaiState): number {
  const { setup, usage, waiting, partial } = state;
  const staleMs = nextStaleMs(state);
  if (partial.size === 0 && countWaiting(waiting) === 0) return staleMs;
  const isTimed =
    usage !== null ||
    setup.preemptionDelayMs > 0 ||
    setup.queues.some(({ preemptMinMs, reclaimMinMs }) => preemptMinMs + reclaimMinMs > 0);
  return isTimed ? Math.min(staleMs, Math.max(view.nowMs, state.lastSessionMs + 1)) : staleMs;
}
