/**
 * Compression: reservations move up into what has become free, in order of planned start. Each is tried at the times before
 * its start; while limits are upper bounds none moves later.
 *
 * Exact shortcuts. A plan that found nothing earlier when it was last tried can find something only where more has become free
 * since: at a time at which one of those nodes can hold a member of it. On a flat machine a plan that finds nothing rules out
 * the same times for all later plans that need no less for no shorter. And before its own start a plan stands in nobody's way
 * but after it in its own: what it has there need not be taken out to be tried.
 */
import { NEVER_MS } from "../../model/units.ts";
import { firstWindow, needOn } from "../../scheduling/backfill/nodeWindows.ts";
import type { Plan } from "../../scheduling/backfill/plans.ts";
import { comparePlans } from "../../scheduling/backfill/plans.ts";
import { earliestFit, earliestFlat, takeOver } from "../../scheduling/backfill/profile.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Part, Shape } from "../../scheduling/placement/shapes.ts";
import type { PlanDesk } from "./planDesk.ts";
import { announce, plannedShape } from "./planDesk.ts";

const found = new Placing();
/** By node: what the plans that move leave behind; those tried before them may use it in the next round. */
let leftMs = new Float64Array(0);
/** Nodes of which more is free than before, and the latest time until which one of them is. */
let grownNodes: number[] = [];
let grownMostMs = 0;

export function compressPlans(desk: PlanDesk): void {
  const { state, view } = desk;
  const grownMs = state.grownUntilMs;
  if (leftMs.length !== grownMs.length) leftMs = new Float64Array(grownMs.length);
  leftMs.fill(Number.NEGATIVE_INFINITY);
  noteGrown(desk);
  failures.count = 0;
  let moved = false;
  for (const plan of [...state.plans]) {
    const beforeMs = Math.min(plan.startMs, grownMostMs);
    if (plan.startMs <= view.nowMs || beforeMs <= view.nowMs) continue;
    const shape = plannedShape(desk, plan.jobIdx);
    const limitMs = view.limitMs(plan.jobIdx);
    const startMs = desk.flat
      ? tryFlat(desk, plan, shape, limitMs, beforeMs)
      : tryNodes(desk, plan, shape, limitMs, beforeMs);
    if (startMs >= plan.startMs) continue;
    move(desk, plan, shape, startMs, limitMs);
    moved = true;
  }
  if (moved) state.plans.sort(comparePlans);
  grownMs.set(leftMs);
}

function noteGrown({ view, state }: PlanDesk): void {
  grownNodes = [];
  grownMostMs = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < view.nodes.length; i++) {
    const untilMs = state.grownUntilMs[view.nodes[i]!]!;
    if (untilMs > view.nowMs) grownNodes.push(view.nodes[i]!);
    if (untilMs > grownMostMs) grownMostMs = untilMs;
  }
}

/** On nodes the new place is in `found`, and the plan's share has been given back, if it can move. */
function tryNodes(
  desk: PlanDesk,
  plan: Plan,
  shape: Shape,
  limitMs: number,
  beforeMs: number,
): number {
  const { view, state, profile, sketch } = desk;
  let fromMs = view.nowMs;
  if (shape.parts.length === 1) {
    fromMs = firstOnGrown(desk, plan, shape.parts[0]!, limitMs, beforeMs);
    if (fromMs >= beforeMs) return NEVER_MS;
  }
  takeOver(profile, shape, plan.placing, plan.startMs, plan.endMs, -1);
  const startMs = earliestFit(
    profile,
    sketch,
    shape,
    limitMs,
    fromMs,
    beforeMs,
    state.placement,
    found,
  );
  if (startMs >= plan.startMs) takeOver(profile, shape, plan.placing, plan.startMs, plan.endMs, 1);
  return startMs;
}

/** The first time at which a node that has grown can hold a member of the plan. */
function firstOnGrown(
  { view, state, profile, sketch }: PlanDesk,
  plan: Plan,
  part: Part,
  limitMs: number,
  beforeMs: number,
): number {
  const { node: own, length } = plan.placing;
  let firstMs = NEVER_MS;
  for (const node of grownNodes) {
    if (sketch.nodeState[node] !== 0) continue;
    const untilMs = Math.min(beforeMs, state.grownUntilMs[node]!, firstMs);
    let freeFromMs = NEVER_MS;
    if (plan.startMs !== NEVER_MS) {
      for (let row = 0; row < length; row++) if (own[row] === node) freeFromMs = plan.startMs;
    }
    const steps = profile.ofNode[node]!;
    const atMs = firstWindow(steps, needOn(part, node), limitMs, view.nowMs, untilMs, freeFromMs);
    if (atMs < firstMs) firstMs = atMs;
  }
  return firstMs;
}

function move(desk: PlanDesk, plan: Plan, shape: Shape, startMs: number, limitMs: number): void {
  const { state, profile, flat, view } = desk;
  if (flat) takeOver(profile, shape, plan.placing, plan.startMs, plan.endMs, -1);
  if (plan.startMs !== NEVER_MS) {
    if (flat) leave(state.grownUntilMs, view.nodes[0]!, plan.endMs);
    for (let row = 0; row < plan.placing.length; row++) {
      leave(state.grownUntilMs, plan.placing.node[row]!, plan.endMs);
    }
  }
  plan.startMs = startMs;
  plan.endMs = startMs + limitMs;
  plan.placing.set(found);
  takeOver(profile, shape, plan.placing, startMs, plan.endMs, 1);
  announce(desk, plan);
}

/** The place that a plan leaves has grown, for those after it now and for those before it in the next round. */
function leave(grownMs: Float64Array, node: number, endMs: number): void {
  if (endMs > leftMs[node]!) leftMs[node] = endMs;
  if (endMs <= grownMs[node]!) return;
  if (!grownNodes.includes(node)) grownNodes.push(node);
  grownMs[node] = endMs;
  if (endMs > grownMostMs) grownMostMs = endMs;
}

const MOST_FAILURES = 32;
/** Needs and durations for which no start before a time was found in this round. */
const failures = {
  count: 0,
  need: new Float64Array(MOST_FAILURES),
  durationMs: new Float64Array(MOST_FAILURES),
  untilMs: new Float64Array(MOST_FAILURES),
};

function tryFlat(
  { view, profile }: PlanDesk,
  plan: Plan,
  { gpusWhole: need }: Shape,
  limitMs: number,
  beforeMs: number,
): number {
  const { need: needs, durationMs, untilMs } = failures;
  let fromMs = view.nowMs;
  // Later failures reach further: the last one that includes this plan says most.
  for (let i = failures.count - 1; i >= 0; i--) {
    if (needs[i]! > need || durationMs[i]! > limitMs) continue;
    fromMs = untilMs[i]!;
    break;
  }
  if (fromMs >= beforeMs) return NEVER_MS;
  found.clear();
  const startMs = earliestFlat(profile.total, need, limitMs, fromMs, beforeMs, plan.startMs);
  if (startMs < beforeMs) return startMs;
  noteFailure(need, limitMs, beforeMs);
  return NEVER_MS;
}

/** Plans come in order of start, so a failure reaches at least as far as those noted before; what it includes is dropped. */
function noteFailure(need: number, limitMs: number, beforeMs: number): void {
  const { need: needs, durationMs, untilMs } = failures;
  let kept = 0;
  for (let i = 0; i < failures.count; i++) {
    if (needs[i]! >= need && durationMs[i]! >= limitMs) continue;
    needs[kept] = needs[i]!;
    durationMs[kept] = durationMs[i]!;
    untilMs[kept++] = untilMs[i]!;
  }
  if (kept === MOST_FAILURES) kept--;
  needs[kept] = need;
  durationMs[kept] = limitMs;
  untilMs[kept] = beforeMs;
  failures.count = kept + 1;
}
