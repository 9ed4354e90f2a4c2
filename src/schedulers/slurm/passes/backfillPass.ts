/**
 * The backfill scheduler (`_attempt_backfill`): jobs in order; each is started if it can run now without touching what was promised
 * to those before it, else it is promised the earliest start found, on whole nodes, until the end of its time limit. The plan is
 * made anew in each pass and is conservative with respect to every job tested.
 *
 * What a test found is used again in the next pass as long as nothing it rests on has changed: runs and nodes, the promises to
 * the jobs before it, and the clock as far as it matters (`Verdict.validMs`, `holdsUntil`). That changes nothing but the cost.
 *
 * A pass takes no time here: without `bf_continue` Slurm's would end early at a change, and jobs could end within it.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { arrayFull, dropPlan, setPlan } from "../life/jobs.ts";
import { NONE } from "../life/reasons.ts";
import { countRuns } from "../plans/willRun.ts";
import { preemptionDiffersMs } from "../preemption/preempt.ts";
import { nextReservationEdgeMs } from "../reservations/reservations.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { limitReason, look, partitionSays } from "./attempt.ts";
import { BackfillCounts } from "./backfillCounts.ts";
import { forgetTries, space, testedLimit, testJob, type Verdict } from "./backfillTest.ts";
import { startHetJobs } from "./hetJobs.ts";

export interface BackfillResult {
  readonly looked: number;
  readonly started: number;
  /** When a pass can differ from this one without an event; `Infinity` = never. */
  readonly differsMs: number;
}

interface Pass {
  readonly view: PoolView;
  readonly state: SlurmState;
  readonly act: Actions;
  readonly counts: BackfillCounts;
  readonly planned: Set<SlurmJob>;
  /** Verdicts of this pass, in order; and of the last, as far as they may still hold. */
  readonly verdicts: Verdict[];
  readonly known: readonly Verdict[];
  /** Verdicts before this place are those of the last pass. */
  same: boolean;
}

/** One pass. O(jobs tested × (spans × promises + running + selection)), O(jobs tested × promises) where verdicts hold. */
export function backfillPass(view: PoolView, state: SlurmState, act: Actions): BackfillResult {
  const { scheduler } = state.setup.config;
  space.begin(view.nowMs, view.nowMs + scheduler.bfWindowMs, state.upNodes);
  const known = knownVerdicts(view, state);
  const pass: Pass = {
    view,
    state,
    act,
    counts: new BackfillCounts(state),
    planned: new Set(),
    verdicts: [],
    known,
    same: true,
  };
  const waiting = [...state.queue];
  countRuns(state);
  forgetTries();
  let differsMs = NEVER_MS;
  let started = 0;
  for (const entry of waiting) {
    const { job } = entry;
    if (!job.queued || job.preempting || arrayFull(state, job)) continue;
    if (partitionSays(state, entry, true) !== NONE) continue;
    look(entry);
    if (!scheduler.assocLimitStop && limitReason(state, job) !== NONE) continue;
    if (!pass.counts.admits(entry)) {
      if (pass.counts.full) break;
      continue;
    }
    differsMs = Math.min(differsMs, preemptionDiffersMs(view, state, job));
    const verdict = verdictOf(pass, entry);
    pass.verdicts.push(verdict);
    differsMs = Math.min(differsMs, carryOut(pass, entry, verdict));
    if (verdict.started) {
      started++;
      pass.same = false;
      countRuns(state);
      forgetTries();
    }
    if (scheduler.bfMaxJobStart > 0 && started >= scheduler.bfMaxJobStart) break;
  }
  started += startHetJobs(view, state, pass.verdicts, act);
  for (const { job } of waiting) if (job.queued && !pass.planned.has(job)) dropPlan(job, act);
  const holdsMs = holdsUntil(view, state);
  state.verdicts = { runs: state.runsVersion, holdsMs, list: started > 0 ? [] : pass.verdicts };
  return { looked: pass.verdicts.length, started, differsMs: Math.min(differsMs, holdsMs) };
}

/** Verdicts of the last pass, if no run, node or reservation changed since and the clock has passed no edge. */
function knownVerdicts(view: PoolView, state: SlurmState): readonly Verdict[] {
  const { verdicts } = state;
  if (verdicts === null || state.setup.everyPass) return [];
  if (verdicts.runs !== state.runsVersion || view.nowMs >= verdicts.holdsMs) return [];
  return verdicts.list;
}

/** The verdict on a job: that of the last pass where it holds, else a new one. */
function verdictOf(pass: Pass, entry: QueueEntry): Verdict {
  const { view, state, act } = pass;
  const nowOnly = pass.counts.reservesNothing(view, entry);
  const before = pass.same ? pass.known[pass.verdicts.length] : undefined;
  if (before === undefined || !isAbout(before, state, entry, nowOnly)) {
    pass.same = false;
    return testJob(view, state, entry, nowOnly, act);
  }
  if (view.nowMs < before.validMs) return before;
  const verdict = testJob(view, state, entry, nowOnly, act);
  pass.same = isSame(before, verdict);
  return verdict;
}

function isAbout(
  verdict: Verdict,
  state: SlurmState,
  entry: QueueEntry,
  nowOnly: boolean,
): boolean {
  return (
    verdict.job === entry.job &&
    verdict.partition === entry.partition &&
    verdict.wanted === entry.wanted &&
    verdict.qos === entry.job.qos &&
    verdict.nowOnly === nowOnly &&
    verdict.limitMs === testedLimit(state, entry)
  );
}

/** Whether two verdicts on a job keep the same for it. */
function isSame(one: Verdict, other: Verdict): boolean {
  if (one.started || other.started || one.kept !== other.kept || one.alone !== other.alone)
    return false;
  if (!one.kept) return true;
  return one.startMs === other.startMs && one.set!.every((word, at) => word === other.set![at]);
}

/** Shows the plan and keeps its nodes. Returns when the verdict can differ. */
function carryOut(pass: Pass, entry: QueueEntry, verdict: Verdict): number {
  const { job } = entry;
  if (verdict.started) return NEVER_MS;
  if (verdict.startMs === NEVER_MS) return later(pass, verdict);
  if (!pass.planned.has(job) || job.plannedMs > verdict.startMs) {
    pass.planned.add(job);
    setPlan(job, verdict.startMs, verdict.set, pass.act);
  }
  if (verdict.kept) {
    const step = Math.max(1, pass.state.setup.config.scheduler.bfResolutionMs);
    const fromMs = Math.floor(verdict.startMs / step) * step;
    const toMs = Math.floor((verdict.startMs + verdict.limitMs) / step) * step;
    space.keep(fromMs, toMs, verdict.set!, verdict.alone);
    pass.counts.reserved(entry);
  }
  return later(pass, verdict);
}

/** A verdict that never holds for long is looked at again with the next event, or with the clock where that matters. */
function later(pass: Pass, verdict: Verdict): number {
  return verdict.validMs > pass.view.nowMs ? verdict.validMs : pass.view.nowMs + 1;
}

/** Ends by time limit, edges of promises and of reservations that the clock passes: from then on all may differ. */
function holdsUntil(view: PoolView, state: SlurmState): number {
  if (state.queue.length === 0) return NEVER_MS;
  const windowMs = nextReservationEdgeMs(state, view.nowMs);
  const first = state.running[0];
  const endMs = first === undefined ? NEVER_MS : Math.max(first.endMs, view.nowMs + 1);
  return Math.min(endMs, windowMs, space.firstEdgeMs());
}
