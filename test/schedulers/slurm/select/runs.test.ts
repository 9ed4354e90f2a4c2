import { describe, expect, it } from "vitest";
import type { SlurmNode } from "../../../../src/model/slurm/config.ts";
import { defaultNode } from "../../../../src/model/slurm/defaults.ts";
import type { SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { CPUS, choose, GPUS, nodeName } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";

const nodes = (count: number, gpusPerNode = 8): Partial<SlurmRequest> => ({
  minNodes: count,
  maxNodes: count,
  gpusPerNode,
});

const lines = (each: readonly Partial<SlurmNode>[]): SlurmNode[] =>
  each.map((line, index) => ({
    ...defaultNode(nodeName(index)),
    cpus: CPUS,
    sockets: 2,
    coresPerSocket: CPUS / 2,
    gres: [{ name: "gpu", type: "", count: GPUS }],
    ...line,
  }));

describe("consecutive best fit", () => {
  it("takes the smallest run that suffices", () => {
    expect(choose("88808808", { request: nodes(1) }).text).toBe(".......8");
    expect(choose("88808808", { request: nodes(2) }).text).toBe("....88..");
    expect(choose("88808808", { request: nodes(3) }).text).toBe("888.....");
  });

  it("takes the largest run whole where none suffices, then the best fit for the rest", () => {
    expect(choose("0888088888808", { request: nodes(7) }).text).toBe("....." + "888888" + ".8");
    expect(choose("0888088888808", { request: nodes(8) }).text).toBe(".88.." + "888888" + "..");
  });

  it("takes the first of runs that are equally good", () => {
    expect(choose("0880880", { request: nodes(1) }).text).toBe(".8.....");
  });

  it("takes, in one run, the single node with fewest free CPUs, the lowest of equals", () => {
    expect(choose("6824", { request: nodes(1, 1) }).text).toBe("1...");
    expect(choose("6824", { request: nodes(1, 1), cpusFree: [48, 64, 16, 32] }).text).toBe("..1.");
    expect(choose("6824", { request: nodes(1, 3) }).text).toBe("...3");
  });

  it("fills the first node of a job that counts its GPUs, after looking for one node with all", () => {
    expect(choose("6824", { request: { gpus: 4 } }).text).toBe("...4");
    expect(choose("6824", { request: { gpus: 10 } }).text).toBe("64..");
    expect(choose("6824", { request: { gpus: 12, minNodes: 2, maxNodes: 2 } }).text).toBe("66..");
    expect(choose("6824", { request: { gpus: 14, minNodes: 2, maxNodes: 2 } }).text).toBe("68..");
    expect(choose("6824", { request: { gpus: 12, minNodes: 2, maxNodes: 4 } }).text).toBe("66..");
  });

  it("leaves a GPU for each node still to come", () => {
    expect(choose("88", { request: { gpus: 8, minNodes: 2, maxNodes: 2 } }).text).toBe("71");
  });

  it("keeps the GPUs of a task on one node", () => {
    expect(choose("6824", { request: { ntasks: 4, gpusPerTask: 2 } }).text).toBe(".8..");
    expect(choose("6824", { request: { ntasks: 10, gpusPerTask: 1 } }).text).toBe("28..");
    expect(choose("1111", { request: { ntasks: 1, gpusPerTask: 2 } }).text).toBe("waits");
  });

  it("gives a range of nodes its most, and is content with its least", () => {
    expect(choose("8888", { request: { minNodes: 2, maxNodes: 3, gpusPerNode: 8 } }).text).toBe(
      "888.",
    );
    expect(choose("8800", { request: { minNodes: 2, maxNodes: 3, gpusPerNode: 8 } }).text).toBe(
      "88..",
    );
    expect(choose("8000", { request: { minNodes: 2, maxNodes: 3, gpusPerNode: 8 } }).text).toBe(
      "waits",
    );
  });

  it("gives no node to a job that wants more in a row than there are", () => {
    const contiguous = { ...nodes(3), contiguous: true };
    expect(choose("88088", { request: contiguous }).text).toBe("waits");
    expect(choose("8808880", { request: contiguous }).text).toBe("...888.");
  });

  it("includes all nodes of a nodelist and none of an exclude list", () => {
    expect(choose("8888", { request: { ...nodes(2), nodelist: ["n3"] } }).text).toBe("..88");
    expect(choose("8880", { request: { ...nodes(2), nodelist: ["n3"] } }).text).toBe(".88.");
    expect(choose("8808", { request: { ...nodes(2), nodelist: ["n3"] } }).text).toBe("waits");
    expect(choose("8888", { request: { ...nodes(2), exclude: ["n1", "n3"] } }).text).toBe(".8.8");
  });

  it("takes lighter nodes first, before any best fit", () => {
    const config = {
      nodes: lines([{ weight: 20 }, { weight: 20 }, { weight: 10 }, { weight: 30 }]),
    };
    expect(choose("6888", { config, request: nodes(1, 2) }).text).toBe("..2.");
    expect(choose("6888", { config, request: nodes(2, 2) }).text).toBe("2.2.");
    expect(choose("6888", { config, request: nodes(3, 2) }).text).toBe("222.");
    expect(choose("0018", { config, request: nodes(1, 2) }).text).toBe("...2");
  });

  it("leaves out small nodes where a job may have only few", () => {
    const request = { minNodes: 2, maxNodes: 2, ntasks: 100 };
    expect(choose("888", { request, cpusFree: [4, 64, 64] }).text).toBe(".00");
  });
});

describe("other orders", () => {
  it("takes the least loaded nodes first under CR_LLN or a partition's LLN", () => {
    const select = { ...defaultConfig().select, lln: true };
    const cpusFree = [48, 64, 16, 32];
    expect(choose("6824", { request: nodes(1, 1), config: { select }, cpusFree }).text).toBe(
      ".1..",
    );
    expect(choose("6824", { request: nodes(3, 2), partition: { lln: true }, cpusFree }).text).toBe(
      "22.2",
    );
  });

  it("puts jobs of one CPU at the end under pack_serial_at_end", () => {
    const scheduler = { ...defaultConfig().scheduler, packSerialAtEnd: true };
    expect(choose("8888", { request: nodes(1, 1), config: { scheduler } }).text).toBe("...1");
    expect(choose("8888", { request: nodes(2, 1), config: { scheduler } }).text).toBe("11..");
  });
});

describe("whole nodes and single users", () => {
  it("gives an exclusive job empty nodes with all their GPUs and CPUs", () => {
    const { text, choice } = choose("6880", { request: { ...nodes(1, 2), exclusive: "node" } });
    expect(text).toBe(".8..");
    expect(choice.cpus[0]).toBe(CPUS);
  });

  it("does the same in a partition with OverSubscribe=EXCLUSIVE, and under select/linear", () => {
    expect(
      choose("68", { request: nodes(1, 2), partition: { overSubscribe: "exclusive" } }).text,
    ).toBe(".8");
    const select = { ...defaultConfig().select, type: "linear" as const };
    expect(choose("68", { request: nodes(1, 2), config: { select } }).text).toBe(".8");
  });

  it("keeps a job with --exclusive=user off nodes of others", () => {
    expect(choose("78", { request: { ...nodes(1, 2), exclusive: "user" } }).text).toBe(".2");
  });
});

describe("features", () => {
  const config = {
    nodes: lines([
      { features: ["b"] },
      { features: ["a", "x"] },
      { features: ["b"] },
      { features: ["a"] },
    ]),
  };
  const asks = (count: number, constraint: string) =>
    choose("8888", { config, request: { ...nodes(count), constraint } }).text;

  it("joins them with & and |", () => {
    expect(asks(1, "a")).toBe(".8..");
    expect(asks(1, "a&x")).toBe(".8..");
    expect(asks(2, "a&x")).toBe("waits");
    expect(asks(2, "a|b")).toBe("88..");
    expect(asks(3, "(a|b)&b")).toBe("waits");
    expect(asks(2, "(x|b)")).toBe("88..");
  });

  it("asks with brackets for nodes of one of the features", () => {
    expect(asks(2, "[a|b]")).toBe(".8.8");
    expect(asks(3, "[a|b]")).toBe("waits");
    expect(asks(2, "[x|b]")).toBe("8.8.");
  });

  it("counts nodes of each feature", () => {
    expect(asks(3, "[a*1&b*2]")).toBe("888.");
    expect(asks(3, "[a*2&b*1]")).toBe("88.8");
    expect(asks(3, "[x*2&b*1]")).toBe("waits");
  });
});
