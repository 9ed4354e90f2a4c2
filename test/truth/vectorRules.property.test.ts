import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  elasticBatchSize,
  elasticRestartBudget,
} from "../../src/cli/conformance/elasticVectors.ts";
import { migPlacement } from "../../src/cli/conformance/migVectors.ts";

/** Numbers with more divisors than any smaller one, found by counting. */
function highlyComposite(most: number): number[] {
  const found: number[] = [];
  let record = 0;
  for (let number = 1; number <= most; number++) {
    const divisors = Array.from({ length: number }, (_, d) => d + 1).filter(
      (d) => number % d === 0,
    );
    if (divisors.length > record) found.push(number);
    record = Math.max(record, divisors.length);
  }
  return found;
}
const COMPOSITE = highlyComposite(1_000);

function multiple(numbers: readonly number[]): number {
  let lcm = Math.max(...numbers);
  while (!numbers.every((number) => lcm % number === 0)) lcm += 1;
  return lcm;
}

function batchByTrying(micro: readonly number[], maxBatch: number, min: number, max: number) {
  let best = { batch: 0, gpus: [] as number[] };
  for (const base of new Set([...micro, multiple(micro)])) {
    const factor = COMPOSITE.filter((number) => base * number <= maxBatch).at(-1);
    if (factor === undefined) continue;
    const batch = base * factor;
    const gpus: number[] = [];
    for (let g = min; g <= max; g++)
      if (micro.some((m) => batch % m === 0 && (batch / m) % g === 0)) gpus.push(g);
    const better = gpus.length > best.gpus.length;
    if (better || (gpus.length === best.gpus.length && batch > best.batch)) best = { batch, gpus };
  }
  return best;
}

describe("rules of elastic training and MIG, tried out number by number", () => {
  test("DeepSpeed's batch, its numbers of GPUs, and what each GPU gets", () => {
    const input = fc.record({
      microBatches: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      maxBatch: fc.integer({ min: 1, max: 900 }),
      minGpus: fc.integer({ min: 1, max: 4 }),
      maxGpus: fc.integer({ min: 4, max: 300 }),
      worldSize: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    });
    const property = fc.property(input, (drawn) => {
      const { microBatches, maxBatch, minGpus, maxGpus, worldSize } = drawn;
      const { batch, gpus } = batchByTrying(microBatches, maxBatch, minGpus, maxGpus);
      const said = elasticBatchSize(drawn);
      expect(said).toMatchObject({ batch, validGpuCount: gpus.length, validGpus: gpus });
      if (worldSize === undefined) return;
      if (!gpus.includes(worldSize)) {
        expect(said["error"]).toBe("incompatible world size");
        expect(said["microBatch"]).toBeUndefined();
        return;
      }
      const micro = Math.max(...microBatches.filter((m) => batch % (worldSize * m) === 0));
      expect(said).toMatchObject({ microBatch: micro, gradAccum: batch / worldSize / micro });
    });
    fc.assert(property, { numRuns: 300, endOnFailure: true });
  });

  test("torchrun's restarts, event by event", () => {
    const event = fc.oneof(
      fc.record({ type: fc.constant("workerFailure") }),
      fc.record({
        type: fc.constantFrom("nodesJoin", "nodesLeave"),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    );
    const input = fc.record({
      minNodes: fc.integer({ min: 1, max: 3 }),
      more: fc.integer({ min: 0, max: 3 }),
      maxRestarts: fc.integer({ min: 0, max: 4 }),
      events: fc.array(event, { maxLength: 8 }),
    });
    const property = fc.property(input, ({ minNodes, more, maxRestarts, events }) => {
      const maxNodes = minNodes + more;
      let state = "running";
      let alive = maxNodes - Math.floor(more / 2);
      const startNodes = alive;
      let left = maxRestarts;
      let restarts = 0;
      for (const one of events) {
        if (state === "failed") break;
        const count = "count" in one ? one.count : 0;
        const before = alive;
        if (one.type === "nodesJoin") alive += count;
        if (one.type === "nodesLeave") alive = Math.max(0, alive - count);
        if (state === "running" && one.type === "nodesJoin" && before < maxNodes) restarts += 1;
        if (state === "running" && one.type !== "nodesJoin") {
          if (left === 0) state = "failed";
          else {
            left -= 1;
            restarts += 1;
          }
        }
        if (state !== "failed") state = alive < minNodes ? "waiting" : "running";
      }
      expect(elasticRestartBudget({ minNodes, maxNodes, startNodes, maxRestarts, events })).toEqual(
        {
          state,
          nodes: Math.min(alive, maxNodes),
          groupRestarts: restarts,
          restartBudgetLeft: left,
        },
      );
    });
    fc.assert(property, { numRuns: 500, endOnFailure: true });
  });

  test("MIG: a start is open if its memory slots are, and the compute slices suffice", () => {
    const all = [
      { name: "1g.5gb", computeSlices: 1, memSlices: 1, starts: [0, 1, 2, 3, 4, 5, 6] },
      { name: "1g.10gb", computeSlices: 1, memSlices: 2, starts: [0, 2, 4, 6] },
      { name: "2g.10gb", computeSlices: 2, memSlices: 2, starts: [0, 2, 4] },
      { name: "3g.20gb", computeSlices: 3, memSlices: 4, starts: [0, 4] },
      { name: "4g.20gb", computeSlices: 4, memSlices: 4, starts: [0] },
      { name: "7g.40gb", computeSlices: 7, memSlices: 8, starts: [0] },
    ];
    const wish = fc.record({ kind: fc.nat(), at: fc.nat(6) });
    // A list that leaves some profiles out says nothing of how many compute slices there are.
    const some = fc.subarray(all, { minLength: 1 });
    const property = fc.property(some, fc.array(wish, { maxLength: 7 }), (profiles, wishes) => {
      const existing: { profile: string; start: number }[] = [];
      const slots: boolean[] = [];
      let compute = 0;
      const open = ({ starts, memSlices, computeSlices }: (typeof all)[number]) =>
        compute + computeSlices > 7
          ? []
          : starts.filter((start) => {
              for (let slot = start; slot < start + memSlices; slot++)
                if (slots[slot]) return false;
              return true;
            });
      for (const { kind, at } of wishes) {
        const profile = profiles[kind % profiles.length]!;
        const start = open(profile)[at];
        if (start === undefined) continue;
        existing.push({ profile: profile.name, start });
        compute += profile.computeSlices;
        for (let slot = start; slot < start + profile.memSlices; slot++) slots[slot] = true;
      }
      const requests = profiles.map(({ name }) => name);
      const results = profiles.map((profile) => ({
        profile: profile.name,
        possibleStarts: open(profile),
      }));
      expect(migPlacement({ gpu: "A100-40GB", profiles, existing, requests })).toEqual({ results });
    });
    fc.assert(property, { numRuns: 300, endOnFailure: true });
  });
});
