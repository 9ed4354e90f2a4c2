/** What PodDisruptionBudgets mean for a job that runs: how many of its pods may be evicted now, and what they last kept it from. */
import { clockNear, countText } from "../../../base/format.ts";
import type { BudgetFacts, KeptByBudget } from "../../../model/kubernetes/budgetFacts.ts";

const FROM: Readonly<Record<KeptByBudget["from"], (one: string) => string>> = {
  descheduler: (one) => `the descheduler asked for a pod of this job and ${one} refused`,
  scaleDown: (one) => `the autoscaler looked at a node of this job and ${one} kept it`,
};

/** At `atMs`. */
export function budgetWords(
  { budgets, kept }: BudgetFacts,
  atMs: number,
  calendar: string | undefined,
): string {
  const now = budgets.map(
    ({ name, allowed }) =>
      `PodDisruptionBudget ${name} selects its pods and allows ${countText(allowed, "disruption")} now.`,
  );
  if (kept !== null)
    now.push(`At ${clockNear(kept.atMs, atMs, calendar)} ${FROM[kept.from](kept.budget)}.`);
  return now.join(" ");
}
