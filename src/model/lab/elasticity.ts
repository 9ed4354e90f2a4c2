/**
 * DeepSpeed's elasticity, rule v0.1: one batch size for which many numbers of GPUs work. Bases are the micro-batches and their least common multiple; each is
 * multiplied by the largest highly composite number that keeps it within the largest batch. For each such batch, GPUs = all divisors of batch ÷ m, for each
 * micro-batch m that divides it. Most numbers win; ties go to the larger batch. Source: `deepspeed/elasticity/elasticity.py` before its removal in 2026.
 */

/** Numbers with more divisors than any smaller one, as far as the rule goes. */
const HIGHLY_COMPOSITE = [
  1, 2, 4, 6, 12, 24, 36, 48, 60, 120, 180, 240, 360, 720, 840, 1260, 1680, 2520, 5040, 7560, 10080,
  15120, 20160, 25200, 27720, 45360, 50400, 55440, 83160, 110880, 166320, 221760, 277200, 332640,
  498960, 554400, 665280, 720720,
];

export interface ElasticBatch {
  /** 0 = no batch size works. */
  readonly batch: number;
  /** Numbers of GPUs, ascending. */
  readonly sizes: readonly number[];
}

/** The batch size and the numbers of GPUs from `minGpus` to `maxGpus` that go with it. O(bases · √batch). */
export function deepspeedSizes(
  microBatches: readonly number[],
  maxBatch: number,
  minGpus: number,
  maxGpus: number,
): ElasticBatch {
  const bases = new Set([...microBatches, microBatches.reduce(leastCommonMultiple, 1)]);
  let best: ElasticBatch = { batch: 0, sizes: [] };
  for (const base of bases) {
    if (base > maxBatch) continue;
    const factor = HIGHLY_COMPOSITE.findLast((number) => base * number <= maxBatch) ?? 1;
    const batch = base * factor;
    const sizes = sizesOf(batch, microBatches, minGpus, maxGpus);
    const more = sizes.length - best.sizes.length;
    if (more > 0 || (more === 0 && batch > best.batch)) best = { batch, sizes };
  }
  return best;
}

function sizesOf(
  batch: number,
  microBatches: readonly number[],
  minGpus: number,
  maxGpus: number,
): number[] {
  const sizes = new Set<number>();
  const take = (gpus: number) => {
    if (gpus >= minGpus && gpus <= maxGpus) sizes.add(gpus);
  };
  for (const micro of microBatches) {
    if (batch % micro !== 0) continue;
    const most = batch / micro;
    for (let gpus = 1; gpus * gpus <= most; gpus++) {
      if (most % gpus !== 0) continue;
      take(gpus);
      take(most / gpus);
    }
  }
  return [...sizes].sort((a, b) => a - b);
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
