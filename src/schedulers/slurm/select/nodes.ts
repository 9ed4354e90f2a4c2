/**
 * The nodes that Slurm sees, in the order of its node table: lines of slurm.conf first, then the other nodes of the pool. On a
 * flat machine each processor is a node with one CPU, so that a job's devices are its nodes. A node never has more than the
 * cluster of the scenario gives it; a node without a line has all of that.
 */
import { setBits, wordsFor } from "../../../base/bits.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { SlurmConfig, SlurmNode } from "../../../model/slurm/config.ts";
import type { SwitchTree } from "../../../scheduling/nodeChoice/switchTree.ts";
import { switchTree } from "../../../scheduling/nodeChoice/switchTree.ts";

export interface SlurmNodes {
  readonly count: number;
  /** Words of a bit set over the nodes. */
  readonly words: number;
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Node of the cluster. */
  readonly engineNode: Int32Array;
  /** Flat machine: the device (within its engine node) that this node is; else −1. */
  readonly device: Int32Array;
  /** Slurm nodes by engine node; −1 = not of this pool. Flat machine: the first of them, the others follow by device. */
  readonly nodeOfEngine: Int32Array;
  readonly flat: boolean;
  readonly cpus: Int32Array;
  readonly sockets: Int32Array;
  readonly coresPerSocket: Int32Array;
  /** CPUs of a core, of a socket. */
  readonly threads: Int32Array;
  readonly socketCpus: Int32Array;
  /** GPUs of all types. */
  readonly gpus: Int32Array;
  /** Types of GPUs in small letters; "" where nobody names one. A type's devices on a node are one run. */
  readonly gpuTypes: readonly string[];
  /** Per type × node (row `type`, `count` long): devices, and the first of them. */
  readonly typeCount: Int32Array;
  readonly typeFirst: Int32Array;
  /** Shards in all on each node. */
  readonly shards: Int32Array;
  readonly memMiB: Int32Array;
  readonly weight: Float64Array;
  /** Nodes that have a feature, as bit sets. */
  readonly features: ReadonlyMap<string, Int32Array>;
  /** Nodes of each weight or a lower one, lightest first, as bit sets; null where all weigh the same. */
  readonly upToWeight: readonly Int32Array[] | null;
  readonly oneWeight: boolean;
  readonly largest: { readonly cpus: number; readonly gpus: number; readonly memMiB: number };
  readonly totals: { readonly cpus: number; readonly gpus: number };
  readonly switches: SwitchTree | null;
}

/** A node before it has a place in the table: its line, if it has one, and what it is in the cluster. */
interface Draft {
  readonly name: string;
  readonly engineNode: number;
  readonly device: number;
  readonly line: SlurmNode | null;
}

/** The node table of a pool. O(nodes × lines of features). */
export function layNodes(view: PoolView, config: SlurmConfig): SlurmNodes {
  const drafts = view.cluster.flat ? processors(view) : inOrder(view, config);
  const count = drafts.length;
  const gpuTypes = typesOf(view, drafts);
  const column = () => new Int32Array(count);
  const nodes = {
    count,
    words: wordsFor(count),
    names: drafts.map((draft) => draft.name),
    indexOf: new Map(drafts.map((draft, index) => [draft.name, index])),
    engineNode: Int32Array.from(drafts, (draft) => draft.engineNode),
    device: Int32Array.from(drafts, (draft) => draft.device),
    nodeOfEngine: new Int32Array(view.cluster.nodeCount).fill(-1),
    flat: view.cluster.flat,
    cpus: column(),
    sockets: column(),
    coresPerSocket: column(),
    threads: column(),
    socketCpus: column(),
    gpus: column(),
    gpuTypes,
    typeCount: new Int32Array(count * gpuTypes.length),
    typeFirst: new Int32Array(count * gpuTypes.length),
    shards: column(),
    memMiB: column(),
    weight: new Float64Array(count),
    features: featuresOf(drafts),
    upToWeight: null as readonly Int32Array[] | null,
    oneWeight: true,
    largest: { cpus: 0, gpus: 0, memMiB: 0 },
    totals: { cpus: 0, gpus: 0 },
    switches: null as SwitchTree | null,
  };
  for (let node = count - 1; node >= 0; node--) {
    fillNode(view, drafts[node]!, nodes, node);
    nodes.nodeOfEngine[drafts[node]!.engineNode] = node;
    nodes.totals.cpus += nodes.cpus[node]!;
    nodes.totals.gpus += nodes.gpus[node]!;
    nodes.largest.cpus = Math.max(nodes.largest.cpus, nodes.cpus[node]!);
    nodes.largest.gpus = Math.max(nodes.largest.gpus, nodes.gpus[node]!);
    nodes.largest.memMiB = Math.max(nodes.largest.memMiB, nodes.memMiB[node]!);
  }
  nodes.upToWeight = weightSets(nodes.weight);
  nodes.oneWeight = nodes.upToWeight === null;
  if (config.select.topologyTree && config.switches.length > 0)
    nodes.switches = switchTree(config.switches, nodes.indexOf, count);
  return nodes;
}

/** Shards that one whole GPU of the node is worth; 0 where it has none. */
export function shardsPerGpu(nodes: SlurmNodes, node: number): number {
  const gpus = nodes.gpus[node]!;
  return gpus === 0 ? 0 : Math.floor(nodes.shards[node]! / gpus);
}

type Table = {
  -readonly [K in keyof SlurmNodes]: SlurmNodes[K];
};

function fillNode(view: PoolView, draft: Draft, nodes: Table, node: number): void {
  if (draft.device >= 0) {
    const { cpus, sockets, coresPerSocket, threads, socketCpus } = nodes;
    for (const column of [cpus, sockets, coresPerSocket, threads, socketCpus]) column[node] = 1;
    nodes.weight[node] = 1;
    return;
  }
  const { cluster } = view;
  const group = cluster.groups[cluster.nodeGroup[draft.engineNode]!]!;
  const line = draft.line;
  // A cluster without CPUs has not counted them: the line's count holds, or one for each GPU.
  const cpus = line?.cpus ?? (group.cpusPerNode || Math.max(1, group.gpusPerNode));
  nodes.cpus[node] = group.cpusPerNode > 0 ? Math.min(cpus, group.cpusPerNode) : cpus;
  nodes.threads[node] = Math.max(1, line?.threadsPerCore ?? 1);
  nodes.sockets[node] = Math.max(1, line?.sockets ?? 1);
  const cores = Math.floor(nodes.cpus[node]! / nodes.threads[node]!);
  nodes.coresPerSocket[node] =
    line?.coresPerSocket ?? Math.max(1, Math.ceil(cores / nodes.sockets[node]!));
  nodes.socketCpus[node] = nodes.coresPerSocket[node]! * nodes.threads[node]!;
  const memMiB = line?.realMemoryMiB ?? group.memMiBPerNode;
  nodes.memMiB[node] = group.memMiBPerNode > 0 ? Math.min(memMiB, group.memMiBPerNode) : memMiB;
  nodes.weight[node] = line?.weight ?? 1;
  fillGres(draft, group.gpusPerNode, group.gpuModel, nodes, node);
}

/** Runs of devices by type in the order of the line, as far as the node has devices. */
function fillGres(draft: Draft, devices: number, model: string, nodes: Table, node: number): void {
  const gres = draft.line?.gres ?? [{ name: "gpu", type: "", count: devices }];
  let first = 0;
  for (const entry of gres) {
    if (entry.name === "shard") nodes.shards[node] = nodes.shards[node]! + entry.count;
    if (entry.name !== "gpu") continue;
    const row = nodes.gpuTypes.indexOf(typeName(entry.type, model)) * nodes.count + node;
    const given = Math.min(entry.count, devices - first);
    if (nodes.typeCount[row] === 0) nodes.typeFirst[row] = first;
    nodes.typeCount[row] = nodes.typeCount[row]! + Math.max(0, given);
    first += Math.max(0, given);
  }
  nodes.gpus[node] = first;
}

/** Types are compared in small letters; devices without one are of the model that the cluster says. */
function typeName(type: string, model: string): string {
  return (type === "" ? model : type).toLowerCase();
}

function typesOf(view: PoolView, drafts: readonly Draft[]): string[] {
  const { groups, nodeGroup } = view.cluster;
  const types = new Set<string>();
  for (const { line, engineNode } of drafts) {
    const model = groups[nodeGroup[engineNode]!]!.gpuModel;
    if (line === null) types.add(typeName("", model));
    else
      for (const entry of line.gres)
        if (entry.name === "gpu") types.add(typeName(entry.type, model));
  }
  return [...types];
}

function featuresOf(drafts: readonly Draft[]): Map<string, Int32Array> {
  const features = new Map<string, Int32Array>();
  drafts.forEach(({ line }, node) => {
    for (const feature of line?.features ?? []) {
      let set = features.get(feature);
      if (set === undefined) {
        set = new Int32Array(wordsFor(drafts.length));
        features.set(feature, set);
      }
      setBits(set, node, node + 1);
    }
  });
  return features;
}

function weightSets(weight: Float64Array): Int32Array[] | null {
  const weights = [...new Set(weight)].sort((one, other) => one - other);
  if (weights.length < 2) return null;
  return weights.map((most) => {
    const set = new Int32Array(wordsFor(weight.length));
    weight.forEach((each, node) => {
      if (each <= most) setBits(set, node, node + 1);
    });
    return set;
  });
}

function processors(view: PoolView): Draft[] {
  const { cluster } = view;
  const drafts: Draft[] = [];
  for (const engineNode of view.nodes) {
    const devices = cluster.deviceBase[engineNode + 1]! - cluster.deviceBase[engineNode]!;
    for (let device = 0; device < devices; device++)
      drafts.push({ name: String(drafts.length), engineNode, device, line: null });
  }
  return drafts;
}

/** Nodes that slurm.conf names, those of other pools included, which are down until they come over; then nodes of the pool that it does not name. */
function inOrder(view: PoolView, config: SlurmConfig): Draft[] {
  const engineOf = new Map<string, number>();
  for (const node of view.nodes) engineOf.set(view.cluster.nodeNames[node]!, node);
  const elsewhere = new Map<string, number>();
  if (view.nodes.length < view.cluster.nodeNames.length)
    for (const [node, name] of view.cluster.nodeNames.entries()) elsewhere.set(name, node);
  const drafts: Draft[] = [];
  for (const line of config.nodes) {
    const engineNode = engineOf.get(line.name) ?? elsewhere.get(line.name);
    if (engineNode === undefined) continue;
    engineOf.delete(line.name);
    elsewhere.delete(line.name);
    drafts.push({ name: line.name, engineNode, device: -1, line });
  }
  for (const [name, engineNode] of engineOf)
    drafts.push({ name, engineNode, device: -1, line: null });
  return drafts;
}
