import { expect, test } from "vitest";
import { gutterWords } from "../../../src/panels/gantt/gutterWords.ts";
import { TopologyState } from "../../../src/panels/gantt/topologyState.ts";
import { rowUnitsOf } from "../../../src/timeline/rowUnits.ts";
import { syntheticCluster } from "../../../src/timeline/syntheticRecord.ts";

test("the gutter says in words what its links and cells show", () => {
  const cluster = syntheticCluster({ nodes: 4, gpusPerNode: 8, rects: 0, nodesPerLeaf: 2 });
  const units = rowUnitsOf(cluster);
  const topology = new TopologyState(cluster, units);
  topology.heldOfDevice.fill(1, 0, 12);
  topology.blockLink[0] = 0.75;
  const words = gutterWords(topology, units, 1, 0)!;
  expect(words.title).toBe(`${cluster.nodeNames[1]}: 4 of 8 GPUs held`);
  expect(words.lines[0]).toBe(`${units.blockNames[0]}: 12 of 16 GPUs held`);
  expect(words.lines[1]?.replaceAll("\u00a0", " ")).toBe(
    "Uplink: 75 % of its GPUs are in jobs that reach beyond this leaf.",
  );
  topology.heldOfDevice[0] = 0.25;
  expect(gutterWords(topology, units, 0, 0)!.title).toBe(
    `${cluster.nodeNames[0]}: 7.3 of 8 GPUs held`,
  );
  expect(gutterWords(topology, units, -1, -1)).toBeNull();
});
