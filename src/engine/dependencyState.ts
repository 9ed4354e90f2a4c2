/** What a living job depends on, as one state, from the counts that its slot keeps. */
import type { LiveJobs } from "./liveJobs.ts";
import type { DependencyState } from "./view.ts";

/** O(1). */
export function dependencyOf(live: LiveJobs, slot: number): DependencyState {
  if (live.at.neverMet[slot] === 1) return "never";
  const met = live.at.dependencies[slot] === 0 && live.at.alternatives[slot]! < 0;
  return met ? "met" : "open";
}
