/**
 * What a job of the document asks of Slurm, as `sbatch` would take it, and the same as components, by which every other policy places it.
 * Its general size (`gpus`, `nodes` × `gpusPerNode`) stands in where `slurm` leaves one out.
 */
import { LIMITS } from "../model/limits.ts";
import { NO_REQUEST, type SlurmRequest } from "../model/slurm/request.ts";
import type { Intervention, JobEntry } from "../scenario/schema.ts";
import { expandHostlist } from "../scenario/slurm/hostlist.ts";

const MIB_PER_GIB = 1_024;
const CPU_MILLI = 1_000;

type SizedJob = Omit<JobEntry, "submitMs">;
type Options = NonNullable<SizedJob["slurm"]>;
type SlurmChange = NonNullable<Extract<Intervention, { kind: "update" }>["slurm"]>;

/** Jobs of one kind share one object. */
export class SlurmRequests {
  readonly #known = new Map<string, SlurmRequest>();

  /** The request of a job, tasks of an array apart (`taskOf`); `gpusPerNode` of the largest node. O(1), O(nodes named) for a new kind. */
  of(job: SizedJob, gpusPerNode: number): SlurmRequest {
    const { slurm, gpus, nodes, limitMs, cpusPerGpu, memGiBPerGpu } = job;
    const limited = limitMs !== undefined;
    const size = [gpus, nodes, job.gpusPerNode, cpusPerGpu, memGiBPerGpu, limited];
    const key = JSON.stringify([slurm, size]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = requestOf(job, slurm ?? {}, gpusPerNode);
    this.#known.set(key, made);
    return made;
  }
}

/** The request of one task of an array job. */
export function taskOf(request: SlurmRequest, job: SizedJob, arrayIndex: number): SlurmRequest {
  const arrayMost = job.array?.atOnce ?? Number.POSITIVE_INFINITY;
  return { ...request, arrayId: job.id, arrayIndex, arrayMost };
}

function requestOf(job: SizedJob, slurm: Options, gpusOfNode: number): SlurmRequest {
  const { nodelist, exclude, switches, signal, ...plain } = slurm;
  const sized = sizeOf(job, slurm, gpusOfNode);
  const waitMs = switches?.waitMs ?? Number.POSITIVE_INFINITY;
  return {
    ...NO_REQUEST,
    ...(plain as Partial<SlurmRequest>),
    ...sized,
    cpusPerTask: slurm.cpusPerTask ?? cpusPerTask(job, sized.gpusPerNode),
    memPerGpuMiB: slurm.memPerGpuMiB ?? Math.round((job.memGiBPerGpu ?? 0) * MIB_PER_GIB),
    nodelist: hostsOf(nodelist),
    exclude: hostsOf(exclude),
    switches: switches?.count ?? 0,
    switchWaitMs: switches === undefined ? 0 : waitMs,
    signalBeforeMs: signal?.beforeMs ?? 0,
    signalSaveMs: signal?.saveMs ?? 0,
    noTimeLimit: job.limitMs === undefined,
  };
}

/** The options that `scontrol update` changes, as they stand in a request. */
export function changedOptions(slurm: SlurmChange): Partial<SlurmRequest> {
  const { nodelist, exclude, switches, atOnce, ...plain } = slurm;
  return {
    ...(plain as Partial<SlurmRequest>),
    ...(nodelist === undefined ? {} : { nodelist: hostsOf(nodelist) }),
    ...(exclude === undefined ? {} : { exclude: hostsOf(exclude) }),
    ...(switches === undefined
      ? {}
      : {
          switches: switches.count,
          switchWaitMs: switches.waitMs ?? Number.POSITIVE_INFINITY,
        }),
    ...(atOnce === undefined ? {} : { arrayMost: atOnce }),
  };
}

/** One number of nodes is the least and the most, as for `sbatch --nodes`. */
function sizeOf(job: SizedJob, slurm: Options, gpusOfNode: number) {
  const minNodes = slurm.minNodes ?? job.nodes ?? 0;
  const asksGpus =
    slurm.gpus !== undefined || slurm.gpusPerNode !== undefined || slurm.gpusPerTask !== undefined;
  const wholeNodes = job.nodes !== undefined && !asksGpus;
  const gpusPerNode = slurm.gpusPerNode ?? job.gpusPerNode ?? (wholeNodes ? gpusOfNode : 0);
  return {
    minNodes,
    maxNodes: slurm.maxNodes ?? minNodes,
    gpusPerNode,
    gpus: slurm.gpus ?? job.gpus ?? 0,
  };
}

function cpusPerTask(job: SizedJob, gpusPerNode: number): number {
  return Math.max(1, Math.ceil((job.cpusPerGpu ?? 0) * gpusPerNode));
}

function hostsOf(text: string | undefined): readonly string[] {
  const names = text === undefined ? null : expandHostlist(text);
  return names?.ok ? names.value : [];
}

/** One component as other policies see it. */
export interface SlurmSize {
  readonly members: number;
  readonly gpus: number;
  readonly ownNode: boolean;
  readonly cpuMilli: number;
  readonly memMiB: number;
}

/** The size of a request in members; on a flat machine a member is a processor. O(1). */
export function sizeOfRequest(request: SlurmRequest, flat: boolean): SlurmSize {
  const { gpusPerTask, gpusPerNode, gpus } = request;
  const nodes = Math.max(1, request.minNodes);
  const tasks = request.ntasks || request.ntasksPerNode * nodes || nodes;
  const size = flat
    ? { members: Math.max(gpus, tasks * request.cpusPerTask), gpus: 1, ownNode: false, cpus: 0 }
    : gpusPerTask > 0
      ? { members: tasks, gpus: gpusPerTask, ownNode: false, cpus: request.cpusPerTask }
      : gpusPerNode > 0
        ? perNode(request, nodesFor(request), gpusPerNode)
        : gpus > 0
          ? { members: gpus, gpus: 1, ownNode: false, cpus: (tasks * request.cpusPerTask) / gpus }
          : request.minNodes > 0 || request.ntasksPerNode > 0
            ? perNode(request, nodes, 0)
            : { members: tasks, gpus: 0, ownNode: false, cpus: request.cpusPerTask };
  const memory = size.ownNode && request.memPerNodeMiB > 0 ? request.memPerNodeMiB : 0;
  const perPart = request.memPerCpuMiB * size.cpus + request.memPerGpuMiB * size.gpus;
  return {
    members: Math.min(LIMITS.membersPerJob, size.members),
    gpus: size.gpus,
    ownNode: size.ownNode,
    cpuMilli: inColumn(size.cpus * CPU_MILLI),
    memMiB: inColumn(memory || perPart),
  };
}

/** Nodes that a job with GPUs a node takes: those asked for, or as many as its GPUs in total fill. */
function nodesFor(request: SlurmRequest): number {
  if (request.minNodes > 0) return request.minNodes;
  return Math.max(1, Math.ceil(request.gpus / request.gpusPerNode));
}

function perNode(request: SlurmRequest, nodes: number, gpus: number) {
  const tasks = request.ntasksPerNode || Math.max(1, Math.ceil(request.ntasks / nodes));
  return { members: nodes, gpus, ownNode: true, cpus: tasks * request.cpusPerTask };
}

function inColumn(amount: number): number {
  return Math.min(2_147_483_647, Math.ceil(amount));
}
