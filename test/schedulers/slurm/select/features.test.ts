import { describe, expect, it } from "vitest";
import { defaultNode } from "../../../../src/model/slurm/defaults.ts";
import { parseConstraint } from "../../../../src/schedulers/slurm/select/features.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { defaultConfig } from "./partsOfNodes.ts";
import { poolViewOf } from "./pool.ts";

/** Nodes by number from the right: n1 has a, n2 has a and x, n3 has b, n4 nothing. */
const features = [["a"], ["a", "x"], ["b"], []];
const config = {
  ...defaultConfig(),
  nodes: features.map((list, index) => ({ ...defaultNode(`n${index + 1}`), features: list })),
};
const cluster = config.nodes.map(({ name }) => ({ name, gpus: 0, cpus: 1, memMiB: 0 }));
const nodes = layNodes(poolViewOf({ nodes: cluster }, []).view, config);

const sets = (text: string) => {
  const { sets: found, invalid } = parseConstraint(text, nodes);
  return invalid ? "invalid" : found!.map((set) => set[0]!.toString(2).padStart(4, "0")).join(" ");
};

describe("a constraint", () => {
  it("is one set of nodes for & and |, with & before |", () => {
    expect(sets("a")).toBe("0011");
    expect(sets("a&x")).toBe("0010");
    expect(sets("a,x")).toBe("0010");
    expect(sets("x|b")).toBe("0110");
    expect(sets("a&x|b")).toBe("0110");
    expect(sets("a&(x|b)")).toBe("0010");
  });

  it("is several sets in brackets, in the order written", () => {
    expect(sets("[a|b]")).toBe("0011 0100");
    expect(sets("[b|a]")).toBe("0100 0011");
    expect(sets("a&[x|b]")).toBe("0010 0000");
  });

  it("keeps counts apart", () => {
    const { counts } = parseConstraint("[a*2&b*1]", nodes);
    expect(counts.map(({ nodes: set, count }) => [set[0], count])).toEqual([
      [0b0011, 2],
      [0b0100, 1],
    ]);
  });

  it("is invalid where nobody has a feature, or where it cannot be read", () => {
    for (const text of ["nosuch", "a&nosuch", "a&", "(a", "[a|b", "a)", "a*0", "a*"])
      expect(sets(text)).toBe("invalid");
  });
});
