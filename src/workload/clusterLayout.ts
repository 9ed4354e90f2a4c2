/**
 * Lays a scenario's cluster out as numbered nodes and devices. Nodes take the order of the node groups and leaves are filled in
 * that order, or they stand under the switches that the document names; a leaf is one run of nodes in any case. Where the scenario names no fabric, eight nodes form a "leaf" for the eye only
 * (`hasFabric` is false then, and no placement rule may lean on it).
 */
import type { Cluster, NodeGroupInfo } from "../model/cluster.ts";
import { leafSwitches, nodeOrder, type PlacedNode } from "../scenario/nodeNames.ts";
import type { NodeGroup, Scenario } from "../scenario/schema.ts";

const NODES_PER_LEAF_FOR_THE_EYE = 8;
const MIB_PER_GIB = 1_024;

/** The cluster of a valid scenario. O(nodes log nodes). */
export function layCluster(scenario: Scenario): Cluster {
  const { nodeGroups, fabric, switches, flat } = scenario.cluster;
  const nodes = nodeOrder(scenario.cluster);
  const laid = layNodes(nodeGroups, nodes, flat);
  return {
    nodeCount: nodes.length,
    deviceCount: laid.deviceBase[nodes.length]!,
    nodeNames: nodes.map((node) => node.name),
    ...laid,
    groups: nodeGroups.map(groupInfo),
    ...(switches === undefined
      ? regularFabric(nodes.length, fabric)
      : switchFabric(scenario.cluster, nodes)),
    hasFabric: fabric !== undefined || switches !== undefined,
    flat,
    deviceWord: flat ? "processor" : "GPU",
  };
}

type Fabric = Pick<
  Cluster,
  "leafCount" | "spineCount" | "leafOfNode" | "spineOfLeaf" | "leafNames"
>;

/** Leaves of equal size, filled in the order of the nodes. */
function regularFabric(nodeCount: number, fabric: Scenario["cluster"]["fabric"]): Fabric {
  const nodesPerLeaf = fabric?.nodesPerLeaf ?? NODES_PER_LEAF_FOR_THE_EYE;
  const leafCount = Math.ceil(nodeCount / nodesPerLeaf);
  const leavesPerSpine = fabric?.leavesPerSpine ?? leafCount;
  return {
    leafCount,
    spineCount: Math.ceil(leafCount / leavesPerSpine),
    leafOfNode: Int32Array.from({ length: nodeCount }, (_, node) =>
      Math.floor(node / nodesPerLeaf),
    ),
    spineOfLeaf: Int32Array.from({ length: leafCount }, (_, leaf) =>
      Math.floor(leaf / leavesPerSpine),
    ),
    leafNames: Array.from({ length: leafCount }, (_, leaf) => `leaf ${leaf}`),
  };
}

/** Leaves and the switches above them as the document names them; nodes that hang on none share one more leaf at the end. */
function switchFabric(cluster: Scenario["cluster"], nodes: readonly PlacedNode[]): Fabric {
  const leaves = leafSwitches(cluster);
  const used = new Set(nodes.map((node) => node.leaf));
  const kept = [...leaves.keys()].filter((leaf) => used.has(leaf));
  const leafIdx = new Map(kept.map((leaf, index) => [leaf, index]));
  const spines = [...new Set(kept.map((leaf) => leaves[leaf]!.above))];
  const loose = used.has(-1);
  const spineOfLeaf = kept.map((leaf) => spines.indexOf(leaves[leaf]!.above));
  const leafNames = kept.map((leaf) => leaves[leaf]!.name);
  if (loose) {
    spineOfLeaf.push(spines.length);
    leafNames.push("no switch");
  }
  return {
    leafCount: leafNames.length,
    spineCount: spines.length + (loose ? 1 : 0),
    leafOfNode: Int32Array.from(nodes, (node) => leafIdx.get(node.leaf) ?? kept.length),
    spineOfLeaf: Int32Array.from(spineOfLeaf),
    leafNames,
  };
}

function layNodes(groups: readonly NodeGroup[], nodes: readonly PlacedNode[], flat: boolean) {
  const nodeGroup = new Uint16Array(nodes.length);
  const deviceBase = new Int32Array(nodes.length + 1);
  const nvswitchOfNode = new Int32Array(nodes.length).fill(-1);
  const domains = firstDomains(groups, flat);
  nodes.forEach(({ group, indexInGroup }, node) => {
    const { gpus, nvswitchNodes } = groups[group]!;
    nodeGroup[node] = group;
    deviceBase[node + 1] = deviceBase[node]! + gpus;
    if (nvswitchNodes > 0 && !flat)
      nvswitchOfNode[node] = domains.first[group]! + Math.floor(indexInGroup / nvswitchNodes);
  });
  return { nodeGroup, deviceBase, nvswitchOfNode, nvswitchCount: domains.count };
}

/** The first NVSwitch domain of each group, and how many there are. */
function firstDomains(groups: readonly NodeGroup[], flat: boolean) {
  const first: number[] = [];
  let count = 0;
  for (const group of groups) {
    first.push(count);
    if (group.nvswitchNodes > 0 && !flat) count += Math.ceil(group.count / group.nvswitchNodes);
  }
  return { first, count };
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
    ...(group.pricePerGpuHour === undefined ? {} : { pricePerGpuHour: group.pricePerGpuHour }),
  };
}
