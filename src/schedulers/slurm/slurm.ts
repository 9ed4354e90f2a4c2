/**
 * Slurm's two schedulers over one memory. At each wake-up: ticks of the priority plugin, news, begin times, reservations, graces and
 * turns; then the main pass if it is due, then the backfill pass if it is due. See `clock.ts` for the times of passes.
 */

import { assert } from "../../base/assert.ts";
import type { Actions, PoolView, Scheduler } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { NEVER_MS } from "../../model/units.ts";
import { runTicks } from "../../scheduling/priority/ticks.ts";
import { explainJob } from "./answers/explain.ts";
import { jobFactsOf } from "./answers/jobFacts.ts";
import { nodesConsidered } from "./answers/nodesConsidered.ts";
import { tablesOf } from "./answers/tables.ts";
import { nextFullMs, noteChange, passDone, passSkipped } from "./clock.ts";
import { createState } from "./createState.ts";
import { keepMemory } from "./keepMemory.ts";
import { nextBudgetTickMs, stopOverBudget } from "./life/budgets.ts";
import { beginDue } from "./life/jobs.ts";
import { LIMIT_CHECK_MS } from "./life/limitChecks.ts";
import { takeNews } from "./life/news.ts";
import { recompute } from "./life/priorities.ts";
import { showReasons } from "./life/reasons.ts";
import { signalsDue } from "./life/signals.ts";
import { nextSwitchWaitEndMs } from "./passes/attempt.ts";
import { backfillPass } from "./passes/backfillPass.ts";
import { planBuiltin } from "./passes/builtinPlan.ts";
import { mainPass } from "./passes/mainPass.ts";
import { forgetAttempts, graceAndGang } from "./preemption/preemptFor.ts";
import { reservationsDue } from "./reservations/reservationDesk.ts";
import { nextReservationEdgeMs } from "./reservations/reservations.ts";
import type { SlurmState } from "./state.ts";
import { copyState } from "./state.ts";
import { takeOver } from "./takeOver.ts";

/** `PassKind` of the record. */
const MAIN_PASS = 0;
const BACKFILL_PASS = 1;

/** The scheduler; `everyPass` (tests only) computes also passes that cannot differ from the last, and tries moments that counts rule out. */
export function slurmWith({ everyPass }: { readonly everyPass: boolean }): Scheduler<SlurmState> {
  return {
    init: (view, pool, before) => {
      const state = createState(view, pool, everyPass);
      if (before !== undefined) keepMemory(before, state);
      return state;
    },
    decide,
    explain: explainJob,
    life: lifeOf,
    tables: tablesOf,
    jobFacts: jobFactsOf,
    candidates: nodesConsidered,
    snapshot: copyState,
  };
}

export const slurm: Scheduler<SlurmState> = slurmWith({ everyPass: false });

/** Limit checks every 30 s and pings every third of `SlurmdTimeout` … from the start of slurmctld. */
function lifeOf(pool: PoolSettings): ReturnType<NonNullable<Scheduler<SlurmState>["life"]>> {
  assert(pool.slurm !== undefined, "the preset slurm has a configuration");
  const { life } = pool.slurm;
  const startMs = Number(pool.settings.controllerStartMs ?? 0);
  const pingMs = Math.max(1, Math.floor(life.slurmdTimeoutMs / 2));
  return {
    ownHolds: true,
    limitCheckEveryMs: LIMIT_CHECK_MS,
    limitCheckPhaseMs: startMs,
    overLimitMs: life.overTimeLimitMs,
    killWaitMs: life.killWaitMs,
    noticeAfterMs: life.slurmdTimeoutMs,
    noticeEveryMs: life.slurmdTimeoutMs === 0 ? 0 : pingMs,
    noticePhaseMs: startMs,
  };
}

function decide(
  view: PoolView,
  happened: Parameters<Scheduler<SlurmState>["decide"]>[1],
  state: SlurmState,
  act: Actions,
): number {
  passSkipped(state, view.nowMs);
  const hadWork = state.queue.length > 0;
  let changed = ticksDue(view, state);
  if (state.fresh) {
    takeOver(view, state, act);
    changed = true;
  }
  if (takeNews(view, state, happened, act)) changed = true;
  if (beginDue(view, state, act)) {
    state.fullDue = true;
    changed = true;
  }
  if (state.reservations.length > 0) {
    reservationsDue(view, state, act);
    if (reservationEdge(state, view.nowMs)) changed = true;
  }
  if (nextSwitchWaitEndMs(state, view.nowMs) === view.nowMs) {
    state.fullDue = true;
    changed = true;
  }
  stopOverBudget(view, state, act);
  signalsDue(view, state, act);
  state.nextGangMs = graceAndGang(view, state, act);
  if (changed) noteChange(state, view.nowMs, hadWork);
  main(view, state, act);
  backfill(view, state, act);
  // A pass that stopped victims calls for another, in which their preemptor finds the nodes free.
  while (state.mainDueMs <= view.nowMs) {
    main(view, state, act);
    noteChange(state, view.nowMs, true);
  }
  showReasons(state, act);
  state.fresh = false;
  return nextWakeMs(view, state);
}

/** Priority ticks up to now. Returns whether they changed the order of the queue. */
function ticksDue(view: PoolView, state: SlurmState): boolean {
  if (state.nextTickMs > view.nowMs) return false;
  state.nextTickMs = runTicks(state.usage, state.nextTickMs, view.nowMs);
  const tickMs = state.nextTickMs - state.setup.config.priority.calcPeriodMs;
  if (!recompute(state, tickMs)) return false;
  state.fullDue = true;
  return true;
}

/** Whether a reservation began or ended since the last wake-up. */
function reservationEdge(state: SlurmState, nowMs: number): boolean {
  if (state.nextEdgeMs > nowMs) return false;
  state.fullDue = true;
  return true;
}

/** Returns whether it ran. */
function main(view: PoolView, state: SlurmState, act: Actions): boolean {
  // What made the periodic pass due may have happened at this very moment.
  const full =
    state.fullMs <= view.nowMs ||
    (state.lastMainMs < view.nowMs && nextFullMs(state, view.nowMs) === view.nowMs);
  if (state.mainDueMs > view.nowMs && !full) return false;
  state.fullMs = NEVER_MS;
  state.mainDueMs = NEVER_MS;
  state.lastMainMs = view.nowMs;
  if (state.queue.length === 0) {
    state.fullDue = false;
    return true;
  }
  forgetAttempts(state);
  const hadWork = state.queue.length > 0;
  const { looked, started, cut } = mainPass(view, state, full, act);
  state.fullDue = cut && !full;
  act.pass(MAIN_PASS, looked, started);
  if (started > 0) noteChange(state, view.nowMs, hadWork);
  return true;
}

function backfill(view: PoolView, state: SlurmState, act: Actions): void {
  if (state.nextBackfillMs > view.nowMs) return;
  if (state.queue.length === 0) {
    state.lastBackfillMs = view.nowMs;
    state.nextBackfillMs = NEVER_MS;
    return;
  }
  if (state.setup.config.schedulerType === "builtin") {
    planBuiltin(view, state, act);
    passDone(state, view.nowMs, NEVER_MS);
    return;
  }
  forgetAttempts(state);
  const { looked, started, differsMs } = backfillPass(view, state, act);
  act.pass(BACKFILL_PASS, looked, started);
  // Who waits for what is another matter then: the next periodic main pass says it anew.
  if (started > 0) state.fullDue = true;
  passDone(state, view.nowMs, started > 0 ? view.nowMs : differsMs);
}

function nextWakeMs(view: PoolView, state: SlurmState): number {
  state.nextEdgeMs = nextReservationEdgeMs(state, view.nowMs);
  let next = Math.min(state.mainDueMs, state.nextGangMs, state.nextEdgeMs, state.nextSignalMs);
  next = Math.max(next, view.nowMs + 1);
  next = Math.min(next, state.begins.at(-1)?.beginMs ?? NEVER_MS, nextBudgetTickMs(state));
  // The periodic passes of an empty queue come and go.
  state.fullMs = NEVER_MS;
  if (state.queue.length === 0) return next;
  state.fullMs = nextFullMs(state, view.nowMs + 1);
  next = Math.min(next, nextSwitchWaitEndMs(state, view.nowMs + 1));
  next = Math.min(next, state.fullMs, state.nextBackfillMs);
  return Math.min(next, state.nextTickMs);
}
