/**
 * Preemption at the moment a job is tried: its victims are told to go (`_preempt_jobs`), and the job itself waits for a later pass
 * to find their nodes free. Two things end a grace time, whichever comes first at or after its end: the check of time limits every
 * 30 s, and the preemptor's next attempt, made at most every `KillWait` + `MessageTimeout`. The victim of a grace runs on and may
 * end by itself; one that asked for a `--signal` saves its work and leaves.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { checkFromMs } from "../life/limitChecks.ts";
import { resortRun } from "../life/runs.ts";
import type { Choice } from "../select/choice.ts";
import type { SelectOptions } from "../select/options.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { turnsDue } from "./gang.ts";
import { gangRoom } from "./gangRoom.ts";
import { exemptUntilMs, graceMs, hasExemptTimes, nextAttemptMs, preemptables } from "./preempt.ts";
import { selectWithVictims } from "./preemptSelect.ts";
import { stopVictim } from "./stopVictim.ts";

/** `room`: `into` is a place, whose CPUs `makeRoom` frees. `victims`: some are being stopped. */
export type Preempted = "none" | "victims" | "room";

/** To be asked when a job does not fit beside all others: what preemption does for it now. O(victims × selection). */
export function preemptFor(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  candidates: Int32Array,
  options: SelectOptions,
  into: Choice,
  act: Actions,
): Preempted {
  const victims = preemptables(view, state, entry.job);
  if (gangRoom(view, state, entry, candidates, victims, options, into)) return "room";
  if (victims.length === 0) return "none";
  const needed = selectWithVictims(state, entry, candidates, victims, options, into);
  if (needed === null || needed.length === 0) return "none";
  startPreemption(view, state, entry.job, needed, act);
  return "victims";
}

/** Tells victims to go, unless that was done lately. O(victims × nodes of a job). */
function startPreemption(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  victims: readonly SlurmJob[],
  act: Actions,
): void {
  job.preempting = true;
  const tooSoon = view.nowMs < nextAttemptMs(state, job);
  if (!tooSoon) job.preemptAttemptMs = view.nowMs;
  state.nextGangMs = Math.min(state.nextGangMs, nextAttemptMs(state, job));
  if (tooSoon) return;
  for (const victim of victims) {
    if (!hasGrace(view, state, victim, job, act)) stopVictim(view, state, victim, act);
  }
}

/** At the start of a pass: no job has told its victims to go in it yet (`preempt_in_progress`). O(queue) where there is preemption. */
export function forgetAttempts(state: SlurmState): void {
  if (state.setup.config.preemption.type === "none") return;
  for (const { job } of state.queue) job.preempting = false;
}

/**
 * Graces that are over at a check of time limits, jobs that have saved their work, turns of gangs. Returns when to look again (ms),
 * `Infinity` = never. To be called at every wake-up before the passes. O(running) where there is preemption.
 */
export function graceAndGang(view: PoolView, state: SlurmState, act: Actions): number {
  const { type, gang } = state.setup.config.preemption;
  if (type === "none" && !gang && !state.fresh) return Number.POSITIVE_INFINITY;
  let next = Number.POSITIVE_INFINITY;
  // An exempt time has passed, or victims may be told again: the next periodic pass can find something else.
  if (state.nextGangMs <= view.nowMs) state.fullDue = true;
  else next = state.nextGangMs;
  const exempts = hasExemptTimes(state);
  let due: SlurmJob[] | null = null;
  for (const job of state.running) {
    const atMs = leaveMs(state, job);
    if (atMs > view.nowMs) next = Math.min(next, atMs);
    else if (due === null) due = [job];
    else due.push(job);
    if (!exempts) continue;
    const untilMs = exemptUntilMs(state, job);
    if (untilMs > view.nowMs) next = Math.min(next, untilMs);
  }
  for (const job of due ?? []) stopVictim(view, state, job, act);
  return Math.min(next, turnsDue(view, state, act));
}

/** When a victim goes without its preemptor asking again; `Infinity` for others. */
function leaveMs(state: SlurmState, job: SlurmJob): number {
  if (job.preemptMs < 0) return Number.POSITIVE_INFINITY;
  const checkMs = checkFromMs(state.setup.controllerStartMs, job.graceEndMs);
  return job.leavesMs < 0 ? checkMs : Math.min(checkMs, job.leavesMs);
}

/** Whether a victim may run on for now; its grace begins with the first question (`slurm_job_check_grace`). */
function hasGrace(
  view: PoolView,
  state: SlurmState,
  victim: SlurmJob,
  preemptor: SlurmJob,
  act: Actions,
): boolean {
  if (victim.preemptMs >= 0) return view.nowMs < victim.graceEndMs;
  const forMs = graceMs(state, victim);
  victim.preemptMs = view.nowMs;
  victim.preemptorIdx = preemptor.jobIdx;
  victim.graceEndMs = Math.min(victim.endMs, view.nowMs + forMs);
  if (forMs === 0) return false;
  victim.endMs = victim.graceEndMs;
  resortRun(state, victim);
  warn(view, victim, act);
  state.nextGangMs = Math.min(state.nextGangMs, leaveMs(state, victim));
  return true;
}

/** The signal that a job asked for with `--signal`: it saves its work if the grace is long enough, and leaves. */
function warn(view: PoolView, victim: SlurmJob, act: Actions): void {
  const { signalBeforeMs, signalSaveMs } = victim.request;
  if (signalBeforeMs === 0 || signalSaveMs === 0) return;
  if (view.nowMs + signalSaveMs > victim.graceEndMs) return;
  if (view.jobState[victim.jobIdx] !== JobStateCode.running) return;
  act.checkpoint(victim.jobIdx, signalSaveMs);
  victim.leavesMs = view.nowMs + signalSaveMs;
}
