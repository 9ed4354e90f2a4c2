/** Stale gang eviction: a job that has held fewer members than it needs for too long gives them back and waits whole again. O(partly placed jobs). Source: KAI `pkg/scheduler/actions/stalegangeviction`. */
import { NEVER_MS } from "../../model/units.ts";
import { isReady } from "../../scheduling/kubernetes/podGroups/held.ts";
import { groupAt } from "../podGroups/session.ts";
import type { Session } from "./session.ts";
import { BOOKS, type KaiState } from "./state.ts";

export function evictStale(session: Session): void {
  const { view, state, act, setup } = session;
  for (const jobIdx of [...state.partial].sort((one, other) => one - other)) {
    const { members } = state.runs.get(jobIdx)!;
    if (isReady(groupAt(session, jobIdx), members)) {
      state.shortSinceMs.delete(jobIdx);
      continue;
    }
    const sinceMs = state.shortSinceMs.get(jobIdx) ?? view.nowMs;
    state.shortSinceMs.set(jobIdx, sinceMs);
    if (view.nowMs - sinceMs < setup.staleGangMs) continue;
    act.evict(jobIdx, "requeue", 0, -1);
    BOOKS.takeStock(view, state, jobIdx);
    BOOKS.arrive(view, state, jobIdx);
    state.grown++;
    session.decided++;
  }
}

/** When the next of them will have been short for too long. */
export function nextStaleMs({ shortSinceMs, setup }: KaiState): number {
  let ms = NEVER_MS;
  for (const sinceMs of shortSinceMs.values()) ms = Math.min(ms, sinceMs + setup.staleGangMs);
  return ms;
}
