/**
 * What happened since the last pass. A job that lost its run, or a member, with a node has failed once: within its retries its calls wait again, beyond them it is over (a job that has other
 * members goes on without the lost one). O(what happened × log waiting). Source: docs.ray.io "Fault tolerance": `max_retries` 3 for tasks, `max_restarts` 0 for actors.
 */
import type { Actions, Happened, PoolView } from "../../engine/view.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { tell } from "./session.ts";
import {
  classOf,
  joinLine,
  leaveLine,
  lineOf,
  lostNode,
  type RayState,
  roomGrew,
  takeStock,
} from "./state.ts";

/** Returns nodes that somebody has left, in whole or in part. */
export function takeNews(
  view: PoolView,
  happened: Happened,
  state: RayState,
  act: Actions,
): ReadonlySet<number> {
  const left = new Set<number>();
  const leaves = (jobIdx: number) => {
    for (const node of state.held.get(jobIdx)?.nodes ?? []) left.add(node);
  };
  const { withdrawn, released, queued, nodesChanged } = happened;
  for (let i = 0; i < withdrawn.length; i++) {
    const jobIdx = withdrawn.at[i]!;
    leaves(jobIdx);
    leaveLine(view, state, jobIdx);
    takeStock(view, state, jobIdx);
    state.failures.delete(jobIdx);
  }
  const failed = new Set<number>();
  for (let i = 0; i < released.length; i++) {
    leaves(released.at[i]!);
    gaveBack(view, state, released.at[i]!, failed);
  }
  for (let i = 0; i < queued.length; i++) {
    leaves(queued.at[i]!);
    comes(view, state, act, queued.at[i]!, failed);
  }
  for (const { length, at } of [withdrawn, released, queued])
    for (let i = 0; i < length; i++) tellHead(view, state, act, at[i]!);
  if (released.length + withdrawn.length > 0 || nodesChanged) roomGrew(view, state);
  if (released.length + withdrawn.length + queued.length > 0 || nodesChanged) state.stale = true;
  return left;
}

/** A line that is looked at no more until room comes has another head where this job came or went: that one hears why the line waits. */
function tellHead(view: PoolView, state: RayState, act: Actions, ofJobIdx: number): void {
  const { classIdx, jobs, first } = lineOf(view, state, ofJobIdx);
  const isGroup = classOf(view, ofJobIdx).kind === "placementGroup";
  const reason = (isGroup ? state.blockedGroups : state.blockedCalls).get(classIdx);
  const head = jobs[first];
  if (reason === undefined || head === undefined) return;
  const said = view.waitReason(head);
  if (said === 0 || said === kubeReasonCode("behindLike")) tell(view, act, head, reason);
}

/** It ended, or lost members. */
function gaveBack(view: PoolView, state: RayState, jobIdx: number, failed: Set<number>): void {
  const before = state.held.get(jobIdx);
  const lost = lostNode(view, before);
  const fewer = takeStock(view, state, jobIdx);
  const now = view.jobState[jobIdx]!;
  if (now === JobStateCode.done) {
    state.failures.delete(jobIdx);
    leaveLine(view, state, jobIdx);
    return;
  }
  if (fewer <= 0) return;
  if (lost) failed.add(jobIdx);
  if (!state.held.has(jobIdx) || now === JobStateCode.ending) return;
  // The others go on; the lost one comes back within its retries.
  if (!lost || mayTryAgain(view, state, jobIdx)) joinLine(view, state, jobIdx);
}

/** Newly able to start, or back after a failure. */
function comes(
  view: PoolView,
  state: RayState,
  act: Actions,
  jobIdx: number,
  failed: ReadonlySet<number>,
): void {
  const lost = failed.has(jobIdx) || lostNode(view, state.held.get(jobIdx));
  takeStock(view, state, jobIdx);
  if (lost && !mayTryAgain(view, state, jobIdx)) {
    leaveLine(view, state, jobIdx);
    state.failures.delete(jobIdx);
    if (view.jobState[jobIdx] === JobStateCode.queued)
      act.refuse(jobIdx, kubeReasonCode("rayDead"));
    return;
  }
  joinLine(view, state, jobIdx);
  state.fresh = true;
}

/** Counts one more failure. */
function mayTryAgain(view: PoolView, state: RayState, jobIdx: number): boolean {
  const failures = (state.failures.get(jobIdx) ?? 0) + 1;
  state.failures.set(jobIdx, failures);
  return failures <= classOf(view, jobIdx).retries;
}
