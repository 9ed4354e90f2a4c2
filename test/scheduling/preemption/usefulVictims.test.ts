import fc from "fast-check";
import { expect, test } from "vitest";
import { usefulVictims } from "../../../src/scheduling/preemption/usefulVictims.ts";

/** Jobs on nodes of 8 GPUs; a request is so many whole nodes, or GPUs on one node. The lowest nodes that fit are taken. */
interface Held {
  readonly nodes: readonly number[];
  readonly gpus: number;
}

class TinyCluster {
  readonly free: number[];
  chosen: number[] = [];
  trials = 0;
  readonly #victims: readonly Held[];
  readonly #start: readonly number[];
  readonly #nodes: number;
  readonly #gpus: number;

  constructor(nodeCount: number, victims: Held[], others: Held[], nodes: number, gpus: number) {
    this.#victims = victims;
    this.#nodes = nodes;
    this.#gpus = gpus;
    const free = Array.from({ length: nodeCount }, () => 8);
    for (const held of [...victims, ...others])
      for (const node of held.nodes) free[node]! -= held.gpus;
    this.#start = free;
    this.free = [...free];
  }

  reset(): void {
    this.#start.forEach((free, node) => {
      this.free[node] = free;
    });
  }

  remove(victim: number): boolean {
    const held = this.#victims[victim]!;
    for (const node of held.nodes) this.free[node]! += held.gpus;
    return true;
  }

  fits(): boolean {
    this.trials++;
    const nodes = this.free.flatMap((free, node) => (free >= this.#gpus ? [node] : []));
    if (nodes.length < this.#nodes) return false;
    this.chosen = nodes.slice(0, this.#nodes);
    return true;
  }

  shares(victim: number): number {
    return this.#victims[victim]!.nodes.filter((node) => this.chosen.includes(node)).length;
  }

  find(reorder = 1, strict = false): number[] | null {
    return usefulVictims(this.#victims.length, reorder, strict, this);
  }
}

test("the first candidate is enough where its node is", () => {
  const victims = [0, 1, 2, 3].map((node) => ({ nodes: [node], gpus: 8 }));
  expect(new TinyCluster(4, victims, [], 1, 8).find()).toEqual([0]);
});

test("a victim that shares its node with a job that stays is spared", () => {
  const victims = [
    { nodes: [0], gpus: 4 },
    { nodes: [1], gpus: 8 },
  ];
  const cluster = new TinyCluster(2, victims, [{ nodes: [0], gpus: 4 }], 1, 8);
  expect(cluster.find()).toEqual([1]);
});

test("in strict order the victim that made it fit comes first, and those of no use before the next are spared", () => {
  const victims = [
    { nodes: [0], gpus: 4 },
    { nodes: [1], gpus: 8 },
    { nodes: [2], gpus: 8 },
  ];
  const cluster = new TinyCluster(3, victims, [{ nodes: [0], gpus: 4 }], 2, 8);
  expect(cluster.find(0, true)).toEqual([2, 1]);
});

test("two halves of a node go together, the half of another node stays", () => {
  const victims = [
    { nodes: [0], gpus: 4 },
    { nodes: [1], gpus: 4 },
    { nodes: [1], gpus: 4 },
  ];
  const cluster = new TinyCluster(2, victims, [{ nodes: [0], gpus: 4 }], 1, 8);
  expect(cluster.find()!.sort()).toEqual([1, 2]);
});

test("a large victim that made it fit replaces the small one before it when the order may change", () => {
  const victims = [
    { nodes: [0], gpus: 8 },
    { nodes: [1, 2], gpus: 8 },
  ];
  expect(new TinyCluster(3, victims, [], 2, 8).find(1)).toEqual([1]);
});

test("strict order keeps the victim order behind the one that made it fit", () => {
  const victims = [0, 1, 2, 3].map((node) => ({ nodes: [node], gpus: 8 }));
  const loose = new TinyCluster(4, victims, [], 3, 8);
  const strict = new TinyCluster(4, victims, [], 3, 8);
  expect(loose.find(0)).toEqual([2, 0, 1]);
  expect(strict.find(0, true)).toEqual([2, 0, 1]);
  expect(strict.find(1, true)).toEqual([1, 2, 0]);
});

test("more changes of order cost more searches, and one candidate needs none", () => {
  const victims = [0, 1, 2, 3].map((node) => ({ nodes: [node], gpus: 8 }));
  const few = new TinyCluster(4, victims, [], 2, 8);
  few.find(0);
  const many = new TinyCluster(4, victims, [], 2, 8);
  many.find(2);
  expect(few.trials).toBe(4);
  expect(many.trials).toBe(8);
  const one = new TinyCluster(1, [{ nodes: [0], gpus: 8 }], [], 1, 8);
  expect(one.find(5)).toEqual([0]);
  expect(one.trials).toBe(1);
});

test("nothing is preempted where even all victims are not enough", () => {
  const cluster = new TinyCluster(2, [{ nodes: [0], gpus: 8 }], [{ nodes: [1], gpus: 8 }], 2, 8);
  expect(cluster.find()).toBeNull();
});

const held = (nodeCount: number) =>
  fc.record({
    nodes: fc.uniqueArray(fc.nat(nodeCount - 1), { minLength: 1, maxLength: 3 }),
    gpus: fc.constantFrom(4, 8),
  });

/** Keeps only jobs that fit beside those before them. */
function packed(jobs: readonly Held[], nodeCount: number): Held[] {
  const free = Array.from({ length: nodeCount }, () => 8);
  return jobs.filter((job) => {
    if (job.nodes.some((node) => free[node]! < job.gpus)) return false;
    for (const node of job.nodes) free[node]! -= job.gpus;
    return true;
  });
}

test("property: the victims make room, each holds something on the chosen nodes, and with whole nodes each is needed", () => {
  fc.assert(
    fc.property(
      fc.array(held(6), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 3 }),
      (jobs, wanted, strict, reorder) => {
        const victims = packed(jobs, 6);
        const cluster = new TinyCluster(6, victims, [], wanted, 8);
        if (cluster.fits()) return;
        const found = cluster.find(reorder, strict);
        if (found === null) {
          cluster.reset();
          for (let victim = 0; victim < victims.length; victim++) cluster.remove(victim);
          expect(cluster.fits()).toBe(false);
          return;
        }
        const chosen = [...cluster.chosen];
        cluster.reset();
        for (const victim of found) cluster.remove(victim);
        expect(chosen.every((node) => cluster.free[node] === 8)).toBe(true);
        for (const victim of found) {
          // Slurm keeps every victim on a chosen node: on exactly these nodes the job would not fit without it.
          expect(victims[victim]!.nodes.some((node) => chosen.includes(node))).toBe(true);
        }
      },
    ),
  );
});
