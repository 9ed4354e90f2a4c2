import { describe, expect, it } from "vitest";
import type { SlurmNode } from "../../../../src/model/slurm/config.ts";
import { defaultNode } from "../../../../src/model/slurm/defaults.ts";
import { takeChoice } from "../../../../src/schedulers/slurm/select/resources.ts";
import { CPUS, choose, type Drawn, GPUS, nodeName } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";

const base = defaultConfig();
const lines = (count: number, line: Partial<SlurmNode>): SlurmNode[] =>
  Array.from({ length: count }, (_, index) => ({
    ...defaultNode(nodeName(index)),
    cpus: CPUS,
    sockets: 2,
    coresPerSocket: CPUS / 2,
    realMemoryMiB: 16_000,
    gres: [{ name: "gpu", type: "", count: GPUS }],
    ...line,
  }));

const cpus = ({ choice }: Drawn) => Array.from(choice.cpus.subarray(0, choice.length));
const memory = ({ choice }: Drawn) => Array.from(choice.memMiB.subarray(0, choice.length));
const tasks = ({ choice }: Drawn) => Array.from(choice.tasks.subarray(0, choice.length));

describe("CPUs", () => {
  it("are given one by one under CR_CPU and core by core under CR_Core", () => {
    const nodes = lines(1, { threadsPerCore: 2, coresPerSocket: CPUS / 4 });
    const with1 = (unit: "cpu" | "core") =>
      cpus(
        choose("8", {
          config: { nodes, select: { ...base.select, unit } },
          request: { minNodes: 1, maxNodes: 1, cpusPerTask: 3 },
        }),
      );
    expect(with1("cpu")).toEqual([3]);
    expect(with1("core")).toEqual([4]);
  });

  it("go with tasks: one each node, then as many as the picked CPUs hold", () => {
    const drawn = choose("88", { request: { ntasks: 100 } });
    expect(cpus(drawn)).toEqual([64, 36]);
    expect(tasks(drawn)).toEqual([64, 36]);
    expect(cpus(choose("88", { request: { ntasks: 3, minNodes: 2, maxNodes: 2 } }))).toEqual([
      2, 1,
    ]);
  });

  it("go with GPUs where the partition says so and the job names none", () => {
    const partition = { defCpuPerGpu: 8 };
    const request = { minNodes: 1, maxNodes: 1, gpusPerNode: 4 };
    expect(cpus(choose("8", { partition, request }))).toEqual([32]);
    expect(cpus(choose("8", { partition, request: { ...request, cpusPerTask: 2 } }))).toEqual([2]);
    expect(choose("8", { partition, request, cpusFree: [31] }).fits).toBe(false);
  });

  it("are limited by tasks a node and by MaxCPUsPerNode", () => {
    const request = { minNodes: 2, maxNodes: 2, ntasksPerNode: 4, cpusPerTask: 2 };
    expect(cpus(choose("88", { request }))).toEqual([8, 8]);
    expect(choose("88", { request, partition: { maxCpusPerNode: 7 } }).fits).toBe(false);
  });
});

describe("memory", () => {
  const config = { select: { ...base.select, memory: true }, nodes: lines(2, {}) };

  it("is counted by node, by CPU or by GPU where CR_*_Memory says so", () => {
    const one = { minNodes: 1, maxNodes: 1 };
    expect(memory(choose("88", { config, request: { ...one, memPerNodeMiB: 9_000 } }))).toEqual([
      9_000,
    ]);
    expect(
      memory(choose("88", { config, request: { ...one, cpusPerTask: 4, memPerCpuMiB: 1_000 } })),
    ).toEqual([4_000]);
    expect(
      memory(choose("88", { config, request: { ...one, gpusPerNode: 2, memPerGpuMiB: 3_000 } })),
    ).toEqual([6_000]);
  });

  it("keeps a job off a node that has too little left", () => {
    const request = { minNodes: 1, maxNodes: 1, memPerNodeMiB: 9_000 };
    const drawn = choose("88", { config, request });
    takeChoice(drawn.free, drawn.nodes, drawn.choice, 1);
    expect(drawn.free.memFree[0]).toBe(7_000);
    expect(choose("88", { config, request: { ...request, minNodes: 3, maxNodes: 3 } }).fits).toBe(
      false,
    );
    expect(choose("88", { config, request: { ...request, memPerNodeMiB: 17_000 } }).fits).toBe(
      false,
    );
  });

  it("is taken whole where neither the job nor a default names any", () => {
    const request = { minNodes: 1, maxNodes: 1 };
    expect(memory(choose("8", { config, request }))).toEqual([16_000]);
    expect(memory(choose("8", { config, request, partition: { defMemPerCpuMiB: 500 } }))).toEqual([
      500,
    ]);
    const gpuJob = { ...request, gpusPerNode: 2 };
    expect(
      memory(choose("8", { config, request: gpuJob, partition: { defMemPerGpuMiB: 700 } })),
    ).toEqual([1_400]);
  });

  it("is not counted elsewhere", () => {
    const request = { minNodes: 1, maxNodes: 1, memPerNodeMiB: 99_000 };
    expect(memory(choose("8", { request }))).toEqual([0]);
  });
});

describe("shards", () => {
  const gres = [
    { name: "gpu", type: "", count: GPUS },
    { name: "shard", type: "", count: 32 },
  ];
  const config = { nodes: lines(1, { gres }) };

  it("come out of the same GPUs: a whole GPU takes all its shards", () => {
    const gpuJob = choose("8", { config, request: { minNodes: 1, maxNodes: 1, gpusPerNode: 3 } });
    expect(gpuJob.choice.shards[0]).toBe(12);
    const shardJob = choose("8", {
      config,
      request: { minNodes: 1, maxNodes: 1, shardsPerNode: 5 },
    });
    takeChoice(shardJob.free, shardJob.nodes, shardJob.choice, 1);
    expect(shardJob.free.shardsFree[0]).toBe(27);
    expect(
      choose("8", { config, request: { minNodes: 1, maxNodes: 1, shardsPerNode: 33 } }).fits,
    ).toBe(false);
  });
});

describe("GPUs in all and on each node", () => {
  it("make a number of nodes", () => {
    expect(choose("8888", { request: { gpus: 12, gpusPerNode: 4 } }).text).toBe("444.");
  });
});
