/**
 * Which running jobs are safe from preemption for now, and until when: the first part of a run (`minRunMs`), a run that has gone on long
 * enough (`exemptMs`), a job that was evicted before, for a while after it started again (`cooldownMs`, against loops), a job that was evicted
 * as often as it may be, and groups whose disruption budget is used up. Zero switches a rule off, but for one second that a job is given which is
 * back within a second: without it two that may stop each other go round. O(1) a job; budgets O(budgets).
 */
import type { PoolView } from "../../engine/view.ts";
import type { DisruptionBudget } from "../../model/lab/tenancy.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS, SECOND_MS } from "../../model/units.ts";

/**
 * Two jobs that may preempt each other, and have nothing to save, would change places for ever within one instant: a job that starts again within
 * so long of having left runs at least so long.
 */
const AT_ONCE_MS = SECOND_MS;

/** What was evicted and has not ended: how often, and when it gave its devices back last (ms; below 0: it has not yet). */
export type EvictedJobs = Map<number, { readonly count: number; readonly leftMs: number }>;

/** A job is evicted now for another. With grace it leaves later: `followEvicted`. */
export function noteEvicted(
  evicted: EvictedJobs,
  jobIdx: number,
  leftMs: number = Number.NEGATIVE_INFINITY,
): void {
  evicted.set(jobIdx, { count: (evicted.get(jobIdx)?.count ?? 0) + 1, leftMs });
}

/** A job has given devices back. May be told again later, as news of the next pass: the first time after an eviction counts. O(1). */
export function followEvicted(evicted: EvictedJobs, view: PoolView, jobIdx: number): void {
  const known = evicted.get(jobIdx);
  if (known === undefined) return;
  const jobState = view.jobState[jobIdx];
  if (jobState === JobStateCode.done) evicted.delete(jobIdx);
  else if (known.leftMs >= 0) return;
  else if (jobState === JobStateCode.queued || jobState === JobStateCode.admitted)
    evicted.set(jobIdx, { count: known.count, leftMs: view.nowMs });
}

export interface Protections {
  readonly minRunMs: number;
  readonly exemptMs: number;
  readonly cooldownMs: number;
  /** Evictions of one job; 0 = no limit. */
  readonly evictionsMost: number;
}

/** Until when a running job is safe (ms); −1 = it is not, `Infinity` = as long as this run lasts. */
export function safeUntilMs(
  rules: Protections,
  view: PoolView,
  jobIdx: number,
  evicted: EvictedJobs,
): number {
  const before = evicted.get(jobIdx);
  const most = Math.min(
    rules.evictionsMost > 0 ? rules.evictionsMost : NEVER_MS,
    view.jobs.lab.get(jobIdx)?.maxEvictions ?? NEVER_MS,
  );
  if ((before?.count ?? 0) >= most) return NEVER_MS;
  const startMs = view.startMs(jobIdx);
  // A gang that holds some of its members has not started: it has no stretch of its run to be safe in.
  if (startMs === NEVER_MS) return -1;
  if (rules.exemptMs > 0 && view.nowMs - startMs >= rules.exemptMs) return NEVER_MS;
  const atOnce = before !== undefined && startMs - before.leftMs < AT_ONCE_MS;
  const coolMs = before === undefined ? 0 : Math.max(rules.cooldownMs, atOnce ? AT_ONCE_MS : 0);
  const untilMs = startMs + Math.max(rules.minRunMs, coolMs);
  return untilMs > view.nowMs ? untilMs : -1;
}

/** Times of evictions (ms, ascending) of each group under each budget; the key is of `budgetKey`. */
export type EvictionLog = Map<string, number[]>;

/** The group of a job under a budget; null where the budget is of another group. */
function budgetKey(
  view: PoolView,
  budget: DisruptionBudget,
  budgetIdx: number,
  jobIdx: number,
): string | null {
  const { user, team } = view.jobs.at;
  const group =
    budget.per === "tier"
      ? view.tierOfJob[jobIdx]!
      : budget.per === "team"
        ? team[jobIdx]!
        : user[jobIdx]!;
  return budget.index < 0 || budget.index === group ? `${budgetIdx} ${group}` : null;
}

/** Notes an eviction at `atMs`, and forgets those that no budget counts any more. O(budgets + forgotten). */
export function noteEviction(
  log: EvictionLog,
  view: PoolView,
  jobIdx: number,
  atMs = view.nowMs,
): void {
  (view.world.disruptionBudgets ?? []).forEach((budget, budgetIdx) => {
    const key = budgetKey(view, budget, budgetIdx, jobIdx);
    if (key === null) return;
    const times = (log.get(key) ?? []).filter((time) => time > view.nowMs - budget.periodMs);
    times.push(atMs);
    log.set(key, times);
  });
}

/** What is left of the budgets in one search for victims: those taken so far count. */
export class BudgetQuota {
  /** When the first eviction that stood in the way leaves its period; `Infinity` = none did. */
  againMs = NEVER_MS;
  /** Some victim was not taken since the search began. */
  refused = false;
  #view: PoolView | null = null;
  #log: EvictionLog = new Map();
  readonly #taken = new Map<string, number>();

  begin(view: PoolView, log: EvictionLog): void {
    this.#view = view;
    this.#log = log;
    this.#taken.clear();
    this.againMs = NEVER_MS;
    this.refused = false;
  }

  /** Counts a victim; false, and nothing counted, where a budget is used up. O(budgets). */
  take(jobIdx: number): boolean {
    const view = this.#view!;
    const budgets = view.world.disruptionBudgets ?? [];
    for (let at = 0; at < budgets.length; at++) {
      if (this.#isFree(budgets[at]!, at, jobIdx)) continue;
      this.#count(jobIdx, -1, at);
      this.refused = true;
      return false;
    }
    return true;
  }

  release(jobIdx: number): void {
    this.#count(jobIdx, -1, this.#view!.world.disruptionBudgets?.length ?? 0);
  }

  #isFree(budget: DisruptionBudget, budgetIdx: number, jobIdx: number): boolean {
    const view = this.#view!;
    const key = budgetKey(view, budget, budgetIdx, jobIdx);
    if (key === null) return true;
    const sinceMs = view.nowMs - budget.periodMs;
    const times = (this.#log.get(key) ?? []).filter((atMs) => atMs > sinceMs);
    const taken = this.#taken.get(key) ?? 0;
    if (times.length + taken >= budget.jobs) {
      if (times.length > 0) this.againMs = Math.min(this.againMs, times[0]! + budget.periodMs);
      return false;
    }
    this.#taken.set(key, taken + 1);
    return true;
  }

  /** Adds to what is taken under the budgets before `end`. */
  #count(jobIdx: number, change: number, end: number): void {
    const view = this.#view!;
    for (let at = 0; at < end; at++) {
      const key = budgetKey(view, view.world.disruptionBudgets![at]!, at, jobIdx);
      if (key !== null) this.#taken.set(key, (this.#taken.get(key) ?? 0) + change);
    }
  }
}
