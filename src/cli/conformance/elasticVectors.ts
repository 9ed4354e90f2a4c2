/** Elastic training: DeepSpeed's batch sizes, and torchrun's restarts as one surviving agent counts them. */
import { deepspeedMicroBatch, deepspeedSizes } from "../../model/lab/elasticity.ts";
import { type AgentEvent, agentStep, restartBudget } from "../../model/lab/torchrun.ts";
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
