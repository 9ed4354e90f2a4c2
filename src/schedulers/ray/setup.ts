/**
 * What the settings and the YAML of a pool say of Ray, resolved once: which nodes can be workers, of which group, and how many of them there may be. Without a RayCluster every node of the
 * pool is a worker for good, and rented ones come and go. Immutable, so snapshots share it.
 */
import type { PoolView } from "../../engine/view.ts";
import { objectsOf } from "../../model/kubernetes/config.ts";
import type { RayCluster, RayWorkerGroup } from "../../model/kubernetes/rayConfig.ts";
import type { PoolSettings } from "../../model/policy.ts";

export interface WorkerGroup {
  readonly name: string;
  /** Nodes on which its workers can be, ascending. */
  readonly nodes: readonly number[];
  readonly replicas: number;
  readonly least: number;
  readonly most: number;
  /** It grows and shrinks. */
  readonly scales: boolean;
  readonly idleTimeoutMs: number;
  /** Logical resources where they are fewer than what a node has. */
  readonly cpuMilli: number;
  readonly gpuMilli: number;
}

export interface RaySetup {
  readonly groups: readonly WorkerGroup[];
  /** By node of the cluster: index of its group; −1 = no worker can be there. */
  readonly groupOf: Int16Array;
  readonly scales: boolean;
  readonly driverOnFirst: boolean;
  readonly hybrid: {
    readonly spreadThreshold: number;
    readonly topKAbsolute: number;
    readonly topKFraction: number;
    readonly avoidGpuNodes: boolean;
  };
  readonly fairDispatch: boolean;
  readonly upscalingSpeed: number;
  readonly maxConcurrentLaunches: number;
  readonly autoscalerPeriodMs: number;
  readonly nodeStartMs: number;
  readonly rpcMs: number;
  readonly broadcastMs: number;
  readonly groupRetryMs: number;
  readonly workerStartMs: number;
}

const CONSERVATIVE = 1;
const AGGRESSIVE = 1_000;

export function setupOf(view: PoolView, pool: PoolSettings): RaySetup {
  const { settings } = pool;
  const number = (key: string) => Number(settings[key]);
  const cluster = objectsOf(pool.kubernetes, "RayCluster")[0];
  const idleMs = cluster?.idleTimeoutMs ?? number("idleTimeoutMs");
  const groups =
    cluster === undefined ? groupsOfNodes(view, idleMs) : groupsOfText(view, cluster, idleMs);
  const groupOf = new Int16Array(view.cluster.nodeCount).fill(-1);
  for (const [idx, { nodes }] of groups.entries()) for (const node of nodes) groupOf[node] = idx;
  const mode = cluster?.upscalingMode ?? null;
  return {
    groups,
    groupOf,
    scales: groups.some(({ scales }) => scales),
    driverOnFirst: settings["driver"] === "firstNode",
    hybrid: {
      spreadThreshold: number("spreadThreshold"),
      topKAbsolute: 1,
      topKFraction: number("topKFraction"),
      avoidGpuNodes: settings["avoidGpuNodes"] !== false,
    },
    fairDispatch: settings["fairDispatch"] !== false,
    upscalingSpeed:
      mode === null
        ? number("upscalingSpeed")
        : mode === "Conservative"
          ? CONSERVATIVE
          : AGGRESSIVE,
    maxConcurrentLaunches: number("maxConcurrentLaunches"),
    autoscalerPeriodMs: number("autoscalerPeriodMs"),
    nodeStartMs: number("nodeStartMs"),
    rpcMs: number("rpcMs"),
    broadcastMs: number("broadcastMs"),
    groupRetryMs: number("groupRetryMs"),
    workerStartMs: number("workerStartMs"),
  };
}

/** Node groups of the document: what is there is there, what is rented comes when it is wanted. */
function groupsOfNodes(view: PoolView, idleTimeoutMs: number): WorkerGroup[] {
  const rented = rentedNodes(view);
  const byKey = new Map<string, number[]>();
  for (const node of view.nodes) {
    const key = `${view.cluster.nodeGroup[node]}|${rented.has(node)}`;
    byKey.set(key, [...(byKey.get(key) ?? []), node]);
  }
  return [...byKey].map(([, nodes]) => {
    const scales = rented.has(nodes[0]!);
    return {
      name: view.cluster.groups[view.cluster.nodeGroup[nodes[0]!]!]!.id,
      nodes,
      replicas: scales ? 0 : nodes.length,
      least: 0,
      most: nodes.length,
      scales,
      idleTimeoutMs,
      cpuMilli: Number.POSITIVE_INFINITY,
      gpuMilli: Number.POSITIVE_INFINITY,
    };
  });
}

/** Worker groups as listed, each on the nodes that its selector, or its name, finds and that no group before it has. */
function groupsOfText(view: PoolView, cluster: RayCluster, idleMs: number): WorkerGroup[] {
  const taken = new Set<number>();
  return cluster.groups.map((group) => {
    const nodes = [...view.nodes].filter((node) => !taken.has(node) && isFor(view, group, node));
    for (const node of nodes) taken.add(node);
    return {
      name: group.name,
      nodes,
      replicas: Math.min(group.replicas, nodes.length),
      least: cluster.autoscaling ? Math.min(group.minReplicas, nodes.length) : 0,
      most: Math.min(group.maxReplicas, nodes.length),
      scales: cluster.autoscaling,
      idleTimeoutMs: group.idleTimeoutMs ?? idleMs,
      cpuMilli: group.cpuMilli ?? Number.POSITIVE_INFINITY,
      gpuMilli: (group.gpus ?? Number.POSITIVE_INFINITY) * 1_000,
    };
  });
}

/** A node that is large enough and bears the labels asked for; without a selector, of the node group of the same name, if there is one. */
function isFor(view: PoolView, group: RayWorkerGroup, node: number): boolean {
  const { cluster } = view;
  const { id, labels, cpusPerNode } = cluster.groups[cluster.nodeGroup[node]!]!;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  if ((group.gpus ?? 0) > gpus) return false;
  if (cpusPerNode > 0 && (group.cpuMilli ?? 0) > cpusPerNode * 1_000) return false;
  const wanted = Object.entries(group.nodeSelector);
  if (wanted.length > 0) return wanted.every(([label, value]) => labels[label] === value);
  const named = cluster.groups.some((other) => other.id === group.name);
  return !named || id === group.name;
}

function rentedNodes(view: PoolView): ReadonlySet<number> {
  return new Set((view.world.burst ?? []).flatMap(({ nodes }) => nodes));
}

/** Boot of a rented node (ms); −1 = it is not rented. */
export function bootMs(view: PoolView, node: number): number {
  for (const rule of view.world.burst ?? []) if (rule.nodes.includes(node)) return rule.startupMs;
  return -1;
}
