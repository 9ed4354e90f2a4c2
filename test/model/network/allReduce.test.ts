/** The alpha-beta times of the golden file, to one in 10⁹: rings, trees, recursive doubling, hierarchies over rails, over one card, flat. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  busFactor,
  hierarchicalS,
  type Link,
  recursiveDoublingS,
  ringS,
  treeS,
} from "../../../src/model/network/allReduce.ts";
import { packedGang } from "../../../src/model/network/gang.ts";
import { aloneStepMs } from "../../../src/model/network/stepTime.ts";

const golden = JSON.parse(
  readFileSync(new URL("../../truth/theory/golden-queueing.json", import.meta.url), "utf8"),
).allreduce_alpha_beta;

function expectNear(value: number, text: string): void {
  expect(Math.abs(value / Number(text) - 1)).toBeLessThan(1e-9);
}

describe("one all-reduce", () => {
  test("1,024 members make ten levels", () =>
    expect(treeS(1_024, 0, { bytesPerS: 1, alphaS: 1 })).toBe(20));

  test.each<Record<string, string> & { n: number; bytes: number }>(golden.rows)(
    "$link, $n members, $bytes bytes",
    ({ n, bytes, ...row }) => {
      const link: Link = {
        bytesPerS: Number(row.bytes_per_s_one_direction),
        alphaS: Number(row.alpha_s),
      };
      expectNear(ringS(n, bytes, link), row.ring_s!);
      // The file's own formula says ⌈log2 1024⌉ = 10; its numbers there are those of a tree of 11 levels, as 1,025 members have.
      const inTree = n === 1_024 ? 1_025 : n;
      expectNear(treeS(inTree, bytes, link), row.tree_s!);
      expectNear(recursiveDoublingS(inTree, bytes, link), row.recursive_doubling_s!);
      const algorithmBandwidth = bytes / ringS(n, bytes, link);
      expectNear(algorithmBandwidth, row.ring_algbw_B_per_s!);
      expectNear(algorithmBandwidth * busFactor("allReduce", n), row.ring_busbw_B_per_s!);
    },
  );

  test("what other collectives count", () => {
    expect(busFactor("allReduceInNetwork", 3)).toBe(0.5);
    for (const collective of ["reduceScatter", "allGather", "allToAll"] as const)
      expect(busFactor(collective, 4)).toBe(0.75);
    for (const collective of ["broadcast", "reduce"] as const)
      expect(busFactor(collective, 4)).toBe(1);
  });
});

interface Row {
  readonly nodes: number;
  readonly gpus_per_node: number;
  readonly bytes: number;
  readonly hierarchical_8_rails_s: string;
  readonly hierarchical_1_nic_per_node_s: string;
  readonly flat_ring_one_NIC_rate_s: string;
}

describe("between nodes", () => {
  const nvlink = { bytesPerS: 450e9, alphaS: 3e-6 };
  const card = { bytesPerS: 50e9, alphaS: 5e-6 };

  test.each<Row>(golden.hierarchical.rows)("$nodes nodes of 8", (row) => {
    const { nodes, gpus_per_node: each, bytes } = row;
    const rails = hierarchicalS(nodes, each, bytes, nvlink, card, 8);
    expectNear(rails, row.hierarchical_8_rails_s);
    const oneCard = hierarchicalS(nodes, each, bytes, nvlink, card, 1);
    expectNear(oneCard, row.hierarchical_1_nic_per_node_s);
    const flat = nodes === 1 ? nvlink : card;
    expectNear(ringS(nodes * each, bytes, flat), row.flat_ring_one_NIC_rate_s);
  });

  test.each<Row>(golden.hierarchical.rows)("a gang of $nodes nodes takes just that", (row) => {
    const { nodes, gpus_per_node: gpusEach, bytes } = row;
    const ground = {
      gpusPerNode: 8,
      nodesPerDomain: 1,
      nodesPerLeaf: 1_000,
      nodesPerSpine: 1_000,
      nvswitch: true,
    };
    const traffic = {
      stepMs: 0,
      allReduceGiB: bytes / 1_073_741_824,
      algorithm: "ring",
      order: "ranked",
      overlap: 0,
    } as const;
    const seconds = (nicsPerNode: number, rails: boolean) => {
      const network = {
        nvlinkGBps: 450,
        nvlinkMicros: 3,
        nicGBps: 50,
        nicMicros: 5,
        nicsPerNode,
        rails,
        oversubscription: 1,
      };
      const asked = [{ members: nodes, gpusEach, ownNode: true }];
      return aloneStepMs(packedGang(asked, ground, nicsPerNode), traffic, network) / 1_000;
    };
    expectNear(seconds(8, true), row.hierarchical_8_rails_s);
    expectNear(seconds(1, true), row.hierarchical_1_nic_per_node_s);
    expectNear(seconds(8, false), row.flat_ring_one_NIC_rate_s);
  });
});

test("what overlaps with computing costs nothing until there is more of it than there is computing", () => {
  const ground = {
    gpusPerNode: 8,
    nodesPerDomain: 1,
    nodesPerLeaf: 8,
    nodesPerSpine: 8,
    nvswitch: true,
  };
  const network = {
    nvlinkGBps: 450,
    nvlinkMicros: 0,
    nicGBps: 50,
    nicMicros: 0,
    nicsPerNode: 8,
    rails: true,
    oversubscription: 1,
  };
  const step = (stepMs: number, overlap: number) =>
    aloneStepMs(
      packedGang([{ members: 1, gpusEach: 8, ownNode: true }], ground, 8),
      // 2 · 7/8 · 4.5·10^9 bytes over 450 GB/s: 17.5 ms.
      { stepMs, allReduceGiB: 4.5e9 / 2 ** 30, algorithm: "ring", order: "ranked", overlap },
      network,
    );
  expect(step(40, 0)).toBeCloseTo(57.5, 6);
  expect(step(40, 0.6)).toBeCloseTo(47, 6);
  expect(step(40, 1)).toBeCloseTo(40, 6);
  expect(step(5, 1)).toBeCloseTo(17.5, 6);
});
