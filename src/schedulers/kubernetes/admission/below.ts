/**
 * What places the pods of admitted workloads: kube-scheduler, or Volcano. Admission speaks to both in the same words: here is a job, take it back, its pods are gone; and neither knows anything of
 * quota. Volcano meets only what was admitted, so its pod groups are made on admission; its own queues are those that the YAML describes. Costs: those of each half.
 */
import type { Actions, Explanation, Happened, PoolView } from "../../../engine/view.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import { BOOKS, type VolcanoState } from "../../volcano/state.ts";
import { volcano } from "../../volcano/volcano.ts";
import { explainPlacement } from "../placement/explain.ts";
import { hearGone, hearPlacement, runPlacement, withdrawJob } from "../placement/placement.ts";
import { podsLeave } from "../placement/pods.ts";
import { copyState, type PlacementState } from "../placement/state.ts";
import { createPods, offerPods } from "./pods.ts";
import type { KueueState } from "./state.ts";

export type Below =
  | { readonly kind: "pods"; readonly state: PlacementState }
  | {
      readonly kind: "volcano";
      readonly state: VolcanoState;
      /** Admitted since its last pass. */
      offered: number[];
    };

/** Knows what runs; hears of what waits by `offer`. O(running + waiting). */
export function createBelow(view: PoolView, pool: PoolSettings): Below {
  if (pool.settings["placement"] !== "volcano")
    return { kind: "pods", state: createPods(view, pool) };
  const state = volcano.init(view, pool);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) BOOKS.leave(view, state, waiting.at[i]!);
  return { kind: "volcano", state, offered: [] };
}

export function hearBelow(view: PoolView, happened: Happened, below: Below): void {
  if (below.kind === "pods") hearPlacement(view, happened, below.state);
}

/** A workload has its quota: its pods are there. */
export function offer(view: PoolView, admission: KueueState, below: Below, jobIdx: number): void {
  if (below.kind === "pods") offerPods(view, admission, below.state, jobIdx);
  else below.offered.push(jobIdx);
}

/** Its pods are deleted; those that run are gone at `goneMs`. */
export function withdraw(view: PoolView, below: Below, jobIdx: number, goneMs: number): void {
  if (below.kind === "pods") {
    withdrawJob(view, below.state, jobIdx);
    podsLeave(below.state.pods, jobIdx, goneMs);
    return;
  }
  below.offered = below.offered.filter((one) => one !== jobIdx);
  BOOKS.leave(view, below.state, jobIdx);
  if (below.state.runs.has(jobIdx)) below.state.ending.add(jobIdx);
}

/** Its pods have been told to end: as pod groups count it, it holds nothing from now on, and nobody joins it. */
export function toldToEnd(view: PoolView, below: Below, jobIdx: number): void {
  if (below.kind === "volcano") BOOKS.takeStock(view, below.state, jobIdx);
}

/** It held too little to end in its grace: they are gone at once. */
export function goneAtOnce(view: PoolView, below: Below, jobIdx: number): void {
  if (below.kind === "pods") {
    hearGone(view, below.state, jobIdx);
    return;
  }
  const { state } = below;
  state.ending.delete(jobIdx);
  BOOKS.takeStock(view, state, jobIdx);
  state.grown++;
  state.stale = true;
}

/** Its pass; when to come back (ms). */
export function runBelow(view: PoolView, happened: Happened, below: Below, act: Actions): number {
  if (below.kind === "pods") return runPlacement(view, below.state, act);
  const at = Int32Array.from(below.offered);
  below.offered = [];
  const { withdrawn, released, retiered, nodesChanged, timer, depended, commands } = happened;
  const queued = { length: at.length, at };
  const news = { withdrawn, released, retiered, nodesChanged, timer, depended, commands, queued };
  return volcano.decide(view, news, below.state, act);
}

export function explainBelow(view: PoolView, below: Below, jobIdx: number): Explanation {
  return below.kind === "pods"
    ? explainPlacement(view, below.state, jobIdx)
    : volcano.explain(view, below.state, jobIdx);
}

export function copyBelow(below: Below): Below {
  return below.kind === "pods"
    ? { kind: "pods", state: copyState(below.state) }
    : { kind: "volcano", state: volcano.snapshot(below.state), offered: [...below.offered] };
}
