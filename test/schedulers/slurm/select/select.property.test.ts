import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPartition } from "../../../../src/model/slurm/defaults.ts";
import type { SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { Choice } from "../../../../src/schedulers/slurm/select/choice.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import {
  copyResources,
  freeResources,
  giveChoice,
  takeChoice,
} from "../../../../src/schedulers/slurm/select/resources.ts";
import { selectNodes } from "../../../../src/schedulers/slurm/select/select.ts";
import { wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { choose, GPUS } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";
import { poolViewOf } from "./pool.ts";

const signs = fc.constantFrom(..."-012345678");
const maps = fc.array(signs, { minLength: 1, maxLength: 8 }).map((list) => list.join(""));
const counts = fc.integer({ min: 1, max: 5 });

const perNode = fc
  .record({
    nodes: counts,
    more: fc.integer({ min: 0, max: 2 }),
    gpus: fc.integer({ min: 0, max: 8 }),
  })
  .map(
    ({ nodes, more, gpus }): Partial<SlurmRequest> => ({
      minNodes: nodes,
      maxNodes: nodes + more,
      gpusPerNode: gpus,
    }),
  );
const total = fc.integer({ min: 1, max: 40 }).map((gpus): Partial<SlurmRequest> => ({ gpus }));
const perTask = fc
  .record({ ntasks: fc.integer({ min: 1, max: 12 }), gpusPerTask: fc.integer({ min: 1, max: 4 }) })
  .map((request): Partial<SlurmRequest> => request);

/** Free GPUs of the nodes that may be used. */
const freeOn = (map: string) => [...map].filter((sign) => sign !== "-").map(Number);

const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);

/** Whether any choice of nodes holds the job; CPUs are plenty here. */
function couldFit(map: string, request: Partial<SlurmRequest>): boolean {
  const free = freeOn(map);
  if (request.gpus !== undefined) return sum(free) >= request.gpus;
  if (request.gpusPerTask !== undefined)
    return sum(free.map((gpus) => Math.floor(gpus / request.gpusPerTask!))) >= request.ntasks!;
  return free.filter((gpus) => gpus >= request.gpusPerNode!).length >= request.minNodes!;
}

describe("the choice of nodes", () => {
  it("finds a place if and only if there is one", () => {
    fc.assert(
      fc.property(maps, fc.oneof(perNode, total, perTask), (map, request) => {
        expect(choose(map, { request }).fits).toBe(couldFit(map, request));
      }),
      { numRuns: 3_000 },
    );
  });

  it("takes distinct nodes in order, and never more than is free", () => {
    fc.assert(
      fc.property(maps, fc.oneof(perNode, total, perTask), (map, request) => {
        const { fits, choice, free } = choose(map, { request });
        if (!fits) return;
        for (let row = 0; row < choice.length; row++) {
          const node = choice.node[row]!;
          expect(map[node]).not.toBe("-");
          if (row > 0) expect(node).toBeGreaterThan(choice.node[row - 1]!);
          expect(choice.gpus[row]!).toBeLessThanOrEqual(free.gpusFree[node]!);
          expect(choice.cpus[row]!).toBeLessThanOrEqual(free.cpusFree[node]!);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives a job exactly what it asks for", () => {
    fc.assert(
      fc.property(maps, fc.oneof(perNode, total, perTask), (map, request) => {
        const { fits, choice } = choose(map, { request });
        if (!fits) return;
        const gpus = Array.from(choice.gpus.subarray(0, choice.length));
        const tasks = Array.from(choice.tasks.subarray(0, choice.length));
        if (request.gpus !== undefined) expect(sum(gpus)).toBe(request.gpus);
        else if (request.gpusPerTask !== undefined) {
          expect(sum(tasks)).toBe(request.ntasks);
          expect(gpus).toEqual(tasks.map((each) => each * request.gpusPerTask!));
        } else {
          expect(gpus).toEqual(gpus.map(() => request.gpusPerNode));
          expect(gpus.length).toBeGreaterThanOrEqual(request.minNodes!);
          expect(gpus.length).toBeLessThanOrEqual(request.maxNodes!);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves the books as they were after a job has come and gone", () => {
    fc.assert(
      fc.property(maps, fc.oneof(perNode, total, perTask), (map, request) => {
        const { fits, choice, free, nodes } = choose(map, { request });
        if (!fits) return;
        const before = copyResources(free);
        const held = choice.copy();
        takeChoice(free, nodes, held, 3);
        expect(free.gpusFreeTotal).toBe(sum(Array.from(free.gpusFree)));
        expect(free.cpusFreeTotal).toBe(sum(Array.from(free.cpusFree)));
        giveChoice(free, nodes, held, 3);
        expect(free).toEqual(before);
        expect(Math.max(...free.gpusFree)).toBeLessThanOrEqual(GPUS);
      }),
    );
  });
});

/** Processors that the rule takes, written as the rule is told: best run again and again. */
function bestRuns(free: readonly boolean[], wanted: number): number[] | null {
  const runs: number[][] = [];
  free.forEach((isFree, at) => {
    if (!isFree) return;
    if (at > 0 && free[at - 1]) runs.at(-1)!.push(at);
    else runs.push([at]);
  });
  const taken: number[] = [];
  while (taken.length < wanted) {
    const left = wanted - taken.length;
    const by = (better: (one: number[], other: number[]) => boolean, list: number[][]) =>
      list.reduce<number[] | null>(
        (best, run) => (best === null || better(run, best) ? run : best),
        null,
      );
    const enough = runs.filter((run) => run.length >= left);
    const best =
      by((one, other) => one.length < other.length, enough) ??
      by((one, other) => one.length > other.length, runs);
    if (best === null) return null;
    taken.push(...best.slice(0, left));
    runs.splice(runs.indexOf(best), 1);
  }
  return taken.sort((one, other) => one - other);
}

describe("a flat machine", () => {
  it("is filled by the same rule, however many runs it has", () => {
    const machine = fc.array(fc.boolean(), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(machine, fc.integer({ min: 1, max: 150 }), (isFree, wantedNodes) => {
        const { view } = poolViewOf(
          { nodes: [{ name: "m", gpus: isFree.length, cpus: 0, memMiB: 0 }], flat: true },
          [{ members: wantedNodes, gpus: 1, ownNode: false }],
        );
        const config = defaultConfig();
        const nodes = layNodes(view, config);
        const partition = defaultPartition("p");
        const wanted = wantedOf(view, config, nodes, partition, 0);
        const free = freeResources(nodes);
        const held = new Choice();
        isFree.forEach((each, node) => {
          if (!each) held.push(node, 1, 0, 0, 0, 1);
        });
        takeChoice(free, nodes, held, 0);
        const choice = new Choice();
        const all = new Int32Array(nodes.words).fill(-1);
        const fits = selectNodes(
          nodes,
          wanted,
          all,
          free,
          selectOptions(config, partition),
          choice,
        );
        const expected = bestRuns(isFree, wantedNodes);
        expect(fits ? Array.from(choice.node.subarray(0, choice.length)) : null).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
