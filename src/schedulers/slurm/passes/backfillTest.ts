/**
 * The test of one job in a backfill pass: where it could start now, and else at the ends of the spans (`TRY_LATER`), beside what was
 * promised to the jobs before it. What comes out is a verdict; the pass carries it out and may use it again (`backfillPass.ts`).
 */

import { countBits, countBoth, keepIn, takeOut } from "../../../base/bitSets.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { StartReasonCode } from "../../../model/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { NodeSpace } from "../plans/nodeSpace.ts";
import {
  isCertain,
  isCountable,
  leastBesidePromises,
  type Ready,
  readyRuns,
} from "../plans/readyRuns.ts";
import { isPlain, leastStartMs, leastWith, placeFound, willRun } from "../plans/willRun.ts";
import { mayPreemptAny } from "../preemption/preempt.ts";
import {
  nextReservationEdgeMs,
  nextReservationEndMs,
  testReservations,
  usesReservation,
} from "../reservations/reservations.ts";
import type { Wanted } from "../select/wanted.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { attempt, hasRequired, optionsOf } from "./attempt.ts";
import { isComponent } from "./hetJobs.ts";
import { resetLimit } from "./timeMin.ts";

/** What was found for a job in one of its partitions, and what of the job it rests on. */
export interface Verdict {
  readonly job: SlurmJob;
  readonly partition: number;
  readonly wanted: Wanted;
  readonly qos: number;
  readonly limitMs: number;
  readonly nowOnly: boolean;
  /** Its planned start; `Infinity` = none. */
  startMs: number;
  /** Nodes of the plan, as a bit set. */
  set: Int32Array | null;
  /** Whether they are kept for it, and nobody else has them then. */
  kept: boolean;
  alone: boolean;
  /** It holds while the clock is before this, as long as no run and no promise to a job before it changes. */
  validMs: number;
  started: boolean;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
/** How far ahead a job that a limit holds up is planned with `assoc_limit_stop` (recording 13f). */
const LIMIT_STOP_MS = 500_000;

/** Promises of the pass that runs. */
export const space = new NodeSpace();
/** Nodes that the job tested may use at the time tried. */
let nodes = new Int32Array(0);

/** Tests one job. `nowOnly`: it is started now or not at all. O(attempts × (promises + running) + selection). */
export function testJob(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nowOnly: boolean,
  act: Actions,
): Verdict {
  const limitMs = testedLimit(state, entry);
  const verdict: Verdict = {
    job: entry.job,
    partition: entry.partition,
    wanted: entry.wanted,
    qos: entry.job.qos,
    limitMs,
    nowOnly,
    startMs: NEVER_MS,
    set: null,
    kept: false,
    alone: true,
    validMs: alwaysFresh(state, entry) ? view.nowMs : NEVER_MS,
    started: false,
  };
  if (nodes.length !== state.setup.words) nodes = new Int32Array(state.setup.words);
  const flat = isPlain(state, entry) && state.reservations.length === 0;
  const ready = countedRuns(view, state, entry);
  let atMs = flat || ready ? firstTry(state, verdict, view.nowMs, flat) : view.nowMs;
  let possibleMs = NEVER_MS;
  while (atMs !== NEVER_MS) {
    if (ready !== null) {
      const worthMs = nextWorth(ready, verdict, atMs);
      if (worthMs !== atMs) {
        atMs = worthMs;
        continue;
      }
    }
    tryAt(view, state, entry, verdict, atMs);
    if (found.startMs !== NEVER_MS ? !found.hopeless : !found.retry)
      possibleMs = Math.min(possibleMs, atMs);
    if (found.startMs <= view.nowMs && isComponent(entry.job)) {
      verdict.validMs = view.nowMs;
      plan(state, entry, verdict, view.nowMs, placeFound(view, state, entry, nodes), true);
      break;
    }
    if (found.startMs <= view.nowMs) {
      startNow(view, state, entry, verdict, placeFound(view, state, entry, nodes), act);
      break;
    }
    if (nowOnly) break;
    if (found.startMs === NEVER_MS) {
      if (!found.retry) break;
      atMs = found.laterMs;
    } else if (found.startMs > found.laterMs) {
      atMs = flat ? space.nextTryMs(atMs, leastWith) : found.laterMs;
    } else {
      const set = placeFound(view, state, entry, nodes);
      const inWindow = found.startMs < space.untilMs;
      if (inWindow && space.hasAny(found.startMs, found.startMs + limitMs, set)) {
        atMs = found.startMs > atMs ? found.startMs : found.laterMs;
        continue;
      }
      plan(state, entry, verdict, found.startMs, set, inWindow);
      if (!inWindow)
        verdict.validMs = Math.min(verdict.validMs, view.nowMs + found.startMs - space.untilMs + 1);
      break;
    }
  }
  if ((flat || ready !== null) && !nowOnly) noteTry(verdict, possibleMs);
  return verdict;
}

/**
 * With which ends of runs the nodes become usable, for jobs on GPU nodes of which that tells before which time they cannot start; else
 * null. Every node must become usable in time: where some never do, a job that does not fit on what is left of them is not looked at any
 * further, so that no moment may be left out.
 */
function countedRuns(view: PoolView, state: SlurmState, entry: QueueEntry): Ready | null {
  if (state.reservations.length > 0 || state.setup.nodes.flat) return null;
  if (!isCountable(state, entry) || mayPreemptAny(state, entry.job)) return null;
  if (!isCertain(state, entry, optionsOf(view, state, entry))) return null;
  const ready = readyRuns(view, state, entry);
  const { nodes, nodeCount } = state.setup.partitions[entry.partition]!;
  const { excluded } = entry.wanted;
  const out = excluded === null ? 0 : countBoth(nodes, excluded);
  return ready.order.length === nodeCount - out ? ready : null;
}

/** The first time from `atMs` on that a start could be found at before the next edge; others are put off to that edge (`TRY_LATER`). O(spans + bound). */
function nextWorth(ready: Ready, verdict: Verdict, atMs: number): number {
  const leastMs = leastBesidePromises(ready, space, verdict.wanted.minNodes, atMs, verdict.limitMs);
  return leastMs === NEVER_MS ? NEVER_MS : space.tryBefore(atMs, leastMs);
}

/** Jobs whose test depends on more than runs and promises. */
function alwaysFresh(state: SlurmState, entry: QueueEntry): boolean {
  return (
    usesReservation(state, entry.job) ||
    entry.wanted.switches > 0 ||
    entry.job.request.timeMinMs > 0 ||
    mayPreemptAny(state, entry.job)
  );
}

function plan(
  state: SlurmState,
  entry: QueueEntry,
  verdict: Verdict,
  startMs: number,
  set: Int32Array,
  keeps: boolean,
): void {
  verdict.startMs = startMs;
  verdict.set = set;
  verdict.kept = keeps && state.setup.qos[entry.job.qos]?.config.noReserve !== true;
}

/**
 * Jobs that ask for the same in the same pass: all times before this one were ruled out for the last of them by counting nodes, and
 * there are only more promises since. To be forgotten when runs change.
 */
const tried = new Map<Wanted, { limitMs: number; possibleMs: number }>();

/** To be called when a pass begins, and when it started a job. */
export function forgetTries(): void {
  tried.clear();
  upNodes = [];
}

/** By partition: its nodes that take work, made when first asked for in a pass. */
let upNodes: Int32Array[] = [];

function upNodesOf(state: SlurmState, partition: number): Int32Array {
  let set = upNodes[partition];
  if (set === undefined) {
    set = state.upNodes.slice();
    keepIn(set, state.setup.partitions[partition]!.nodes);
    upNodes[partition] = set;
  }
  return set;
}

function noteTry(verdict: Verdict, possibleMs: number): void {
  tried.set(verdict.wanted, { limitMs: verdict.limitMs, possibleMs });
}

/**
 * The first time worth trying: a start is found only from the end of that run on with which, all nodes counted, enough are free; and
 * one behind the next edge of a span is put off to that edge (`TRY_LATER`). O(log running + spans).
 */
function firstTry(state: SlurmState, verdict: Verdict, nowMs: number, flat: boolean): number {
  const before = tried.get(verdict.wanted);
  if (before !== undefined && before.limitMs === verdict.limitMs && !verdict.nowOnly)
    return before.possibleMs;
  if (!flat) return nowMs;
  return space.tryBefore(nowMs, leastStartMs(state, verdict.wanted.minNodes, nowMs));
}

/** The limit that a job is tested with: `--time-min` where it has one, a minute for jobs that reserve nothing. */
export function testedLimit(state: SlurmState, entry: QueueEntry): number {
  const { job } = entry;
  const { config, qos, partitions } = state.setup;
  const own = qos[job.qos]?.config;
  let limitMs = Math.min(job.limitMs, YEAR_MS);
  if (own?.partitionTimeLimit !== true)
    limitMs = Math.min(limitMs, partitions[entry.partition]!.config.maxTimeMs);
  if (own?.noReserve === true && config.preemption.type !== "none") return MINUTE_MS;
  const { timeMinMs } = job.request;
  return timeMinMs > 0 && timeMinMs < limitMs ? timeMinMs : limitMs;
}

/** What the last attempt found. */
const found = {
  /** `Infinity` = not at this attempt. */
  startMs: NEVER_MS,
  /** The next time to try; `Infinity` = none. */
  laterMs: NEVER_MS,
  /** Nodes were too few or the wrong ones: later spans may have them. */
  retry: false,
  /** Counts alone put every start behind the next edge, whatever else is promised. */
  hopeless: false,
};

/** Where the job could start if it may not start before `fromMs`; its place is left to `placeFound`. */
function tryAt(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  verdict: Verdict,
  fromMs: number,
): void {
  const { limitMs, nowOnly } = verdict;
  const need = entry.wanted.minNodes;
  found.startMs = NEVER_MS;
  found.laterMs = NEVER_MS;
  found.retry = false;
  found.hopeless = false;
  if (state.reservations.length === 0) {
    const freeMs = space.roomFrom(fromMs, fromMs + limitMs, need);
    if (freeMs > fromMs) {
      // Every start before that has the same span of too few nodes in it.
      found.laterMs = freeMs;
      found.retry = true;
      return;
    }
  }
  nodes.set(upNodesOf(state, entry.partition));
  if (entry.wanted.excluded !== null) takeOut(nodes, entry.wanted.excluded);
  const fullLimitMs = entry.job.limitMs;
  entry.job.limitMs = limitMs;
  const reservation = testReservations(view, state, entry.job, fromMs, true, nodes);
  entry.job.limitMs = fullLimitMs;
  if (reservation.answer !== "ok") return;
  const startMs = reservation.whenMs;
  // A run from now on reaches further as the clock goes: into reservations, too.
  if (fromMs === view.nowMs && state.reservations.length > 0) {
    const edgeMs = nextReservationEdgeMs(state, fromMs + limitMs - 1);
    verdict.validMs = Math.min(verdict.validMs, edgeMs - limitMs + 1);
  }
  space.takeOut(startMs, startMs + limitMs, nodes);
  found.laterMs = space.spanEndMs(startMs);
  if (reservation.overlaps) {
    const { bfResolutionMs } = state.setup.config.scheduler;
    const endMs = nextReservationEndMs(state, startMs, bfResolutionMs) + 1_000;
    if (endMs < space.untilMs) found.laterMs = Math.min(found.laterMs, endMs);
  }
  if (countBits(nodes) < need || !hasRequired(entry, nodes)) {
    found.retry = true;
    return;
  }
  const runMs = willRun(view, state, entry, nodes, nowOnly);
  if (runMs !== NEVER_MS) found.startMs = Math.max(runMs, startMs);
  found.hopeless = leastWith(0) > found.laterMs;
  // A run from now on reaches further as the clock goes: into promises that keep some of these nodes from it. To a start that is put
  // off anyway that is nothing; a job that does not fit on these nodes at all may then be looked at further.
  const putOff = found.hopeless && found.startMs !== NEVER_MS;
  if (startMs === view.nowMs && !putOff)
    verdict.validMs = Math.min(
      verdict.validMs,
      space.nextBeginMs(startMs + limitMs, nodes) - limitMs,
    );
}

/** The job could start now: it does, or limits or its victims keep it back. */
function startNow(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  verdict: Verdict,
  available: Int32Array,
  act: Actions,
): void {
  const { job } = entry;
  const { setup } = state;
  const { limitMs } = verdict;
  verdict.validMs = view.nowMs;
  // The planned nodes and no others (`_start_job`): with victims their choice is made here, not by their order.
  const orderedMs = job.limitMs;
  job.limitMs = limitMs;
  const runMs = Math.min(orderedMs, setup.partitions[entry.partition]!.config.maxTimeMs);
  const noReserve = setup.qos[job.qos]?.config.noReserve === true;
  const givenMs = job.request.timeMinMs > 0 && !noReserve ? limitMs : orderedMs;
  const outcome = attempt(view, state, entry, available, givenMs, StartReasonCode.backfilled, act);
  if (outcome === "started") {
    if (givenMs < runMs) resetLimit(view, state, job, runMs, space, act);
    verdict.started = true;
    return;
  }
  job.limitMs = orderedMs;
  verdict.alone = false;
  const { assocLimitStop } = setup.config.scheduler;
  if (outcome === "limit" && assocLimitStop)
    plan(
      state,
      entry,
      verdict,
      view.nowMs + LIMIT_STOP_MS,
      placeFound(view, state, entry, available),
      true,
    );
  else if (outcome === "victims" || outcome === "busy")
    plan(state, entry, verdict, view.nowMs, placeFound(view, state, entry, available), true);
}
