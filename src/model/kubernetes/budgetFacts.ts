/** What PodDisruptionBudgets mean for one job, as its scheduler knows it. Numbers and names; words come later. */
export interface BudgetFacts {
  /** Those that select its pods. */
  readonly budgets: readonly { readonly name: string; readonly allowed: number }[];
  /** The last time one of them kept its pods; null = never so far. */
  readonly kept: KeptByBudget | null;
}

/** A pod stayed because a budget allowed no more disruptions. */
export interface KeptByBudget {
  /** When it was asked. */
  readonly atMs: number;
  readonly from: "descheduler" | "scaleDown";
  readonly budget: string;
}
