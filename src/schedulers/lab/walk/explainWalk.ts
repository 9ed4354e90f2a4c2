/**
 * What the walk says of one waiting job, by the tests of its passes beside what the last pass kept, and what it knows of a job besides.
 * Nothing here is on the path of a run, and nothing changes.
 */
import type { Explanation, PoolView } from "../../../engine/view.ts";
import type { Candidates } from "../../../model/lab/candidates.ts";
import type { LabJobFacts } from "../../../model/lab/shares.ts";
import { WaitReasonCode } from "../../../model/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { nodeRulesOf } from "../../../scheduling/placement/nodeRules.ts";
import type { Shape } from "../../../scheduling/placement/shapes.ts";
import { shapesOf } from "../../../scheduling/placement/shapes.ts";
import { freesFor, unitOf, unitsFree } from "../explain.ts";
import { gpusOnClosedNodes, openNodesNeverDo, shortReason } from "../fits.ts";
import { nodeFunnel } from "../nodeFunnel.ts";
import { CLOSURES } from "./closures/closures.ts";
import { ESTIMATE } from "./estimates.ts";
import { GATES } from "./gates/gates.ts";
import { Keep } from "./keep/keep.ts";
import { orderOf, type WalkState } from "./state.ts";

const tester = new Keep();

/** What a pass did or tried for a job: what is free now would not tell. */
const TOLD_BY_PASSES: ReadonlySet<number> = new Set([
  WaitReasonCode.booting,
  WaitReasonCode.protected,
]);

/** Answers for one waiting job, seen after the last pass. O(waiting + running + nodes). */
export function explainWalk(view: PoolView, state: WalkState, jobIdx: number): Explanation {
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(state.pool.settings));
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  const reason = reasonOf(view, state, shape, jobIdx);
  const unit = unitOf(view, shape, reason);
  const { share } = ceilingOf(view, state, jobIdx);
  return {
    reason,
    gpusNeeded: shape.gpuTotal,
    gpusFree: view.gpusFreeTotal,
    unit,
    unitsNeeded: unit === "nodes" ? shape.members : shape.gpusWhole,
    unitsFree: unitsFree(view, shape, unit),
    ...(reason === WaitReasonCode.nodesClosed ? { gpusClosed: gpusOnClosedNodes(view) } : {}),
    ...(share ? { share } : {}),
    position: rankOf(view, state, jobIdx),
    headJobIdx: state.headJobIdx,
    reservedForJobIdx: reason === WaitReasonCode.reservation ? delayed(view, state, jobIdx) : -1,
    ...planOf(state, jobIdx, view.nowMs),
    frees: freesFor(view, state, state.rules.placement, shape, jobIdx, unit),
  };
}

/** When and where room is kept for it. */
function planOf(
  { kept, cuts, nominated }: WalkState,
  jobIdx: number,
  nowMs: number,
): Pick<Explanation, "plannedMs" | "plannedNodes"> {
  const cut = cuts.jobs.get(jobIdx);
  if (cut !== undefined)
    return { plannedMs: cut.readyMs, plannedNodes: [...new Set(cut.rows.map(({ node }) => node))] };
  const room = nominated.find((other) => other.jobIdx === jobIdx);
  const own = kept.find((other) => other.jobIdx === jobIdx);
  const { placing } = room ?? own ?? {};
  // Victims that hang are late; nobody knows for how long.
  const startMs = room?.readyMs ?? own?.startMs ?? NEVER_MS;
  return {
    plannedMs: startMs >= nowMs ? startMs : NEVER_MS,
    plannedNodes: [...new Set(placing?.node.slice(0, placing.length) ?? [])],
  };
}

function reasonOf(view: PoolView, state: WalkState, shape: Shape, jobIdx: number): number {
  if (state.nominated.some((job) => job.jobIdx === jobIdx)) return WaitReasonCode.victims;
  if (state.cuts.jobs.has(jobIdx)) return WaitReasonCode.cutting;
  const { verdict } = ceilingOf(view, state, jobIdx);
  if (verdict !== WaitReasonCode.none) return verdict;
  const said = view.waitReason(jobIdx);
  if (TOLD_BY_PASSES.has(said)) return said;
  if (jobIdx === state.headJobIdx)
    return said === WaitReasonCode.window ? said : shortReason(view, shape, null);
  if (openNodesNeverDo(view, shape)) return WaitReasonCode.nodesClosed;
  if (state.rules.strict && state.headJobIdx >= 0) return WaitReasonCode.priority;
  // The test writes only to its own notes, and to the list of what is kept: of a copy.
  tester.resume(
    view,
    { ...state, kept: [...state.kept] },
    shapesOf(view.jobs, view.cluster, nodeRulesOf(state.pool.settings)),
  );
  return tester.canStart(jobIdx) ? WaitReasonCode.nextPass : tester.reason;
}

interface Ceiling {
  readonly verdict: number;
  readonly share: Explanation["share"] | null;
}

function ceilingOf(view: PoolView, state: WalkState, jobIdx: number): Ceiling {
  for (const { part, state: own } of state.gates) {
    const verdict = GATES[part]!.verdict(own, view, jobIdx);
    if (verdict === WaitReasonCode.none) continue;
    return { verdict, share: GATES[part]!.explain?.(own, view, jobIdx) ?? null };
  }
  return { verdict: WaitReasonCode.none, share: null };
}

/** Jobs that stand before it. O(waiting). */
function rankOf(view: PoolView, state: WalkState, jobIdx: number): number {
  const order = orderOf(state);
  let before = 0;
  for (const other of state.waiting) {
    if (other !== jobIdx && order.isBefore(state.order, view, other, jobIdx)) before++;
  }
  return before;
}

/** The next job with a reservation that begins before this one would end. */
function delayed(view: PoolView, state: WalkState, jobIdx: number): number {
  const endMs = view.nowMs + ESTIMATE.lengthMs(state.estimate, view, jobIdx);
  const before = state.kept.find((kept) => kept.jobIdx !== jobIdx && kept.startMs < endMs);
  return before?.jobIdx ?? -1;
}

/** What the walk knows of one living job beside why it waits. O(waiting). */
export function walkFacts(view: PoolView, state: WalkState, jobIdx: number): LabJobFacts {
  const waits = state.waiting.has(jobIdx);
  const told = state.promises.get(jobIdx);
  return {
    position: waits ? rankOf(view, state, jobIdx) + 1 : 0,
    waitingCount: state.waiting.size,
    priority: orderOf(state).priority(state.order, view, jobIdx),
    estimatedEndMs: state.endMsOf.get(jobIdx) ?? Number.NaN,
    firstPromiseMs: told?.firstMs ?? NEVER_MS,
    promiseMs: told?.lastMs ?? NEVER_MS,
    evictions: Math.max(0, view.runs(jobIdx) - (waits ? 0 : 1)),
    ...(waits ? { terms: orderOf(state).terms?.(state.order, view, jobIdx) ?? [] } : {}),
  };
}

/** The nodes that a waiting job could go to, and what takes each away. O(nodes + running + kept). */
export function walkCandidates(
  view: PoolView,
  state: WalkState,
  jobIdx: number,
): Candidates | null {
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(state.pool.settings));
  const { one, kept, nominated } = state;
  const making = nominated.map(({ jobIdx: other, placing }) => ({
    jobIdx: other,
    startMs: Number.NEGATIVE_INFINITY,
    placing,
  }));
  return nodeFunnel(view, jobIdx, {
    shape: shapes.list[shapes.shapeOfJob[jobIdx]!]!,
    kept: [...(one.jobIdx < 0 ? kept : [one]), ...making],
    inWindow: windowedFor(view, state, jobIdx),
    lengthMs: ESTIMATE.lengthMs(state.estimate, view, jobIdx),
    endMsOf: (other) => state.endMsOf.get(other) ?? view.limitEndMs[other]!,
    ceiling: ceilingOf(view, state, jobIdx).verdict,
  });
}

/** Nodes that the job may not use now: their windows begin before its limit ends, and do not admit it. */
function windowedFor(view: PoolView, state: WalkState, jobIdx: number): ReadonlySet<number> {
  const endMs = view.nowMs + view.limitMs(jobIdx);
  const nodes = new Set<number>();
  for (const { part, state: own } of state.closures) {
    const closures = CLOSURES[part]!;
    for (const closure of closures.known(own, view)) {
      if (closure.fromMs >= endMs || closure.toMs <= view.nowMs) continue;
      if (!closure.forNobody && closures.admits(own, view, closure, jobIdx)) continue;
      for (const node of closure.nodes) nodes.add(node);
    }
  }
  return nodes;
}
