/**
 * The backfill scheduler (`_attempt_backfill`): jobs in order; each is started if it can run now without touching what was promised
 * to those before it, else it is promised the earliest start found, on whole nodes, until the end of its time limit. The plan is
 * made anew in each pass and is conservative with respect to every job tested.
 *
 * A pass takes no time here: without `bf_continue` Slurm's would end early at a change, and jobs could end within it.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { attempt, hasRequired, limitReason, look, partitionSays, place } from "./attempt.ts";
import { BackfillCounts } from "./backfillCounts.ts";
import { arrayFull, dropPlan, setPlan } from "./jobs.ts";
import { countBits, keepIn, takeOut } from "./nodeSets.ts";
import { NodeSpace } from "./nodeSpace.ts";
import { preemptionDiffersMs } from "./preempt.ts";
import { NONE } from "./reasons.ts";
import { nextReservationEndMs, testReservations } from "./reservations.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "./state.ts";
import { resetLimit } from "./timeMin.ts";
import { choosePlace, countRuns, isPlain, leastStartMs, willRun } from "./willRun.ts";

export interface BackfillResult {
  readonly looked: number;
  readonly started: number;
  /** When a pass can differ from this one without an event; `Infinity` = never. */
  readonly differsMs: number;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
/** How far ahead a job that a limit holds up is planned with `assoc_limit_stop` (recording 13f). */
const LIMIT_STOP_MS = 500_000;

const space = new NodeSpace();
/** Nodes that the job tested may use at the time tried. */
let nodes = new Int32Array(0);

interface Pass {
  readonly view: PoolView;
  readonly state: SlurmState;
  readonly act: Actions;
  readonly counts: BackfillCounts;
  readonly planned: Set<SlurmJob>;
  differsMs: number;
}

/** One pass. O(jobs tested × (spans × words + running + selection)). */
export function backfillPass(view: PoolView, state: SlurmState, act: Actions): BackfillResult {
  const { scheduler } = state.setup.config;
  space.begin(view.nowMs, view.nowMs + scheduler.bfWindowMs, state.upNodes);
  const counts = new BackfillCounts(state);
  const pass: Pass = { view, state, act, counts, planned: new Set(), differsMs: NEVER_MS };
  const waiting = [...state.queue];
  if (nodes.length !== state.setup.words) nodes = new Int32Array(state.setup.words);
  countRuns(state);
  let looked = 0;
  let started = 0;
  for (const entry of waiting) {
    const { job } = entry;
    if (!job.queued || job.preempting || arrayFull(state, job)) continue;
    if (partitionSays(state, entry, true) !== NONE) continue;
    look(entry);
    if (!scheduler.assocLimitStop && limitReason(state, job) !== NONE) continue;
    if (!counts.admits(entry)) {
      if (counts.full) break;
      continue;
    }
    looked++;
    if (test(pass, entry)) {
      started++;
      countRuns(state);
    }
    if (scheduler.bfMaxJobStart > 0 && started >= scheduler.bfMaxJobStart) break;
  }
  for (const { job } of waiting) if (job.queued && !pass.planned.has(job)) dropPlan(job, act);
  return { looked, started, differsMs: Math.min(pass.differsMs, timeDiffers(view, state)) };
}

/** Tries one job now and at the ends of the spans; returns whether it was started. */
function test(pass: Pass, entry: QueueEntry): boolean {
  const { view, state, counts } = pass;
  const { job } = entry;
  const limitMs = testedLimit(state, entry);
  const nowOnly = counts.reservesNothing(view, entry);
  pass.differsMs = Math.min(pass.differsMs, preemptionDiffersMs(view, state, job));
  const fullLimitMs = job.limitMs;
  let atMs = firstTry(state, entry, view.nowMs);
  for (;;) {
    const found = tryAt(pass, entry, limitMs, atMs, nowOnly);
    if (found.startMs <= view.nowMs) {
      choosePlace(view, state, entry, nodes);
      const outcome = startNow(pass, entry, limitMs);
      if (outcome === "started") return true;
      if (outcome === "skip") return false;
      job.limitMs = fullLimitMs;
      const startMs = outcome === "later" ? view.nowMs + LIMIT_STOP_MS : view.nowMs;
      promise(pass, entry, startMs, limitMs, placeNodes(state.setup.words), false);
      return false;
    }
    if (found.startMs === NEVER_MS || nowOnly) {
      if (!found.retry || nowOnly || found.laterMs === NEVER_MS) return false;
      atMs = found.laterMs;
      continue;
    }
    if (found.startMs > found.laterMs) {
      atMs = found.laterMs;
      continue;
    }
    choosePlace(view, state, entry, nodes);
    if (found.startMs > space.untilMs) {
      pass.differsMs = Math.min(pass.differsMs, view.nowMs + found.startMs - space.untilMs);
      show(pass, entry, found.startMs);
      return false;
    }
    const chosen = placeNodes(state.setup.words);
    if (space.hasAny(found.startMs, found.startMs + limitMs, chosen)) {
      atMs = found.startMs > atMs ? found.startMs : found.laterMs;
      if (atMs === NEVER_MS) return false;
      continue;
    }
    promise(pass, entry, found.startMs, limitMs, chosen, true);
    return false;
  }
}

/**
 * The first time worth trying: a start is found only from the end of that run on with which, all nodes counted, enough are free; and
 * one behind the next edge of a span is put off to that edge (`TRY_LATER`). O(log running + spans).
 */
function firstTry(state: SlurmState, entry: QueueEntry, nowMs: number): number {
  if (state.reservations.length > 0 || !isPlain(state, entry)) return nowMs;
  const leastMs = leastStartMs(state, entry.wanted.minNodes, nowMs);
  let atMs = nowMs;
  for (;;) {
    const endMs = space.spanEndMs(atMs);
    if (endMs >= leastMs) return atMs;
    atMs = endMs;
  }
}

/** The limit that a job is tested with: `--time-min` where it has one, a minute for jobs that reserve nothing. */
function testedLimit(state: SlurmState, entry: QueueEntry): number {
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

interface Found {
  /** `Infinity` = not at this attempt. */
  startMs: number;
  /** The next time to try; `Infinity` = none. */
  laterMs: number;
  /** Nodes were too few or the wrong ones: later spans may have them. */
  retry: boolean;
}
const found: Found = { startMs: NEVER_MS, laterMs: NEVER_MS, retry: false };

/** Where the job could start if it may not start before `fromMs`. The place is in `place`. */
function tryAt(
  pass: Pass,
  entry: QueueEntry,
  limitMs: number,
  fromMs: number,
  nowOnly: boolean,
): Found {
  const { view, state } = pass;
  found.startMs = NEVER_MS;
  found.laterMs = NEVER_MS;
  found.retry = false;
  const need = entry.wanted.minNodes;
  if (state.reservations.length === 0) {
    const freeMs = space.roomFrom(fromMs, fromMs + limitMs, need);
    if (freeMs > fromMs) {
      // Every start before that has the same span of too few nodes in it.
      found.laterMs = freeMs;
      found.retry = true;
      return found;
    }
  }
  nodes.set(state.upNodes);
  const { partitions } = state.setup;
  keepIn(nodes, partitions[entry.partition]!.nodes);
  if (entry.wanted.excluded !== null) takeOut(nodes, entry.wanted.excluded);
  const fullLimitMs = entry.job.limitMs;
  entry.job.limitMs = limitMs;
  const reservation = testReservations(view, state, entry.job, fromMs, true, nodes);
  entry.job.limitMs = fullLimitMs;
  if (reservation.answer !== "ok") return found;
  const startMs = reservation.whenMs;
  space.takeOut(startMs, startMs + limitMs, nodes);
  found.laterMs = space.spanEndMs(startMs);
  if (reservation.overlaps) {
    const { bfResolutionMs } = state.setup.config.scheduler;
    const endMs = nextReservationEndMs(state, startMs, bfResolutionMs) + 1_000;
    if (endMs < space.untilMs) found.laterMs = Math.min(found.laterMs, endMs);
  }
  found.retry = true;
  if (countBits(nodes) < need || !hasRequired(entry, nodes)) return found;
  found.retry = false;
  const runMs = willRun(view, state, entry, nodes, nowOnly);
  if (runMs !== NEVER_MS) found.startMs = Math.max(runMs, startMs);
  return found;
}

/** `later`: a limit holds it up, but its nodes are kept (`assoc_limit_stop`). `kept`: its victims are being stopped. */
function startNow(
  pass: Pass,
  entry: QueueEntry,
  limitMs: number,
): "started" | "skip" | "later" | "kept" {
  const { view, state, act } = pass;
  const { job } = entry;
  // The planned nodes and no others (`_start_job`): with victims their choice is made here, not by their order.
  const available = placeNodes(state.setup.words);
  const orderedMs = job.limitMs;
  job.limitMs = limitMs;
  const partition = state.setup.partitions[entry.partition]!.config;
  const runMs = Math.min(orderedMs, partition.maxTimeMs);
  const noReserve = state.setup.qos[job.qos]?.config.noReserve === true;
  const givenMs = job.request.timeMinMs > 0 && !noReserve ? limitMs : orderedMs;
  const outcome = attempt(view, state, entry, available, givenMs, StartReasonCode.backfilled, act);
  if (outcome === "started") {
    if (givenMs < runMs) resetLimit(view, state, job, runMs, space, act);
    return "started";
  }
  job.limitMs = orderedMs;
  if (outcome === "limit") return state.setup.config.scheduler.assocLimitStop ? "later" : "skip";
  if (outcome === "reserved" || outcome === "unavailable") return "skip";
  if (outcome === "victims") pass.differsMs = view.nowMs;
  return "kept";
}

function placeNodes(words: number): Int32Array {
  const set = new Int32Array(words);
  for (let row = 0; row < place.length; row++) {
    const node = place.node[row]!;
    set[node >> 5] = set[node >> 5]! | (1 << (node & 31));
  }
  return set;
}

/** Keeps the nodes of `place` for the job, from and to whole steps of `bf_resolution`. */
function promise(
  pass: Pass,
  entry: QueueEntry,
  startMs: number,
  limitMs: number,
  chosen: Int32Array,
  alone: boolean,
): void {
  const { state, counts } = pass;
  show(pass, entry, startMs);
  if (state.setup.qos[entry.job.qos]?.config.noReserve === true) return;
  const step = Math.max(1, state.setup.config.scheduler.bfResolutionMs);
  const fromMs = Math.floor(startMs / step) * step;
  const toMs = Math.floor((startMs + limitMs) / step) * step;
  space.keep(fromMs, toMs, chosen, place.length, alone);
  counts.reserved(entry);
}

/** What squeue shows: the earliest start among the partitions of a job. */
function show(pass: Pass, entry: QueueEntry, startMs: number): void {
  const { job } = entry;
  if (pass.planned.has(job) && job.plannedMs <= startMs) return;
  pass.planned.add(job);
  setPlan(job, startMs, place.node.slice(0, place.length), pass.act);
}

/** Ends by time limit, promises and edges of reservations that the clock passes. */
function timeDiffers(view: PoolView, state: SlurmState): number {
  if (state.queue.length === 0) return NEVER_MS;
  if (state.reservations.length > 0) return view.nowMs + 1;
  let differs = NEVER_MS;
  const first = state.running[0];
  if (first !== undefined) differs = Math.max(first.endMs, view.nowMs + 1);
  return Math.min(differs, space.firstEdgeMs());
}
