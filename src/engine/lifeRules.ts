/** When the rules of a pool (`LifeRules`) let something happen: the stop of a run at its limit, the discovery of a failed node. */

import type { PoolSettings } from "../model/policy.ts";
import { NEVER_MS } from "../model/units.ts";
import { type LifeRules, PROMPT_LIFE, type Scheduler } from "./view.ts";

/** The rules of a scheduler under these settings. */
export function lifeOf(scheduler: Scheduler<unknown>, settings: PoolSettings): LifeRules {
  return { ...PROMPT_LIFE, ...scheduler.life?.(settings) };
}

/** When a run whose limit ends at `limitEndMs` is stopped: at the first check to come at or after the end of what it may exceed it by. */
export function stopMs(rules: LifeRules, limitEndMs: number, nowMs: number): number {
  const endMs = Math.max(nowMs, limitEndMs + rules.overLimitMs);
  const everyMs = rules.limitCheckEveryMs;
  if (everyMs === 0 || !(endMs < NEVER_MS)) return endMs;
  const phaseMs = rules.limitCheckPhaseMs;
  return phaseMs + Math.ceil((endMs - phaseMs) / everyMs) * everyMs;
}

/** When somebody notices that a node has failed at `failMs`; `failMs` itself where it is noticed at once. */
export function noticeMs(rules: LifeRules, failMs: number): number {
  const { noticeAfterMs, noticeEveryMs, noticePhaseMs } = rules;
  if (noticeEveryMs === 0) return failMs + noticeAfterMs;
  const sinceCheckMs = failMs - noticePhaseMs;
  const lastCheckMs = noticePhaseMs + Math.floor(sinceCheckMs / noticeEveryMs) * noticeEveryMs;
  return lastCheckMs + (Math.floor(noticeAfterMs / noticeEveryMs) + 1) * noticeEveryMs;
}

/** Whether a change from one to the other moves the stop of a running job. */
export function stopsDiffer(a: LifeRules, b: LifeRules): boolean {
  return (
    a.limitCheckEveryMs !== b.limitCheckEveryMs ||
    a.limitCheckPhaseMs !== b.limitCheckPhaseMs ||
    a.overLimitMs !== b.overLimitMs
  );
}
