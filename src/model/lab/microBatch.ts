/**
 * How a batch of DeepSpeed's elasticity is cut, rule v0.1: each GPU takes the largest micro-batch that divides its part, as often as it needs to before
 * gradients are applied (gradient accumulation), so that a step has the same batch on every allowed number of GPUs. A number that the rule does not allow is an
 * error there, with nothing to fall back on. Source: `compute_elastic_config` in `deepspeed/elasticity/elasticity.py` before its removal in 2026.
 */
import type { ElasticBatch } from "./elasticity.ts";

export interface BatchCut {
  /** Samples that a GPU takes at a time. */
  readonly microBatch: number;
  /** Micro-batches of a GPU in one step. */
  readonly accumulation: number;
}

/** Null where the rule does not allow so many GPUs. O(sizes + micro-batches). */
export function batchCut(
  { batch, sizes }: ElasticBatch,
  microBatches: readonly number[],
  gpus: number,
): BatchCut | null {
  if (!sizes.includes(gpus)) return null;
  const each = batch / gpus;
  const microBatch = Math.max(...microBatches.filter((micro) => each % micro === 0));
  return { microBatch, accumulation: each / microBatch };
}
