/** Elastic training: DeepSpeed's batches, and torchrun's restarts as one surviving agent counts them. Cases and answers are translated; the rules are the product's. */
import { deepspeedSizes } from "../../model/lab/elasticity.ts";
import { batchCut } from "../../model/lab/microBatch.ts";
import {
  type AgentEvent,
  type AgentView,
  agentStep,
  restartBudget,
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
  const shared = deepspeedSizes(microBatches, maxBatch, minGpus, maxGpus);
  const { batch, sizes } = shared;
  const said = { batch, validGpuCount: sizes.length, validGpus: sizes };
  if (worldSize === undefined) return said;
  const cut = batchCut(shared, microBatches, worldSize);
  if (cut === null) return { ...said, error: "incompatible world size" };
  return { ...said, microBatch: cut.microBatch, gradAccum: cut.accumulation };
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
  let view: AgentView = {
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
