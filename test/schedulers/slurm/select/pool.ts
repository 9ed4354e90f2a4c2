/** A pool as the choice of nodes sees it: a small cluster, jobs of one component, and devices that can be held by hand. */
import { allocate } from "../../../../src/base/columns.ts";
import type { PoolView } from "../../../../src/engine/view.ts";
import type { Cluster } from "../../../../src/model/cluster.ts";
import { COMPONENT_SHAPE, JOB_SHAPE } from "../../../../src/model/jobs.ts";
import type { SlurmRequest } from "../../../../src/model/slurm/request.ts";

export interface SmallCluster {
  readonly nodes: readonly {
    readonly name: string;
    readonly gpus: number;
    readonly cpus: number;
    readonly memMiB: number;
  }[];
  readonly flat?: boolean;
}

export interface Member {
  readonly members: number;
  readonly gpus: number;
  readonly ownNode: boolean;
  readonly cpus?: number;
}

export interface SmallPool {
  readonly view: PoolView;
  hold(node: string, devices: readonly number[]): void;
  release(node: string, devices: readonly number[]): void;
}

export function clusterOf({ nodes, flat = false }: SmallCluster): Cluster {
  const deviceBase = new Int32Array(nodes.length + 1);
  nodes.forEach((node, index) => {
    deviceBase[index + 1] = deviceBase[index]! + node.gpus;
  });
  return {
    nodeCount: nodes.length,
    deviceCount: deviceBase[nodes.length]!,
    nodeNames: nodes.map((node) => node.name),
    nodeGroup: Uint16Array.from(nodes, (_, index) => index),
    groups: nodes.map((node) => ({
      id: node.name,
      gpuModel: "",
      gpuMemMiB: 0,
      gpusPerNode: node.gpus,
      cpusPerNode: node.cpus,
      memMiBPerNode: node.memMiB,
      numaDomains: 1,
      labels: {},
    })),
    deviceBase,
    leafCount: 1,
    spineCount: 1,
    leafOfNode: new Int32Array(nodes.length),
    spineOfLeaf: new Int32Array(1),
    leafNames: [""],
    nvswitchOfNode: new Int32Array(nodes.length).fill(-1),
    nvswitchCount: 0,
    hasFabric: false,
    flat,
    deviceWord: flat ? "processor" : "GPU",
  };
}

/** Only what the choice of nodes reads is there; anything else is a mistake of the caller and fails. */
export function poolViewOf(
  small: SmallCluster,
  members: readonly Member[],
  requests: readonly SlurmRequest[] = [],
): SmallPool {
  const cluster = clusterOf(small);
  const count = members.length;
  const at = allocate(JOB_SHAPE, count + 1);
  const components = allocate(COMPONENT_SHAPE, count);
  members.forEach((member, index) => {
    at.firstComponent[index + 1] = index + 1;
    at.gpuTotal[index] = member.members * member.gpus;
    components.members[index] = member.members;
    components.minMembers[index] = member.members;
    components.gpus[index] = member.gpus;
    components.ownNode[index] = member.ownNode ? 1 : 0;
    components.cpuMilli[index] = (member.cpus ?? 0) * 1_000;
  });
  const deviceUsed = new Uint16Array(cluster.deviceCount);
  const set = (node: string, devices: readonly number[], value: number) => {
    const base = cluster.deviceBase[cluster.nodeNames.indexOf(node)]!;
    for (const device of devices) deviceUsed[base + device] = value;
  };
  const view = {
    cluster,
    nodes: Int32Array.from(cluster.nodeNames, (_, index) => index),
    deviceUsed,
    jobs: {
      count,
      at,
      components,
      gpuModels: [],
      slurm: new Map(requests.map((request, index) => [index, request])),
      lab: new Map(),
    },
  };
  return {
    view: view as unknown as PoolView,
    hold: (node, devices) => set(node, devices, 1_000),
    release: (node, devices) => set(node, devices, 0),
  };
}
