/** Rented nodes in the walk: after each pass, jobs that have waited long enough get nodes, and idle ones go back. Rules: `scheduling/burst`. */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { StopReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../../model/states.ts";
import { chooseRentals, type Rental, type RentDesk } from "../../../../scheduling/burst/rent.ts";
import {
  lookAtRented,
  nextRentedMs,
  noticeAtMs,
  type Rented,
  takenMs,
} from "../../../../scheduling/burst/rented.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import { stillWanted } from "../../starts.ts";
import type { StepPart } from "../parts.ts";
import { placementOf } from "./placementRule.ts";

export interface BurstState {
  rented: Rented[];
  /** Waiting jobs, and since when, in order of that: by how many of the waits of the rules (`waitsOf`) they have behind them. */
  readonly ages: readonly Map<number, number>[];
  /** A job has come of age since rentals were looked for last, or this time has come. */
  ripe: boolean;
  lookMs: number;
  /** Something has happened since, before `lookMs`: rentals are looked for then. Where nothing happens nobody looks in vain. */
  looksAgain: boolean;
  /** Jobs for which nodes boot, with these and all that it is to have: none of them is idle until then. */
  readonly booting: Map<number, Pick<Rental, "nodes" | "place">>;
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
    const ages = [young, ...waitsOf(view).map(() => new Map<number, number>())];
    return {
      rented,
      ages,
      ripe: false,
      lookMs: view.nowMs,
      looksAgain: false,
      booting: new Map(),
      wakeMs: NEVER,
    };
  },

  copy: (state) => ({
    ...state,
    rented: state.rented.map((one) => ({ ...one })),
    ages: state.ages.map((jobs) => new Map(jobs)),
    booting: new Map(state.booting),
  }),

  hooks: {
    queued(state, view, jobIdx) {
      forget(state, view, jobIdx);
      state.ages[0]!.set(jobIdx, view.nowMs);
    },
    withdrawn: forget,
    given: forget,
  },

  wakeMs: (state) => state.wakeMs,

  run(state, view, pool, shapes, act, _headroom, isBefore, awaitedNow, mayStart) {
    state.rented = lookAtRented(view, state.rented);
    const [booting, kept] = [awaitedNodes(state, view), awaitedNow()];
    for (const one of state.rented)
      giveBack(view, one, booting.has(one.node) || kept.has(one.node), act);
    const placement = placementOf(pool);
    const wantedOf = (jobIdx: number, shape: Shape) => stillWanted(view, shape, jobIdx);
    const { backfill, testDepth } = pool.settings;
    const depth = backfill === "none" ? 1 : Number(testDepth ?? 0) || NEVER;
    rent(state, view, shapes, act, { placement, wantedOf, isBefore, mayStart, depth });
    tellWaiting(state, view, act);
    state.wakeMs = nextMs(state, view);
  },
};

function forget(state: BurstState, _view: PoolView, jobIdx: number): void {
  for (const jobs of state.ages) jobs.delete(jobIdx);
  state.booting.delete(jobIdx);
}

function nodesHere(view: PoolView, nodes: readonly number[]): number[] {
  const here = new Set(view.nodes);
  return nodes.filter((node) => here.has(node)).sort((a, b) => a - b);
}

/** Nodes that are to be used together with some that boot still: with unlike times to boot the first would else be given back before the last is there, again and again. */
function awaitedNodes({ booting }: BurstState, view: PoolView): ReadonlySet<number> {
  const awaited = new Set<number>();
  for (const { nodes, place } of booting.values())
    if (nodes.some((node) => view.onTheWay(node))) for (const node of place) awaited.add(node);
  return awaited;
}

/** A node that stood idle too long goes; one that the cloud takes is emptied within its notice. */
function giveBack(view: PoolView, one: Rented, awaited: boolean, act: Actions): void {
  if (one.leaving || one.openMs < 0 || view.onTheWay(one.node)) return;
  const rule = view.world.burst![one.rule]!;
  const noticed = noticeAtMs(rule, one) <= view.nowMs;
  const idleMs = one.idleSinceMs < 0 || awaited ? NEVER : one.idleSinceMs + rule.idleTimeoutMs;
  const idle = idleMs <= view.nowMs;
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

/** How long jobs wait until the rules rent for them, ms, ascending, each once. */
function waitsOf(view: PoolView): number[] {
  return [...new Set(view.world.burst!.map((rule) => rule.afterWaitMs))].sort((a, b) => a - b);
}

/** Jobs come of age, for one rule after the other. */
function ripen(state: BurstState, view: PoolView, waits: readonly number[]): void {
  for (const [age, waitMs] of waits.entries()) {
    for (const [jobIdx, sinceMs] of state.ages[age]!) {
      if (sinceMs + waitMs > view.nowMs) break;
      state.ages[age]!.delete(jobIdx);
      state.ages[age + 1]!.set(jobIdx, sinceMs);
      state.ripe = true;
    }
  }
}

/** Jobs that have waited long enough for some rule, those that have waited longest first. */
function* ofAge({ ages }: BurstState): Generator<readonly [jobIdx: number, sinceMs: number]> {
  for (let age = ages.length - 1; age > 0; age--) yield* ages[age]!;
}

/** Looks for rentals when a job has come of age, and otherwise not more often than jobs come of age. */
function rent(
  state: BurstState,
  view: PoolView,
  shapes: Shapes,
  act: Actions,
  desk: RentDesk,
): void {
  const waits = waitsOf(view);
  ripen(state, view, waits);
  const isAnyOfAge = state.ages.some((jobs, age) => age > 0 && jobs.size > 0);
  state.looksAgain = isAnyOfAge && !state.ripe && view.nowMs < state.lookMs;
  if (!isAnyOfAge) return;
  if (state.looksAgain) return;
  state.ripe = false;
  state.lookMs = view.nowMs + Math.max(LOOK_AGAIN_MS, waits[0]!);
  const coming: number[] = [];
  const ruleOf = new Map<number, number>();
  const groups = view.world.burst!.map(({ nodes, afterWaitMs }, rule) => {
    const absent: number[] = [];
    for (const node of nodesHere(view, nodes)) {
      if (view.nodeState[node] !== NodeStateCode.unborn) continue;
      (view.onTheWay(node) ? coming : absent).push(node);
      ruleOf.set(node, rule);
    }
    return { absent, afterWaitMs };
  });
  for (const rental of chooseRentals(view, shapes, ofAge(state), groups, coming, desk)) {
    for (const node of rental.nodes) {
      const rule = ruleOf.get(node)!;
      act.openNode(node, view.world.burst![rule]!.startupMs);
      state.rented.push({ node, rule, openMs: -1, idleSinceMs: -1, leaving: false });
    }
    state.booting.set(rental.jobIdx, { nodes: rental.nodes, place: rental.place });
  }
}

/** Queued, or with some of its members placed. */
function stillWaits({ jobState }: PoolView, jobIdx: number): boolean {
  const state = jobState[jobIdx];
  return state === JobStateCode.queued || state === JobStateCode.placed;
}

/** Jobs say that their nodes boot, until these are there. */
function tellWaiting(state: BurstState, view: PoolView, act: Actions): void {
  for (const [jobIdx, { nodes }] of state.booting) {
    if (!stillWaits(view, jobIdx)) {
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

/** Of the times at which something may be to be done, the next one to come: one that has passed waits for something to happen. */
function nextMs(state: BurstState, view: PoolView): number {
  let next = NEVER;
  const at = (atMs: number): void => {
    if (atMs > view.nowMs && atMs < next) next = atMs;
  };
  for (const one of state.rented) at(nextRentedMs(view.world.burst![one.rule]!, one));
  for (const [age, waitMs] of waitsOf(view).entries()) {
    const [sinceMs] = state.ages[age]!.values();
    if (sinceMs !== undefined) at(sinceMs + waitMs);
  }
  if (state.looksAgain) at(state.lookMs);
  return next;
}
