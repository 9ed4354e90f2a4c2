/**
 * TorchElastic (torchrun) as one surviving agent sees it: workers run, wait in the rendezvous for enough nodes, or have failed for good. A failure of
 * workers, and nodes that leave, stop the group and spend a restart; nodes that join stop it for free, and only where the group is below its
 * maximum. With no restart left the next failure ends the job. Source: the agent loop and the dynamic rendezvous of
 * `torch/distributed/elastic` (the help text of `--max-restarts` counts changes of membership too, the code does not).
 */
export interface RestartBudget {
  readonly left: number;
  /** Restarts of the group that have begun; the failure that ends the job is none. */
  readonly groupRestarts: number;
  readonly failed: boolean;
}

export function restartBudget(maxRestarts: number): RestartBudget {
  return { left: maxRestarts, groupRestarts: 0, failed: false };
}

/** Workers fail, or are lost with their node. O(1). */
export function workersFail(budget: RestartBudget): RestartBudget {
  if (budget.left <= 0) return { ...budget, failed: true };
  return { left: budget.left - 1, groupRestarts: budget.groupRestarts + 1, failed: false };
}

/** The group is stopped to take in new members. O(1). */
export function membersJoin(budget: RestartBudget): RestartBudget {
  return { ...budget, groupRestarts: budget.groupRestarts + 1 };
}
