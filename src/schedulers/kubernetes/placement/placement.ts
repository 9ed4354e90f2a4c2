/**
 * Placement as other parts drive it: a job is offered (it is admitted, or nobody admits), pods are bound one by one, a job that loses pods is completed again. What the
 * engine says happened is taken in first; then the cycles run that have begun by now. O(what happened), and O(nodes) a cycle at worst.
 */
import type { Actions, Happened, IndexList, PoolView } from "../../../engine/view.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import { JobStateCode } from "../../../model/states.ts";
import { nextScanMs, runAutoscaler } from "./autoscaler.ts";
import { placementConfig } from "./config.ts";
import { runCycles, wakeFreed } from "./cycle.ts";
import { nextRoundMs, runDescheduler } from "./descheduler.ts";
import { dismissDue, nextLeaveMs } from "./leaving.ts";
import { domainsLeft as domainsLeftOf, type PodsPin } from "./pin.ts";
import { boundPods, podsLeave, settlePods } from "./pods.ts";
import { ALL_KINDS, dequeue, enqueue, wake } from "./queue.ts";
import { touchAll, touchNode } from "./search.ts";
import { type PodShapes, podShapes } from "./shapes.ts";
import { createState, type PlacementState } from "./state.ts";

/** Takes a pool over: pods that run are known, those of jobs that end as leaving; what waits is offered by the caller. O(running). */
export function createPlacement(view: PoolView, pool: PoolSettings): PlacementState {
  const state = createState(view, placementConfig(pool, view.tiers));
  const shapes = podShapes(view.jobs, view.cluster);
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    settlePods(view, state.pods, shapes, jobIdx, () => undefined);
    // Told to leave by whoever ran the pool before: nobody tells it again.
    if (view.jobState[jobIdx] === JobStateCode.ending) podsLeave(state.pods, jobIdx, view.nowMs);
  }
  for (let i = 0; i < running.length; i++) complete(view, state, running.at[i]!);
  return state;
}

/** A job may have its pods: those that it has not got stand in line from now on. `pins`: by component, where admission says how many and where; kept until it is withdrawn. O(components + pods of the job). */
export function offerJob(
  view: PoolView,
  state: PlacementState,
  jobIdx: number,
  pins: readonly PodsPin[] | null = null,
): void {
  const { at, components } = view.jobs;
  const request = view.jobs.kubernetes?.get(jobIdx);
  const tier = view.tierOfJob[jobIdx]!;
  const policy = request?.preemptionPolicy ?? state.config.policy[tier]!;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    const given = pins?.[row - at.firstComponent[jobIdx]!];
    if (given) state.pins.set(row, given);
    const pin = state.pins.get(row) ?? null;
    const wanted = pin?.pods ?? components.members[row]!;
    const left = wanted - boundPods(state.pods, jobIdx, row);
    if (state.entries.get(row)?.left === left) continue;
    dequeue(state, row);
    if (left <= 0) continue;
    const priority = state.config.priority[tier]!;
    const domainsLeft = pin === null ? [] : domainsLeftOf(state.pods, jobIdx, row, pin);
    const asked = { row, jobIdx, priority, never: policy === "Never", left, pin, domainsLeft };
    enqueue(state, asked, view.nowMs * 1_000 + state.config.watchUs);
  }
}

/** A job asks for pods no longer. O(components). */
export function withdrawJob(view: PoolView, state: PlacementState, jobIdx: number): void {
  const { firstComponent } = view.jobs.at;
  for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++) {
    dequeue(state, row);
    state.pins.delete(row);
  }
}

/** Takes in what happened to jobs and nodes; jobs that may be offered are the caller's. */
export function hearPlacement(view: PoolView, happened: Happened, state: PlacementState): void {
  const shapes = podShapes(view.jobs, view.cluster);
  let kinds = 0;
  if (happened.nodesChanged || happened.retiered.length > 0) {
    touchAll(state.known);
    state.pods.changes++;
    kinds = ALL_KINDS;
  }
  forEach(happened.released, (jobIdx) => {
    kinds |= settle(view, state, shapes, jobIdx);
  });
  forEach(happened.withdrawn, (jobIdx) => withdrawJob(view, state, jobIdx));
  forEach(happened.retiered, (jobIdx) => {
    if (!hasEntries(view, state, jobIdx)) return;
    withdrawJob(view, state, jobIdx);
    offerJob(view, state, jobIdx);
  });
  if (kinds !== 0) wake(state, shapes, kinds, view.nowMs * 1_000);
}

/** A job was evicted in this pass and held too little to end in its grace: its pods are gone already, and no news will say so. */
export function hearGone(view: PoolView, state: PlacementState, jobIdx: number): void {
  const shapes = podShapes(view.jobs, view.cluster);
  const kinds = settle(view, state, shapes, jobIdx);
  if (kinds !== 0) wake(state, shapes, kinds, view.nowMs * 1_000);
}

/** Brings the pods of a job up to date with what it holds; kinds of resources that it gave back. */
function settle(view: PoolView, state: PlacementState, shapes: PodShapes, jobIdx: number): number {
  let kinds = 0;
  settlePods(view, state.pods, shapes, jobIdx, (node, shapeIdx) => {
    touchNode(state.known, node, true);
    kinds |= shapes.list[shapeIdx]!.kinds;
  });
  complete(view, state, jobIdx);
  return kinds;
}

/** Pods that a running job has lost are made anew by its controller; a job that ends, or is kept back by a user, wants none. */
function complete(view: PoolView, state: PlacementState, jobIdx: number): void {
  const now = view.jobState[jobIdx]!;
  if (now === JobStateCode.done || now === JobStateCode.ending || now === JobStateCode.held)
    withdrawJob(view, state, jobIdx);
  else if (
    now === JobStateCode.placed ||
    now === JobStateCode.running ||
    now === JobStateCode.starting
  )
    offerJob(view, state, jobIdx);
}

function hasEntries(view: PoolView, state: PlacementState, jobIdx: number): boolean {
  const { firstComponent } = view.jobs.at;
  for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++)
    if (state.entries.has(row)) return true;
  return false;
}

/** Runs the controllers that look at the pods now and then, takes pods away whose grace is over and runs the cycles that have begun by now; when to come back (ms). */
export function runPlacement(view: PoolView, state: PlacementState, act: Actions): number {
  const shapes = podShapes(view.jobs, view.cluster);
  state.again = false;
  runDescheduler(view, state, shapes, act);
  runAutoscaler(view, state, shapes, act);
  wakeFreed(view, state, shapes);
  let wakeMs = 0;
  do {
    let kinds = 0;
    dismissDue(view, state, act, (jobIdx) => {
      kinds |= settle(view, state, shapes, jobIdx);
    });
    if (kinds !== 0) wake(state, shapes, kinds, view.nowMs * 1_000);
    wakeMs = runCycles(view, state, shapes, act);
  } while (nextLeaveMs(state) <= view.nowMs);
  const againMs = state.again ? view.nowMs + 1 : wakeMs;
  return Math.min(
    wakeMs,
    nextLeaveMs(state),
    nextRoundMs(view, state),
    nextScanMs(view, state),
    againMs,
  );
}

export function forEach(list: IndexList, tell: (index: number) => void): void {
  for (let i = 0; i < list.length; i++) tell(list.at[i]!);
}
