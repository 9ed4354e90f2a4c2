/**
 * What a job asks of the nodes, with every option of `sbatch` resolved to numbers: the details that select/cons_tres reads.
 * Jobs that ask for the same share one object, so that a pass can keep what it found out by object. A job without options of
 * its own asks for what its components say.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { SlurmConfig, SlurmPartition } from "../../../model/slurm/config.ts";
import type { SlurmRequest } from "../../../model/slurm/request.ts";
import { NO_REQUEST } from "../../../model/slurm/request.ts";
import type { Constraint } from "./features.ts";
import { NO_CONSTRAINT, parseConstraint } from "./features.ts";
import type { SlurmNodes } from "./nodes.ts";
import { excludedBy, wishOf, wishText } from "./wish.ts";

/** No limit on nodes. */
export const MANY = 0x7fffffff;

export interface Wanted {
  readonly minNodes: number;
  /** `MANY` = no limit. */
  readonly maxNodes: number;
  /** 0 = not given: as many as fit. */
  readonly ntasks: number;
  readonly ntasksPerNode: number;
  readonly cpusPerTask: number;
  /** CPUs of the whole job, at least. */
  readonly minCpus: number;
  /** CPUs on each node, at least. */
  readonly minCpusPerNode: number;
  /** GPUs of the whole job (`--gpus`; tasks × GPUs per task), of each node, of each task; 0 = not given. */
  readonly gpus: number;
  readonly gpusPerNode: number;
  readonly gpusPerTask: number;
  /** Index into `SlurmNodes.gpuTypes`; −1 = any, −2 = a type that no node has. */
  readonly gpuType: number;
  readonly cpusPerGpu: number;
  readonly shardsPerNode: number;
  readonly memPerNodeMiB: number;
  readonly memPerCpuMiB: number;
  readonly memPerGpuMiB: number;
  /** Memory counts, and neither the job nor a default says how much: all of each node's. */
  readonly allMemory: boolean;
  readonly constraint: Constraint;
  /** Nodes that must all be in; empty = none. Ascending. */
  readonly required: Int32Array;
  readonly excluded: Int32Array | null;
  readonly exclusive: "no" | "node" | "user";
  readonly wholeNodes: boolean;
  readonly contiguous: boolean;
  /** Leaf switches at most, while it is willing to wait for them; 0 = not asked. */
  readonly switches: number;
  readonly switchWaitMs: number;
  /** A node or feature was named that nobody has. */
  readonly unknownNode: boolean;
  /** What the components of the job need a grant to look like. */
  readonly components: readonly ComponentForm[];
}

export interface ComponentForm {
  readonly members: number;
  readonly gpus: number;
  readonly ownNode: boolean;
  readonly cpuMilli: number;
  readonly memMiB: number;
  /** Each member asks for a share of a device in 1/1,000, or for a MIG slice (profile + 1): parts of single devices; 0 = neither. */
  readonly shareMilli: number;
  readonly mig: number;
}

/** By text, for each node table. */
const caches = new WeakMap<SlurmNodes, Map<string, Wanted>>();

/** The request of a job (or another one in its place) in a partition, resolved; keep it with the job. O(components + options), without a new object for a known text. */
export function wantedOf(
  view: PoolView,
  config: SlurmConfig,
  nodes: SlurmNodes,
  partition: SlurmPartition,
  jobIdx: number,
  request: SlurmRequest | null = view.jobs.slurm.get(jobIdx) ?? null,
): Wanted {
  let cache = caches.get(nodes);
  if (cache === undefined) {
    cache = new Map();
    caches.set(nodes, cache);
  }
  const components = formsOf(view, jobIdx);
  const text = textOf(view, request, components, partition.name, jobIdx);
  let wanted = cache.get(text);
  if (wanted === undefined) {
    wanted = resolve(view, config, nodes, partition, jobIdx, request, components);
    cache.set(text, wanted);
  }
  return wanted;
}

function formsOf(view: PoolView, jobIdx: number): ComponentForm[] {
  const { components, at } = view.jobs;
  const forms: ComponentForm[] = [];
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    forms.push({
      members: components.members[row]!,
      gpus: components.gpus[row]!,
      ownNode: components.ownNode[row] === 1,
      cpuMilli: components.cpuMilli[row]!,
      memMiB: components.memMiB[row]!,
      shareMilli: components.shareMilli[row]!,
      mig: components.mig[row]!,
    });
  }
  return forms;
}

/** Two jobs with the same text ask for the same. */
function textOf(
  view: PoolView,
  request: SlurmRequest | null,
  forms: readonly ComponentForm[],
  partition: string,
  jobIdx: number,
): string {
  const row = view.jobs.at.firstComponent[jobIdx]!;
  const { gpuModel } = view.jobs.components;
  const shape = forms
    .map(
      (form) =>
        `${form.members},${form.gpus},${form.ownNode},${form.cpuMilli},${form.memMiB},${form.shareMilli},${form.mig}`,
    )
    .join(";");
  const own = request === null ? "" : asked(request);
  return `${partition}|${shape}|${gpuModel[row]}|${wishText(view, jobIdx)}|${own}`;
}

function asked(request: SlurmRequest): string {
  return [
    request.minNodes,
    request.maxNodes,
    request.ntasks,
    request.ntasksPerNode,
    request.cpusPerTask,
    request.gpus,
    request.gpusPerNode,
    request.gpusPerTask,
    request.gpuType,
    request.shardsPerNode,
    request.memPerNodeMiB,
    request.memPerCpuMiB,
    request.memPerGpuMiB,
    request.constraint,
    request.nodelist.join(" "),
    request.exclude.join(" "),
    request.exclusive,
    request.oversubscribe,
    request.contiguous,
    request.switches,
    request.switchWaitMs,
  ].join(",");
}

/** Numbers of size, before the options that only narrow the choice. */
interface Size {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly ntasks: number;
  readonly ntasksPerNode: number;
  readonly cpusPerTask: number;
  readonly gpus: number;
  readonly gpusPerNode: number;
  readonly gpusPerTask: number;
  readonly memPerNodeMiB: number;
  readonly memPerCpuMiB: number;
}

function resolve(
  view: PoolView,
  config: SlurmConfig,
  nodes: SlurmNodes,
  partition: SlurmPartition,
  jobIdx: number,
  request: SlurmRequest | null,
  components: readonly ComponentForm[],
): Wanted {
  const asks = request ?? NO_REQUEST;
  const size = nodes.flat
    ? processorSize(components, view.jobs.at.gpuTotal[jobIdx]!)
    : hasSize(asks)
      ? requestSize(asks)
      : componentSize(components);
  const counted = config.select.memory && !nodes.flat;
  const memory = counted ? memoryOf(partition, asks, size) : NO_MEMORY;
  const row = view.jobs.at.firstComponent[jobIdx]!;
  const required = indexesOf(nodes, asks.nodelist);
  const perNode = size.ntasksPerNode * size.cpusPerTask;
  const tasks = size.ntasks || Math.max(1, size.minNodes) * Math.max(1, size.ntasksPerNode);
  const linear = config.select.type === "linear";
  const alone = asks.exclusive === "node" || wishOf(view, jobIdx)?.exclusive === true;
  const whole = alone || partition.overSubscribe === "exclusive" || linear;
  return {
    ...size,
    ...memory,
    minNodes: Math.max(1, size.minNodes, required.length),
    maxNodes: Math.max(size.maxNodes, size.maxNodes === MANY ? 0 : required.length),
    minCpus: Math.max(tasks * size.cpusPerTask, size.minNodes),
    minCpusPerNode: Math.max(1, perNode || size.cpusPerTask),
    gpuType: typeOf(view, nodes, asks, row),
    // DefCpuPerGPU holds where the job does not name its CPUs.
    cpusPerGpu: size.cpusPerTask > 1 ? 0 : partition.defCpuPerGpu,
    shardsPerNode: asks.shardsPerNode,
    constraint: asks.constraint === "" ? NO_CONSTRAINT : parseConstraint(asks.constraint, nodes),
    required: required.list,
    excluded: excludedBy(
      view,
      nodes,
      asks.exclude.length === 0 ? null : bitsOf(nodes, asks.exclude),
      jobIdx,
    ),
    wholeNodes: whole,
    exclusive: whole ? "node" : partition.exclusiveUser ? "user" : asks.exclusive,
    contiguous: asks.contiguous,
    // More than one switch "probably makes no sense": select/cons_tres drops the wish (select/linear does not).
    switches: asks.switches > 1 && !linear ? 0 : asks.switches,
    switchWaitMs: Math.min(asks.switchWaitMs, config.scheduler.maxSwitchWaitMs),
    unknownNode: required.unknown,
    components,
  };
}

function hasSize(asks: SlurmRequest): boolean {
  const { minNodes, ntasks, ntasksPerNode, gpus, gpusPerNode, gpusPerTask } = asks;
  return minNodes + ntasks + ntasksPerNode + gpus + gpusPerNode + gpusPerTask > 0;
}

function requestSize(asks: SlurmRequest): Size {
  const { gpusPerNode, gpusPerTask } = asks;
  // GPUs in all and on each node make a number of nodes.
  const byGpus = asks.gpus > 0 && gpusPerNode > 0 ? Math.ceil(asks.gpus / gpusPerNode) : 0;
  const minNodes = Math.max(asks.minNodes, byGpus);
  const maxNodes = asks.minNodes === 0 ? byGpus : asks.maxNodes;
  const ntasks = gpusPerTask > 0 ? tasksWithGpus(asks) : asks.ntasks;
  return {
    minNodes,
    maxNodes: minNodes === 0 ? MANY : Math.max(minNodes, maxNodes),
    ntasks,
    ntasksPerNode: asks.ntasksPerNode,
    cpusPerTask: Math.max(1, asks.cpusPerTask),
    gpus: byGpus > 0 ? 0 : Math.max(asks.gpus, gpusPerTask * ntasks),
    gpusPerNode,
    gpusPerTask,
    memPerNodeMiB: asks.memPerNodeMiB,
    memPerCpuMiB: asks.memPerCpuMiB,
  };
}

function tasksWithGpus({ ntasks, ntasksPerNode, minNodes, gpus, gpusPerTask }: SlurmRequest) {
  const ofNodes = Math.max(1, ntasksPerNode) * Math.max(1, minNodes);
  return ntasks || (gpus > 0 ? Math.floor(gpus / gpusPerTask) : ofNodes) || 1;
}

const NO_SIZE: Size = {
  minNodes: 0,
  maxNodes: MANY,
  ntasks: 0,
  ntasksPerNode: 0,
  cpusPerTask: 1,
  gpus: 0,
  gpusPerNode: 0,
  gpusPerTask: 0,
  memPerNodeMiB: 0,
  memPerCpuMiB: 0,
};

/** A flat machine: devices are nodes of one CPU. */
function processorSize(forms: readonly ComponentForm[], gpuTotal: number): Size {
  const nodes = Math.max(1, gpuTotal || forms.reduce((sum, form) => sum + form.members, 0));
  return { ...NO_SIZE, minNodes: nodes, maxNodes: nodes };
}

const NO_FORM: ComponentForm = {
  members: 1,
  gpus: 0,
  ownNode: true,
  cpuMilli: 0,
  memMiB: 0,
  shareMilli: 0,
  mig: 0,
};

/** Members on nodes of their own are nodes with GPUs; members anywhere are tasks with GPUs; one member of many GPUs is a node. */
function componentSize(forms: readonly ComponentForm[]): Size {
  const form = forms[0] ?? NO_FORM;
  const cpus = Math.max(1, Math.ceil(form.cpuMilli / 1_000));
  if (forms.length === 1 && (form.ownNode || form.members === 1)) {
    return {
      ...NO_SIZE,
      minNodes: form.members,
      maxNodes: form.members,
      cpusPerTask: cpus,
      gpusPerNode: form.gpus,
      memPerNodeMiB: form.memMiB,
    };
  }
  const gpus = forms.reduce((sum, each) => sum + each.members * each.gpus, 0);
  const most = forms.reduce((high, each) => Math.max(high, each.gpus), 0);
  const members = forms.reduce((sum, each) => sum + each.members, 0);
  return {
    ...NO_SIZE,
    ntasks: members,
    cpusPerTask: cpus,
    gpus: most > 0 ? gpus : 0,
    gpusPerTask: most,
    memPerCpuMiB: Math.ceil(form.memMiB / cpus),
  };
}

type Memory = Pick<Wanted, "memPerNodeMiB" | "memPerCpuMiB" | "memPerGpuMiB" | "allMemory">;

const NO_MEMORY: Memory = {
  memPerNodeMiB: 0,
  memPerCpuMiB: 0,
  memPerGpuMiB: 0,
  allMemory: false,
};

function memoryOf(partition: SlurmPartition, asks: SlurmRequest, size: Size): Memory {
  const named = size.memPerNodeMiB + size.memPerCpuMiB + asks.memPerGpuMiB > 0;
  if (named) {
    const { memPerNodeMiB, memPerCpuMiB } = size;
    return { ...NO_MEMORY, memPerNodeMiB, memPerCpuMiB, memPerGpuMiB: asks.memPerGpuMiB };
  }
  const hasGpus = size.gpus + size.gpusPerNode > 0;
  if (hasGpus && partition.defMemPerGpuMiB > 0)
    return { ...NO_MEMORY, memPerGpuMiB: partition.defMemPerGpuMiB };
  const { defMemPerCpuMiB, defMemPerNodeMiB } = partition;
  const allMemory = defMemPerCpuMiB + defMemPerNodeMiB === 0;
  return {
    ...NO_MEMORY,
    memPerCpuMiB: defMemPerCpuMiB,
    memPerNodeMiB: defMemPerNodeMiB,
    allMemory,
  };
}

function typeOf(view: PoolView, nodes: SlurmNodes, asks: SlurmRequest, row: number): number {
  const model = view.jobs.components.gpuModel[row] ?? 0;
  const name =
    asks.gpuType !== "" ? asks.gpuType : model > 0 ? view.jobs.gpuModels[model - 1]! : "";
  if (name === "") return -1;
  const type = nodes.gpuTypes.indexOf(name.toLowerCase());
  return type < 0 ? -2 : type;
}

function indexesOf(
  nodes: SlurmNodes,
  names: readonly string[],
): { list: Int32Array; length: number; unknown: boolean } {
  const found = new Set<number>();
  let unknown = false;
  for (const name of names) {
    const node = nodes.indexOf.get(name);
    if (node === undefined) unknown = true;
    else found.add(node);
  }
  const list = Int32Array.from([...found].sort((one, other) => one - other));
  return { list, length: list.length, unknown };
}

function bitsOf(nodes: SlurmNodes, names: readonly string[]): Int32Array {
  const set = new Int32Array(nodes.words);
  for (const name of names) {
    const node = nodes.indexOf.get(name);
    if (node !== undefined) set[node >> 5] = set[node >> 5]! | (1 << (node & 31));
  }
  return set;
}
