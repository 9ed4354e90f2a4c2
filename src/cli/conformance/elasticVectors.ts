/**
 * Elastic training: DeepSpeed's batch sizes, and torchrun's restarts as one surviving agent counts them. The numbers of GPUs and the budget of restarts are
 * the product's; here is what only the vectors ask for: the micro-batch of one number, and events of one agent turned into what the budget is told.
 */
import { deepspeedSizes } from "../../model/lab/elasticity.ts";
import {
  membersJoin,
  type RestartBudget,
  restartBudget,
  workersFail,
} from "../../model/lab/torchrun.ts";
import type { VectorCheck } from "./schedVectors.ts";

interface BatchInput {
  readonly microBatches: readonly number[];
  readonly maxBatch: number;
  readonly minGpus: number;
  readonly maxGpus: number;
  readonly worldSize?: number;
}

export const elasticBatchSize: VectorCheck = (input) => {
  const { microBatches, maxBatch, minGpus, maxGpus, worldSize } = input as unknown as BatchInput;
  const { batch, sizes } = deepspeedSizes(microBatches, maxBatch, minGpus, maxGpus);
  const said = { batch, validGpuCount: sizes.length, validGpus: sizes };
  if (worldSize === undefined) return said;
  if (!sizes.includes(worldSize)) return { ...said, error: "incompatible world size" };
  const microBatch = deepspeedMicroBatch(batch, microBatches, worldSize);
  return { ...said, microBatch, gradAccum: batch / worldSize / microBatch };
};

interface BudgetInput {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly startNodes: number;
  readonly maxRestarts: number;
  readonly events: readonly AgentEvent[];
}

export const elasticRestartBudget: VectorCheck = (input) => {
  const { minNodes, maxNodes, startNodes, maxRestarts, events } = input as unknown as BudgetInput;
  let view = {
    budget: restartBudget(maxRestarts),
    nodes: startNodes,
    waiting: startNodes < minNodes,
  };
  for (const event of events) view = agentStep(view, event, minNodes, maxNodes);
  const { budget, nodes, waiting } = view;
  return {
    state: budget.failed ? "failed" : waiting ? "waiting" : "running",
    nodes: Math.min(nodes, maxNodes),
    groupRestarts: budget.groupRestarts,
    restartBudgetLeft: budget.left,
  };
};

/** The largest micro-batch that divides what each GPU has to do of a batch; 0 = none, or so many GPUs cannot share it. O(micro-batches). */
export function deepspeedMicroBatch(
  batch: number,
  microBatches: readonly number[],
  gpus: number,
): number {
  if (batch % gpus !== 0) return 0;
  const each = batch / gpus;
  return microBatches.reduce(
    (best, micro) => (each % micro === 0 ? Math.max(best, micro) : best),
    0,
  );
}

export interface AgentView {
  readonly budget: RestartBudget;
  /** Alive, those in reserve counted. */
  readonly nodes: number;
  readonly waiting: boolean;
}

export type AgentEvent =
  | { readonly type: "workerFailure" }
  | { readonly type: "nodesJoin" | "nodesLeave"; readonly count: number };

/** One event, settled before the next. A job that waits in the rendezvous has no workers that could fail, and goes on with the restart already begun. */
export function agentStep(
  view: AgentView,
  event: AgentEvent,
  minNodes: number,
  maxNodes: number,
): AgentView {
  if (view.budget.failed) return view;
  const inGroup = Math.min(view.nodes, maxNodes);
  if (event.type === "workerFailure")
    return view.waiting ? view : { ...view, budget: workersFail(view.budget) };
  if (event.count === 0) return view;
  if (event.type === "nodesJoin") {
    const nodes = view.nodes + event.count;
    if (view.waiting) return { ...view, nodes, waiting: nodes < minNodes };
    return { ...view, nodes, budget: inGroup < maxNodes ? membersJoin(view.budget) : view.budget };
  }
  const nodes = Math.max(0, view.nodes - event.count);
  if (view.waiting) return { ...view, nodes };
  const budget = workersFail(view.budget);
  return { budget, nodes, waiting: !budget.failed && nodes < minNodes };
}
