/**
 * Lays a scenario's cluster out as numbered nodes and devices. Nodes take the order of the node groups; leaves are filled in
 * that order, so a leaf is one run of nodes. Where the scenario names no fabric, eight nodes form a "leaf" for the eye only
 * (`hasFabric` is false then, and no placement rule may lean on it).
 */
import type { Cluster, NodeGroupInfo } from "../model/cluster.ts";
import { nodeNames } from "../scenario/nodeNames.ts";
import type { NodeGroup, Scenario } from "../scenario/schema.ts";

const NODES_PER_LEAF_FOR_THE_EYE = 8;
const MIB_PER_GIB = 1_024;

/** The cluster of a valid scenario. O(nodes). */
export function layCluster(scenario: Scenario): Cluster {
  const { nodeGroups, fabric, flat } = scenario.cluster;
  const nodeCount = nodeGroups.reduce((sum, group) => sum + group.count, 0);
  const nodesPerLeaf = fabric?.nodesPerLeaf ?? NODES_PER_LEAF_FOR_THE_EYE;
  const leafCount = Math.ceil(nodeCount / nodesPerLeaf);
  const leavesPerSpine = fabric?.leavesPerSpine ?? leafCount;
  const nodes = layNodes(nodeGroups, nodeCount, flat);
  return {
    nodeCount,
    deviceCount: nodes.deviceBase[nodeCount]!,
    nodeNames: nodeNames(scenario.cluster),
    ...nodes,
    groups: nodeGroups.map(groupInfo),
    leafCount,
    spineCount: Math.ceil(leafCount / leavesPerSpine),
    leafOfNode: Int32Array.from({ length: nodeCount }, (_, node) =>
      Math.floor(node / nodesPerLeaf),
    ),
    spineOfLeaf: Int32Array.from({ length: leafCount }, (_, leaf) =>
      Math.floor(leaf / leavesPerSpine),
    ),
    leafNames: Array.from({ length: leafCount }, (_, leaf) => `leaf ${leaf}`),
    hasFabric: fabric !== undefined,
    flat,
    deviceWord: flat ? "processor" : "GPU",
  };
}

function layNodes(groups: readonly NodeGroup[], nodeCount: number, flat: boolean) {
  const nodeGroup = new Uint16Array(nodeCount);
  const deviceBase = new Int32Array(nodeCount + 1);
  const nvswitchOfNode = new Int32Array(nodeCount).fill(-1);
  let nvswitchCount = 0;
  let next = 0;
  groups.forEach((group, groupIdx) => {
    for (let i = 0; i < group.count; i++) {
      const node = next++;
      nodeGroup[node] = groupIdx;
      deviceBase[node + 1] = deviceBase[node]! + group.gpus;
      if (group.nvswitchNodes === 0 || flat) continue;
      nvswitchOfNode[node] = nvswitchCount + Math.floor(i / group.nvswitchNodes);
    }
    if (group.nvswitchNodes > 0 && !flat)
      nvswitchCount += Math.ceil(group.count / group.nvswitchNodes);
  });
  return { nodeGroup, deviceBase, nvswitchOfNode, nvswitchCount };
}

function groupInfo(group: NodeGroup): NodeGroupInfo {
  return {
    id: group.id,
    gpuModel: group.gpuModel,
    gpuMemMiB: Math.round(group.gpuMemGiB * MIB_PER_GIB),
    gpusPerNode: group.gpus,
    cpusPerNode: group.cpus,
    memMiBPerNode: group.memGiB * MIB_PER_GIB,
    numaDomains: group.numaDomains,
    labels: group.labels,
  };
}
