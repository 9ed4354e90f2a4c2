/** Rented nodes in the walk: after each pass, jobs that have waited long enough get nodes, and idle ones go back. Rules: `scheduling/burst`. */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { StopReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../../model/states.ts";
import { chooseRentals } from "../../../../scheduling/burst/rent.ts";
import {
  lookAtRented,
  nextRentedMs,
  noticeAtMs,
  type Rented,
  takenMs,
} from "../../../../scheduling/burst/rented.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import type { StepPart } from "../parts.ts";

export interface BurstState {
  rented: Rented[];
  /** Waiting jobs, and since when, in order of that: those that have not waited long enough for any rule, and the others. */
  readonly young: Map<number, number>;
  readonly old: Map<number, number>;
  /** A job has come of age since rentals were looked for last, or this time has come. */
  ripe: boolean;
  lookMs: number;
  /** Jobs for which nodes boot, and these. */
  readonly booting: Map<number, readonly number[]>;
  wakeMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;
/** Between two looks at jobs that got nothing at the last one. */
const LOOK_AGAIN_MS = 1_000;
const held = new Grant();

export const burstStep: StepPart<BurstState> = {
  applies: (view) =>
    (view.world.burst ?? []).some((rule) =>
      rule.nodes.some((node) => view.world.poolOfNode[node] === view.pool),
    ),

  create(view) {
    const rented = (view.world.burst ?? []).flatMap((rule, index) =>
      nodesHere(view, rule.nodes)
        .filter((node) => view.nodeState[node] !== NodeStateCode.unborn || view.onTheWay(node))
        .map((node) => ({ node, rule: index, openMs: -1, idleSinceMs: -1, leaving: false })),
    );
    const waiting = view.waiting();
    const young = new Map<number, number>();
    for (let i = 0; i < waiting.length; i++) young.set(waiting.at[i]!, view.nowMs);
    return {
      rented,
      young,
      old: new Map(),
      ripe: false,
      lookMs: view.nowMs,
      booting: new Map(),
      wakeMs: NEVER,
    };
  },

  copy: (state) => ({
    ...state,
    rented: state.rented.map((one) => ({ ...one })),
    young: new Map(state.young),
    old: new Map(state.old),
    booting: new Map(state.booting),
  }),

  hooks: {
    queued(state, view, jobIdx) {
      forget(state, view, jobIdx);
      state.young.set(jobIdx, view.nowMs);
    },
    withdrawn: forget,
    given: forget,
  },

  wakeMs: (state) => state.wakeMs,

  run(state, view, _pool, shapes, act) {
    state.rented = lookAtRented(view, state.rented);
    for (const one of state.rented) giveBack(view, one, act);
    rent(state, view, shapes, act);
    tellWaiting(state, view, act);
    state.wakeMs = nextMs(state, view);
  },
};

function forget(state: BurstState, _view: PoolView, jobIdx: number): void {
  state.young.delete(jobIdx);
  state.old.delete(jobIdx);
  state.booting.delete(jobIdx);
}

function nodesHere(view: PoolView, nodes: readonly number[]): number[] {
  const here = new Set(view.nodes);
  return nodes.filter((node) => here.has(node)).sort((a, b) => a - b);
}

/** A node that stood idle too long goes; one that the cloud takes is emptied within its notice. */
function giveBack(view: PoolView, one: Rented, act: Actions): void {
  if (one.leaving || one.openMs < 0 || view.onTheWay(one.node)) return;
  const rule = view.world.burst![one.rule]!;
  const noticed = noticeAtMs(rule, one) <= view.nowMs;
  const idle = one.idleSinceMs >= 0 && one.idleSinceMs + rule.idleTimeoutMs <= view.nowMs;
  if (!noticed && !idle) return;
  const state = view.nodeState[one.node];
  if (state !== NodeStateCode.open && state !== NodeStateCode.drained) return;
  one.leaving = true;
  act.closeNode(one.node);
  if (!noticed) return;
  const graceMs = Math.max(0, takenMs(rule, one) - view.nowMs);
  for (const jobIdx of jobsOn(view, one.node))
    act.evict(jobIdx, "requeue", graceMs, -1, StopReasonCode.spotTaken);
}

/** Jobs that hold something on a node and are not ending already, ascending. O(what runs). */
function jobsOn(view: PoolView, node: number): number[] {
  const running = view.running();
  const jobs: number[] = [];
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (view.jobState[jobIdx] === JobStateCode.ending) continue;
    held.clear();
    view.holdings(jobIdx, held);
    if (held.node.subarray(0, held.length).includes(node)) jobs.push(jobIdx);
  }
  return jobs;
}

function shortestWaitMs(view: PoolView): number {
  return Math.min(...view.world.burst!.map((rule) => rule.afterWaitMs));
}

/** Jobs that have waited long enough for some rule. */
function ripen(state: BurstState, view: PoolView): void {
  const waitMs = shortestWaitMs(view);
  for (const [jobIdx, sinceMs] of state.young) {
    if (sinceMs + waitMs > view.nowMs) break;
    state.young.delete(jobIdx);
    state.old.set(jobIdx, sinceMs);
    state.ripe = true;
  }
}

/** Looks for rentals when a job has come of age, and otherwise not more often than jobs come of age. */
function rent(state: BurstState, view: PoolView, shapes: Shapes, act: Actions): void {
  ripen(state, view);
  if (state.old.size === 0 || (!state.ripe && view.nowMs < state.lookMs)) return;
  state.ripe = false;
  state.lookMs = view.nowMs + Math.max(LOOK_AGAIN_MS, shortestWaitMs(view));
  (view.world.burst ?? []).forEach((rule, index) => {
    const nodes = nodesHere(view, rule.nodes);
    const unborn = nodes.filter((node) => view.nodeState[node] === NodeStateCode.unborn);
    const coming = unborn.filter((node) => view.onTheWay(node));
    const absent = unborn.filter((node) => !view.onTheWay(node));
    const rentals = chooseRentals(view, shapes, state.old, absent, coming, rule.afterWaitMs);
    for (const { jobIdx, nodes: wanted } of rentals) {
      for (const node of wanted) {
        act.openNode(node, rule.startupMs);
        state.rented.push({ node, rule: index, openMs: -1, idleSinceMs: -1, leaving: false });
      }
      state.booting.set(jobIdx, wanted);
    }
  });
}

/** Jobs say that their nodes boot, until these are there. */
function tellWaiting(state: BurstState, view: PoolView, act: Actions): void {
  for (const [jobIdx, nodes] of state.booting) {
    if (view.jobState[jobIdx] !== JobStateCode.queued) {
      state.booting.delete(jobIdx);
      continue;
    }
    const coming = nodes.some((node) => view.onTheWay(node));
    if (coming) act.wait(jobIdx, WaitReasonCode.booting);
    else {
      state.booting.delete(jobIdx);
      if (view.waitReason(jobIdx) === WaitReasonCode.booting)
        act.wait(jobIdx, WaitReasonCode.nextPass);
    }
  }
}

function nextMs(state: BurstState, view: PoolView): number {
  let next = NEVER;
  for (const one of state.rented)
    next = Math.min(next, nextRentedMs(view.world.burst![one.rule]!, one));
  const [oldMs] = state.old.values();
  const [youngMs] = state.young.values();
  for (const { afterWaitMs } of view.world.burst ?? [])
    if (oldMs !== undefined && oldMs + afterWaitMs > view.nowMs)
      next = Math.min(next, oldMs + afterWaitMs);
  if (youngMs !== undefined) next = Math.min(next, youngMs + shortestWaitMs(view));
  return next > view.nowMs ? next : NEVER;
}
