/**
 * PodDisruptionBudgets as preemption asks for them: how many more of the pods that each selects may be gone. A pod's labels are those of its job's request and those that
 * follow from the job. Expected are all pods of living jobs that it selects, healthy those that are bound and stay. Part of 100 rounds up, as upstream does. O(living
 * jobs × budgets), where there are budgets at all. Source: kubernetes/kubernetes `pkg/controller/disruption`.
 */
import type { PoolView } from "../../../engine/view.ts";
import { JOB_KINDS, nameOf } from "../../../model/jobs.ts";
import type { BudgetFacts, KeptByBudget } from "../../../model/kubernetes/budgetFacts.ts";
import type { IntOrPercent, PodDisruptionBudget } from "../../../model/kubernetes/config.ts";
import type { PlacementState } from "./state.ts";

/** What the budgets of a job allow now, and when one last kept its pods; null where none selects them. O(living jobs × budgets). */
export function budgetFacts(
  view: PoolView,
  state: PlacementState,
  jobIdx: number,
): BudgetFacts | null {
  const selecting = budgetsOf(view, state, jobIdx);
  if (selecting.length === 0) return null;
  const allowed = disruptionsAllowed(view, state);
  return {
    budgets: selecting.map((at) => ({
      name: state.config.budgets[at]!.name,
      allowed: Math.max(0, allowed[at]!),
    })),
    kept: state.keptByBudget.get(jobIdx) ?? null,
  };
}

/** Notes that a budget has kept pods of a job, for those who ask later: nothing is decided by it. */
export function noteKept(
  view: PoolView,
  { config, keptByBudget }: PlacementState,
  jobIdx: number,
  from: KeptByBudget["from"],
  budget: number,
): void {
  keptByBudget.set(jobIdx, { atMs: view.nowMs, from, budget: config.budgets[budget]!.name });
}

/** Disruptions still allowed, by budget; may be negative. */
export function disruptionsAllowed(view: PoolView, state: PlacementState): number[] {
  const { budgets } = state.config;
  if (budgets.length === 0) return [];
  const { pods, entries } = state;
  const jobs = new Set(pods.headOfJob.keys());
  for (const { jobIdx } of entries.values()) jobs.add(jobIdx);
  const expected = budgets.map(() => 0);
  const healthy = budgets.map(() => 0);
  const { firstComponent } = view.jobs.at;
  const { members } = view.jobs.components;
  for (const jobIdx of jobs) {
    const selected = budgetsOf(view, state, jobIdx);
    if (selected.length === 0) continue;
    let asked = 0;
    for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++)
      asked += members[row]!;
    let stay = 0;
    for (let pod = pods.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = pods.jobNext[pod]!)
      if (pods.leaveMs[pod] === 0) stay++;
    for (const at of selected) {
      expected[at] = expected[at]! + asked;
      healthy[at] = healthy[at]! + stay;
    }
  }
  return budgets.map((budget, at) => healthy[at]! - leastOf(budget, expected[at]!));
}

function leastOf({ minAvailable, maxUnavailable }: PodDisruptionBudget, expected: number): number {
  if (minAvailable !== null) return amountOf(minAvailable, expected);
  return maxUnavailable === null ? 0 : expected - amountOf(maxUnavailable, expected);
}

function amountOf({ amount, percent }: IntOrPercent, of: number): number {
  return percent ? Math.ceil((of * amount) / 100) : amount;
}

/** Budgets that select the pods of a job. O(budgets × labels). */
export function budgetsOf(view: PoolView, state: PlacementState, jobIdx: number): number[] {
  const { budgets } = state.config;
  if (budgets.length === 0) return [];
  const labels = labelsOf(view, jobIdx);
  const team = teamOf(view, jobIdx);
  return budgets.flatMap(({ namespace, matchLabels }, at) => {
    if (matchLabels === null || (namespace !== "" && namespace !== team)) return [];
    return Object.entries(matchLabels).every(([label, value]) => labels[label] === value)
      ? [at]
      : [];
  });
}

const teamOf = (view: PoolView, jobIdx: number): string =>
  view.teams[view.jobs.at.team[jobIdx]!]?.id ?? "";

/** Labels of the pods of a job: those of its request and those that follow from the job. */
export function labelsOf(view: PoolView, jobIdx: number): Readonly<Record<string, string>> {
  const { jobs } = view;
  return {
    "job-name": nameOf(jobs.ids, jobIdx),
    team: teamOf(view, jobIdx),
    tier: view.tiers[view.tierOfJob[jobIdx]!]!.id,
    queue: view.queues[jobs.at.queue[jobIdx]!] ?? "",
    user: jobs.users[jobs.at.user[jobIdx]!] ?? "",
    kind: JOB_KINDS[jobs.at.kind[jobIdx]!]!,
    ...(jobs.kubernetes?.get(jobIdx)?.labels ?? {}),
  };
}
