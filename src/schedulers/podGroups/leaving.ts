/** Jobs and single pods are told to leave, and hold their devices for the grace period. */
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import type { GroupSession } from "./session.ts";
import type { Books, GroupSetup, GroupState } from "./state.ts";

/** The job's own grace period, else that of the settings, ms. */
function graceMsOf({ jobs }: PoolView, setup: GroupSetup, jobIdx: number): number {
  return jobs.kubernetes?.get(jobIdx)?.terminationGraceMs ?? setup.graceMs;
}

/** The whole job goes, and waits again. */
export function evictJob<S extends GroupState>(
  { view, state, act, setup }: GroupSession & { readonly state: S },
  books: Books<S>,
  jobIdx: number,
  forJobIdx: number,
  stopReason: number,
): void {
  act.evict(jobIdx, "requeue", graceMsOf(view, setup, jobIdx), forJobIdx, stopReason);
  books.takeStock(view, state, jobIdx);
  if (view.jobState[jobIdx] === JobStateCode.ending) state.ending.add(jobIdx);
  else state.grown++;
}

/** Pods of a job go, the others go on. */
export function evictPods<S extends GroupState>(
  { view, state, setup }: GroupSession & { readonly state: S },
  books: Books<S>,
  jobIdx: number,
  pods: readonly { readonly component: number; readonly node: number }[],
  forJobIdx: number,
): void {
  const atMs = view.nowMs + graceMsOf(view, setup, jobIdx);
  for (const { component, node } of pods)
    state.leaving.push({ jobIdx, component, node, atMs, forJobIdx });
  books.takeStock(view, state, jobIdx);
}
