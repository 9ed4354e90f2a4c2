/** A conservative reservation: a waiting job's planned start and the nodes it will start on. */
import type { Placing } from "../placement/placing.ts";

export interface Plan {
  readonly jobIdx: number;
  readonly submitMs: number;
  /** `Infinity`: no time is known at which the job would fit. */
  startMs: number;
  endMs: number;
  /** The start that was last written down as promised; `Infinity` before the first. */
  toldMs: number;
  placing: Placing;
}

/** Deep copy. O(members placed). */
export function copyPlans(plans: readonly Plan[]): Plan[] {
  return plans.map((plan) => ({ ...plan, placing: plan.placing.copy() }));
}

/** Plans are tried and started in this order: planned start, submit time, job index. */
export function comparePlans(one: Plan, other: Plan): number {
  if (one.startMs !== other.startMs) return one.startMs < other.startMs ? -1 : 1;
  if (one.submitMs !== other.submitMs) return one.submitMs - other.submitMs;
  return one.jobIdx - other.jobIdx;
}

/** Puts a plan in its place in a sorted list. O(log n + n moved). */
export function insertPlan(plans: Plan[], plan: Plan): void {
  let low = 0;
  let high = plans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePlans(plans[middle]!, plan) < 0) low = middle + 1;
    else high = middle;
  }
  plans.splice(low, 0, plan);
}
