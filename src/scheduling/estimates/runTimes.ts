/**
 * What is known of run times, as a setting of its own: the user's limit, the truth, the limit divided by a factor, the truth with an error, the
 * user's history, or nothing. Plans go by it; killing goes by the limit alone. Whatever the rule, no job is taken to run longer than its limit, and a
 * service never ends. A run that outlives its estimate is taken to go on (`correction.ts`).
 *
 * Known pathologies: estimates shorter than the truth break promises, since the shadow time of a blocked job moves when runs go on; exact ones
 * are no optimum either, since loose limits leave holes into which others are backfilled (Mu'alem and Feitelson 2001). With no knowledge nobody ends in
 * time, so only what a reservation leaves can be used.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS, SPEED_ONE } from "../../model/units.ts";
import { correctedMs } from "./correction.ts";
import { copyHistory, noHistory, noteRun, predictedMs, type UserHistory } from "./history.ts";
import { errorFactors } from "./noise.ts";

const RUN_TIME_RULES = ["limit", "exact", "factor", "noisy", "history", "none"] as const;
export type RunTimeRule = (typeof RUN_TIME_RULES)[number];

export interface RunTimes {
  readonly rule: RunTimeRule;
  readonly factor: number;
  readonly sigma: number;
  readonly history: UserHistory;
  /** Of jobs that run: when the run started, and what it was taken to last then (ms). */
  readonly running: Map<number, { readonly startMs: number; readonly estimateMs: number }>;
}

/** Takes over with what runs already. O(running). */
export function createRunTimes(view: PoolView, { settings }: PoolSettings): RunTimes {
  const rule = RUN_TIME_RULES.find((known) => known === settings.runTimes) ?? "limit";
  const state: RunTimes = {
    rule,
    factor: Number(settings.estimateFactor ?? 1),
    sigma: Number(settings.estimateNoise ?? 0),
    history: noHistory(rule === "history" ? view.jobs.users.length : 0),
    running: new Map(),
  };
  if (rule === "history")
    view.past(({ jobIdx, fromMs, toMs, endState }) => {
      if (endState >= 0 && view.jobState[jobIdx] === JobStateCode.done)
        noteRun(state.history, view.jobs.at.user[jobIdx]!, toMs - fromMs);
    });
  const running = view.running();
  for (let i = 0; i < running.length; i++) noteStart(state, view, running.at[i]!);
  return state;
}

/** A copy that shares nothing. O(running + users). */
export function copyRunTimes(state: RunTimes): RunTimes {
  return { ...state, history: copyHistory(state.history), running: new Map(state.running) };
}

/** A job was given devices: its estimate stands from the start of its run. O(1). */
export function noteStart(state: RunTimes, view: PoolView, jobIdx: number): void {
  const startMs = view.startMs(jobIdx);
  if (state.rule === "limit" || startMs === NEVER_MS) return;
  if (state.running.get(jobIdx)?.startMs === startMs) return;
  state.running.set(jobIdx, { startMs, estimateMs: lengthMs(state, view, jobIdx) });
}

/** A job gave devices back: if it has ended, its user is known better. O(1). */
export function noteEnd(state: RunTimes, view: PoolView, jobIdx: number): void {
  const run = state.running.get(jobIdx);
  if (run === undefined) return;
  const jobState = view.jobState[jobIdx]!;
  if (jobState >= JobStateCode.starting && jobState !== JobStateCode.done) return;
  state.running.delete(jobIdx);
  if (state.rule === "history" && jobState === JobStateCode.done)
    noteRun(state.history, view.jobs.at.user[jobIdx]!, view.nowMs - run.startMs);
}

/** Expected length of the job's next run, ms from its start; `Infinity` = not known. O(1). */
export function lengthMs(state: RunTimes, view: PoolView, jobIdx: number): number {
  if (isService(view, jobIdx)) return NEVER_MS;
  const limitMs = view.limitMs(jobIdx);
  switch (state.rule) {
    case "limit":
      return limitMs;
    case "none":
      return NEVER_MS;
    case "factor":
      return Math.min(limitMs, Math.max(1, Math.ceil(limitMs / state.factor)));
    case "exact":
      return Math.min(limitMs, workMs(view, jobIdx));
    case "noisy":
      return Math.min(
        limitMs,
        Math.max(1, Math.round(workMs(view, jobIdx) * errorOf(state, view, jobIdx))),
      );
    case "history":
      return Math.min(limitMs, predictedMs(state.history, view.jobs.at.user[jobIdx]!));
  }
}

/** Expected end of the run under way, after now; `Infinity` = not known. O(1). */
export function endMs(state: RunTimes, view: PoolView, jobIdx: number): number {
  const soonMs = view.nowMs + 1;
  if (state.rule === "none" || isService(view, jobIdx)) return NEVER_MS;
  // Who lacks members makes no progress.
  if (view.jobState[jobIdx] === JobStateCode.placed) return NEVER_MS;
  const limitEndMs = Math.max(soonMs, view.limitEndMs[jobIdx]!);
  if (state.rule === "limit") return limitEndMs;
  if (state.rule === "exact") return Math.min(limitEndMs, Math.max(soonMs, view.workEndMs(jobIdx)));
  const run = state.running.get(jobIdx);
  if (run === undefined || run.estimateMs === NEVER_MS) return limitEndMs;
  const ranMs = view.nowMs - run.startMs;
  return Math.min(limitEndMs, run.startMs + correctedMs(run.estimateMs, ranMs));
}

/** Work left at reference speed. */
function workMs(view: PoolView, jobIdx: number): number {
  return Math.max(1, Math.ceil(view.workLeftQ16(jobIdx) / SPEED_ONE));
}

function errorOf(state: RunTimes, view: PoolView, jobIdx: number): number {
  return errorFactors(view.jobs, view.world.seed ?? 0, state.sigma)[jobIdx]!;
}

function isService(view: PoolView, jobIdx: number): boolean {
  return (view.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0;
}
