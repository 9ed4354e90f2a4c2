/**
 * What the lab says of one waiting job: the reason by the predicates of its passes, and the numbers that belong to it. Nothing
 * here is on the path of a run; it costs O(waiting + running + nodes).
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, Explanation, PoolView } from "../../engine/view.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import { copyReservation, countedEndMs } from "../../scheduling/backfill/shadow.ts";
import { BLOCK, firstJob, rankOf } from "../../scheduling/ordering/sortedJobs.ts";
import type { Capacity } from "../../scheduling/placement/capacity.ts";
import {
  buildIndex,
  createSketch,
  giveHolding,
  loadSketch,
  membersOn,
} from "../../scheduling/placement/capacity.ts";
import { placeShape, wishDomains } from "../../scheduling/placement/placeShape.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import { Placing as Trial } from "../../scheduling/placement/placing.ts";
import type { Shape } from "../../scheduling/placement/shapes.ts";
import { shapesOf } from "../../scheduling/placement/shapes.ts";
import { Candidates } from "./candidates.ts";
import { canFitNow, gpusOnClosedNodes, headReason, openNodesNeverDo } from "./fits.ts";
import { planReason } from "./planReasons.ts";
import { isFlat, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";
import { isLoose } from "./state.ts";

const MOST_FREES = 12;
const held = new Grant();
const trial = new Trial();
const tester = new Candidates();

/**
 * Answers for one waiting job by the tests of the last pass, and changes nothing. O(running) for what would free the rest.
 */
export function explainJob(view: PoolView, state: LabState, jobIdx: number): Explanation {
  const shapes = shapesOf(view.jobs, view.cluster, state.nodeRules);
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  const reason = reasonOf(view, state, jobIdx);
  const planned = plannedOf(state, jobIdx);
  const unit = unitOf(view, shape, reason);
  const closed = reason === WaitReasonCode.nodesClosed;
  return {
    reason,
    gpusNeeded: shape.gpuTotal,
    gpusFree: view.gpusFreeTotal,
    unit,
    unitsNeeded: unit === "nodes" ? shape.members : shape.gpusWhole,
    unitsFree: unitsFree(view, shape, unit),
    ...(closed ? { gpusClosed: gpusOnClosedNodes(view) } : {}),
    position: rankOf(state.queue, jobIdx),
    headJobIdx: firstJob(state.queue),
    reservedForJobIdx: reason === WaitReasonCode.reservation ? delayedJob(view, state, jobIdx) : -1,
    plannedMs: planned?.startMs ?? NEVER_MS,
    plannedNodes:
      planned === null ? [] : [...new Set(planned.placing.node.slice(0, planned.placing.length))],
    frees: freesFor(view, state, state.placement, shape, jobIdx, unit),
  };
}

/** Behind other jobs one waits for closed nodes all the same, if the open ones could not serve it even alone. */
function reasonOf(view: PoolView, state: LabState, jobIdx: number): number {
  const reason = passReason(view, state, jobIdx);
  if (reason !== WaitReasonCode.priority && reason !== WaitReasonCode.depth) return reason;
  const shapes = shapesOf(view.jobs, view.cluster, state.nodeRules);
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  if (view.jobState[jobIdx] === JobStateCode.placed) return reason;
  return openNodesNeverDo(view, shape) ? WaitReasonCode.nodesClosed : reason;
}

function passReason(view: PoolView, state: LabState, jobIdx: number): number {
  const shapes = shapesOf(view.jobs, view.cluster, state.nodeRules);
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  if (state.backfill === "conservative") {
    return planReason(view, state, shapes, jobIdx);
  }
  const beforeHead =
    state.headJobIdx < 0 || rankOf(state.queue, jobIdx) < rankOf(state.queue, state.headJobIdx);
  if (jobIdx === state.headJobIdx || (beforeHead && isLoose(state, view, shape, jobIdx))) {
    return headReason(view, shapes, jobIdx);
  }
  if (state.backfill === "none") return WaitReasonCode.priority;
  // The test writes only to its own notes; the reservation it reads is a copy.
  const copy = { ...state, reservation: copyReservation(state.reservation) };
  tester.begin(view, copy, shapes, noActions, isFlat(view, shapes));
  return tester.canStart(jobIdx) ? WaitReasonCode.nextPass : tester.reason;
}

const noActions = {} as Actions;

function plannedOf(state: LabState, jobIdx: number): { startMs: number; placing: Placing } | null {
  if (state.backfill === "easy" && state.reservation.jobIdx === jobIdx) return state.reservation;
  return state.plans.find((plan) => plan.jobIdx === jobIdx) ?? null;
}

/** The job whose reservation stands in the way: the head, or the next planned to start before this one would end. */
function delayedJob(view: PoolView, state: LabState, jobIdx: number): number {
  if (state.backfill === "easy") return state.reservation.jobIdx;
  const endMs = view.nowMs + view.limitMs(jobIdx);
  const before = state.plans.find((plan) => plan.jobIdx !== jobIdx && plan.startMs < endMs);
  return before?.jobIdx ?? -1;
}

/** The unit in which one says what is short. */
export function unitOf(view: PoolView, shape: Shape, reason: number): Explanation["unit"] {
  if (view.cluster.flat) return "devices";
  if (shape.wish === "leaf" && wishDomains(shape, view.cluster) !== null) return "leafDevices";
  const wholeNodes =
    shape.parts.length === 1 &&
    (shape.parts[0]!.ownNode || reason === WaitReasonCode.fragmentation);
  return wholeNodes ? "nodes" : "devices";
}

/** Nodes that can take a member now; devices under the leaf with most of them; or devices. */
export function unitsFree(capacity: Capacity, shape: Shape, unit: Explanation["unit"]): number {
  if (unit === "devices") return capacity.gpusFreeTotal;
  const ofLeaf = new Int32Array(capacity.cluster.leafCount);
  let nodes = 0;
  for (let i = 0; i < capacity.nodes.length; i++) {
    const node = capacity.nodes[i]!;
    if (membersOn(capacity, node, shape.parts[0]!, 1) > 0) nodes++;
    const leaf = capacity.cluster.leafOfNode[node]!;
    ofLeaf[leaf] = ofLeaf[leaf]! + capacity.gpusFree[node]!;
  }
  return unit === "nodes" ? nodes : Math.max(0, ...ofLeaf);
}

/** Running jobs that give back something until this one would fit, if it were alone in the queue. */
export function freesFor(
  view: PoolView,
  state: Pick<LabState, "runs">,
  placement: LabPlacement,
  shape: Shape,
  jobIdx: number,
  unit: Explanation["unit"],
): Explanation["frees"] {
  const shapes = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
  if (canFitNow(view, shapes, jobIdx)) return [];
  const sketch = createSketch(view);
  loadSketch(sketch, view, true);
  const wanted = stillWanted(view, shape, jobIdx);
  const frees: { jobIdx: number; atMs: number; units: number }[] = [];
  for (let position = 0; position < state.runs.blockCount; position++) {
    const base = state.runs.order[position]! * BLOCK;
    for (let row = 0; row < state.runs.used[state.runs.order[position]!]!; row++) {
      const runIdx = state.runs.jobIdx[base + row]!;
      const atMs = countedEndMs(state.runs.key[base + row]!, view.nowMs);
      if (atMs === NEVER_MS || frees.length === MOST_FREES) return frees;
      const before = unitsFree(sketch, shape, unit);
      held.clear();
      view.holdings(runIdx, held);
      for (let part = 0; part < held.length; part++)
        giveHolding(sketch, view.jobs, runIdx, held, part);
      const units = unitsFree(sketch, shape, unit) - before;
      if (units > 0) frees.push({ jobIdx: runIdx, atMs, units });
      buildIndex(sketch);
      if (placeShape(sketch, shape, wanted, placement, trial)) return frees;
    }
  }
  return frees;
}
