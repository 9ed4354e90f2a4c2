import { describe, expect, it } from "vitest";
import type { SlurmSwitch } from "../../../../src/model/slurm/config.ts";
import type { SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { choose, nodeName } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";

const leaf = (name: string, from: number, to: number): SlurmSwitch => ({
  name,
  nodes: Array.from({ length: to - from }, (_, index) => nodeName(from + index)),
  switches: [],
  linkSpeed: 0,
});
const above = (name: string, ...switches: string[]): SlurmSwitch => ({
  name,
  nodes: [],
  switches,
  linkSpeed: 0,
});

/** Four leaves of four nodes under two switches under a top: written as `8888 8888 | 8888 8888`. */
const switches = [
  leaf("a", 0, 4),
  leaf("b", 4, 8),
  leaf("c", 8, 12),
  leaf("d", 12, 16),
  above("left", "a", "b"),
  above("right", "c", "d"),
  above("top", "left", "right"),
];
const flat = [...switches.slice(0, 4), above("spine", "a", "b", "c", "d")];
const select = { ...defaultConfig().select, topologyTree: true };

const place = (map: string, request: Partial<SlurmRequest>, tree = flat, maxSwitches = 0) =>
  choose(map.replaceAll(" ", ""), { request, config: { select, switches: tree }, maxSwitches });

const nodes = (count: number, gpusPerNode = 8): Partial<SlurmRequest> => ({
  minNodes: count,
  maxNodes: count,
  gpusPerNode,
});
const by4 = (text: string) => text.replaceAll(/(.{4})(?=.)/g, "$1 ");

describe("topology/tree", () => {
  const busy = "0888 0088 8888 0008";

  it("takes the leaf with fewest usable nodes that suffices", () => {
    expect(by4(place(busy, nodes(1)).text)).toBe(".... .... .... ...8");
    expect(by4(place(busy, nodes(2)).text)).toBe(".... ..88 .... ....");
    expect(by4(place(busy, nodes(3)).text)).toBe(".888 .... .... ....");
    expect(by4(place(busy, nodes(4)).text)).toBe(".... .... 8888 ....");
  });

  it("gives a job larger than any leaf the leaf with most, then the best fit for the rest", () => {
    expect(by4(place(busy, nodes(5)).text)).toBe(".... .... 8888 ...8");
    expect(by4(place(busy, nodes(6)).text)).toBe(".... ..88 8888 ....");
    expect(by4(place(busy, nodes(8)).text)).toBe(".888 .... 8888 ...8");
    expect(by4(place(busy, nodes(10)).text)).toBe(".888 ..88 8888 ...8");
  });

  it("counts usable nodes, however full they are", () => {
    const half = "4488 8488 0888 8888";
    expect(by4(place(half, nodes(1, 4)).text)).toBe(".... .... .4.. ....");
    expect(by4(place(half, nodes(5, 4)).text)).toBe("4444 .... .4.. ....");
    expect(by4(place(half, nodes(1, 8)).text)).toBe("..8. .... .... ....");
    expect(by4(place(half, nodes(6, 8)).text)).toBe("..88 .... .... 8888");
  });

  it("stays below the lowest switch that suffices", () => {
    const map = "8880 8800 8888 0000";
    expect(by4(place(map, nodes(5), switches).text)).toBe("888. 88.. .... ....");
    expect(by4(place(map, nodes(5), flat).text)).toBe(".... 8... 8888 ....");
    expect(by4(place(map, nodes(6), switches).text)).toBe(".... 88.. 8888 ....");
  });

  it("starts at the leaves of required nodes", () => {
    expect(by4(place("8888 8888 8888 8888", { ...nodes(2), nodelist: ["n11"] }).text)).toBe(
      ".... .... 8.8. ....",
    );
  });

  it("says how many leaves a place uses, and holds to a limit", () => {
    expect(place(busy, nodes(4)).choice.switchesUsed).toBe(1);
    expect(place(busy, nodes(5)).choice.switchesUsed).toBe(2);
    expect(place(busy, nodes(5), flat, 1).text).toBe("waits");
    expect(place(busy, nodes(5), flat, 2).fits).toBe(true);
  });

  it("places only jobs that ask for switches by the tree under TopoOptional", () => {
    const optional = { ...select, topologyOptional: true };
    const at = (request: Partial<SlurmRequest>) =>
      by4(
        choose("0088080808080888", {
          request,
          config: { select: optional, switches: flat },
        }).text,
      );
    expect(at(nodes(2))).toBe("..88 .... .... ....");
    expect(at({ ...nodes(2), switches: 1 })).toBe("..88 .... .... ....");
    expect(at(nodes(1))).toBe(".... .8.. .... ....");
    expect(at({ ...nodes(1), switches: 1 })).toBe("..8. .... .... ....");
  });
});
