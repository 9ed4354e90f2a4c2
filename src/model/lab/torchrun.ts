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

export interface AgentView {
  readonly budget: RestartBudget;
  /** Alive, those in reserve counted. */
  readonly nodes: number;
  /** Fewer than the minimum: in the rendezvous, without workers. */
  readonly waiting: boolean;
}

export type AgentEvent =
  | { readonly type: "workerFailure" }
  | { readonly type: "nodesJoin" | "nodesLeave"; readonly count: number };

export function restartBudget(maxRestarts: number): RestartBudget {
  return { left: maxRestarts, groupRestarts: 0, failed: false };
}

/** One event, settled before the next. A job that waits in the rendezvous has no workers that could fail, and goes on with the restart already begun. O(1). */
export function agentStep(
  view: AgentView,
  event: AgentEvent,
  minNodes: number,
  maxNodes: number,
): AgentView {
  if (view.budget.failed) return view;
  if (event.type === "workerFailure")
    return view.waiting ? view : { ...view, budget: workersFail(view.budget) };
  if (event.count === 0) return view;
  if (event.type === "nodesJoin") {
    const nodes = view.nodes + event.count;
    if (view.waiting) return { ...view, nodes, waiting: nodes < minNodes };
    const grows = view.nodes < maxNodes;
    return { ...view, nodes, budget: grows ? membersJoin(view.budget) : view.budget };
  }
  const nodes = Math.max(0, view.nodes - event.count);
  if (view.waiting) return { ...view, nodes };
  const budget = workersFail(view.budget);
  return { budget, nodes, waiting: !budget.failed && nodes < minNodes };
}

/** Workers fail, or are lost with their node. */
function workersFail(budget: RestartBudget): RestartBudget {
  if (budget.left <= 0) return { ...budget, failed: true };
  return { left: budget.left - 1, groupRestarts: budget.groupRestarts + 1, failed: false };
}

/** The group is stopped to take in new members. */
function membersJoin(budget: RestartBudget): RestartBudget {
  return { ...budget, groupRestarts: budget.groupRestarts + 1 };
}
