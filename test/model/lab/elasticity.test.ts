import { expect, test } from "vitest";
import { deepspeedMicroBatch } from "../../../src/cli/conformance/elasticVectors.ts";
import { deepspeedSizes } from "../../../src/model/lab/elasticity.ts";

test("DeepSpeed's own example: micro-batches of 8, 12, 16 and 17, at most 10,000: a batch of 9,792 for 23 numbers of GPUs from 32 to 1,500", () => {
  const { batch, sizes } = deepspeedSizes([8, 12, 16, 17], 10_000, 32, 1_500);
  expect(batch).toBe(9_792);
  expect(sizes).toHaveLength(23);
  for (const gpus of sizes) expect(deepspeedMicroBatch(batch, [8, 12, 16, 17], gpus)).not.toBe(0);
});

test("of batches that as many numbers of GPUs can share, the larger one is taken", () =>
  // Base 2 makes 4, bases 3 and 6 make 6.
  expect(deepspeedSizes([2, 3], 6, 1, 1)).toEqual({ batch: 6, sizes: [1] }));
