/** What a job depends on: as one state, from the counts that its slot keeps, and dependency by dependency for whoever asks. */
import type { Dependency } from "../model/jobs.ts";
import { type Dependencies, EdgeState } from "./dependencies.ts";
import type { DependencyFact } from "./jobFacts.ts";
import type { LiveJobs } from "./liveJobs.ts";
import type { DependencyState } from "./view.ts";

/** O(1). */
export function dependencyOf(live: LiveJobs, slot: number): DependencyState {
  if (live.at.neverMet[slot] === 1) return "never";
  const met = live.at.dependencies[slot] === 0 && live.at.alternatives[slot]! < 0;
  return met ? "met" : "open";
}

/** Each dependency of a job with its state; that of a job that is done is not kept and reads `open`. O(dependencies of all jobs). */
export function dependencyFacts(edges: Dependencies, jobIdx: number): DependencyFact[] {
  const facts: DependencyFact[] = [];
  edges.jobs.dependencies.forEach((edge, index) => {
    if (edge.jobIdx === jobIdx) facts.push({ ...edge, state: stateOf(edges, index, edge) });
  });
  return facts;
}

function stateOf(
  edges: Dependencies,
  index: number,
  { jobIdx, singleton }: Dependency,
): DependencyState {
  if (singleton) return edges.singletons.waits(jobIdx) ? "open" : "met";
  const state = edges.state[index];
  if (state === EdgeState.met) return "met";
  return state === EdgeState.never ? "never" : "open";
}
