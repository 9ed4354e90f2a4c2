import { expect, test } from "vitest";
import { deepspeedSizes } from "../../../src/model/lab/elasticity.ts";
import { batchCut } from "../../../src/model/lab/microBatch.ts";

test("DeepSpeed's own example: micro-batches of 8, 12, 16 and 17, at most 10,000: a batch of 9,792 for 23 numbers of GPUs from 32 to 1,500", () => {
  const microBatches = [8, 12, 16, 17];
  const shared = deepspeedSizes(microBatches, 10_000, 32, 1_500);
  const { batch, sizes } = shared;
  expect(batch).toBe(9_792);
  expect(sizes).toHaveLength(23);
  for (const gpus of sizes) {
    const { microBatch, accumulation } = batchCut(shared, microBatches, gpus)!;
    expect(microBatches).toContain(microBatch);
    expect(microBatch * accumulation * gpus).toBe(batch);
  }
  expect(batchCut(shared, microBatches, 64)).toEqual({ microBatch: 17, accumulation: 9 });
  expect(batchCut(shared, microBatches, 128)).toBeNull();
});

test("of batches that as many numbers of GPUs can share, the larger one is taken", () =>
  // Base 2 makes 4, bases 3 and 6 make 6.
  expect(deepspeedSizes([2, 3], 6, 1, 1)).toEqual({ batch: 6, sizes: [1] }));
