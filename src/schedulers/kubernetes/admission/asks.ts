/**
 * What a workload asks of quota: pods by component, with requests by resource under the names that device plugins give. Whole GPUs are `nvidia.com/gpu`, a share of one is one
 * time-sliced replica, a MIG profile a resource of its own. Jobs that ask for the same share one object and one key: they are refused together. O(components) a job.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { JobTable } from "../../../model/jobs.ts";
import type { TopologyWish } from "../../../model/kubernetes/request.ts";
import { modelOfLabels } from "./nodeLabels.ts";
import type { KueueSetup } from "./setup.ts";

export const CPU = "cpu";
export const MEMORY = "memory";
export const GPU = "nvidia.com/gpu";
/** A time-sliced GPU under the name that the device plugin gives it with `renameByDefault`. */
export const GPU_SHARED = "nvidia.com/gpu.shared";
const PODS = "pods";
/** Most replicas of one GPU: a pod that asks for 1/1,000 takes one of them. */
export const SHARES_PER_GPU = 1_000;
export const migResource = (profile: string): string => `nvidia.com/mig-${profile}`;

export interface PodSetAsk {
  readonly count: number;
  readonly minCount: number;
  /** By resource of the setup. */
  readonly perPod: Float64Array;
  /** Resources that it asks for, by number. */
  readonly asked: readonly number[];
  /** A resource that no queue has quota for; null = none. */
  readonly unknown: string | null;
  /** CPUs in 1/1,000, MiB, whole devices: what its pods take of a node. */
  readonly node: readonly [cpuMilli: number, memMiB: number, gpus: number];
  readonly ownNode: boolean;
  readonly gpuModel: string | null;
}

export interface Ask {
  readonly key: string;
  readonly sets: readonly PodSetAsk[];
  readonly topology: TopologyWish | null;
  /** Its size may be cut. */
  readonly partial: boolean;
}

const known = new WeakMap<KueueSetup, Map<string, Ask>>();

/** The ask of a job under a setup; the same object for jobs that ask for the same. */
export function askOf(setup: KueueSetup, view: PoolView, jobIdx: number): Ask {
  let asks = known.get(setup);
  if (!asks) {
    asks = new Map();
    known.set(setup, asks);
  }
  const key = keyOf(view.jobs, jobIdx);
  let ask = asks.get(key);
  if (!ask) {
    ask = readAsk(setup, view.jobs, jobIdx, key);
    asks.set(key, ask);
  }
  return ask;
}

function keyOf(jobs: JobTable, jobIdx: number): string {
  const { members, minMembers, gpus, shareMilli, mig, ownNode, cpuMilli, memMiB, gpuModel } =
    jobs.components;
  let key = "";
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  for (let row = jobs.at.firstComponent[jobIdx]!; row < end; row++)
    key += `${members[row]},${minMembers[row]},${gpus[row]},${shareMilli[row]},${mig[row]},${ownNode[row]},${cpuMilli[row]},${memMiB[row]},${gpuModel[row]};`;
  const request = jobs.kubernetes?.get(jobIdx);
  if (request?.topology === undefined && request?.minCount === undefined) return key;
  const minCount = request.ray === undefined ? (request.minCount ?? 0) : 0;
  return key + JSON.stringify([minCount, request.topology ?? null]);
}

function readAsk(setup: KueueSetup, jobs: JobTable, jobIdx: number, key: string): Ask {
  const request = jobs.kubernetes?.get(jobIdx);
  const first = jobs.at.firstComponent[jobIdx]!;
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  // Only jobs of one kind of pods can be cut, as upstream's Job; a RayJob is admitted whole.
  const minCount = end - first === 1 && request?.ray === undefined ? request?.minCount : undefined;
  const sets: PodSetAsk[] = [];
  for (let row = first; row < end; row++) sets.push(readSet(setup, jobs, row, minCount));
  return {
    key,
    sets,
    topology: request?.topology ?? null,
    partial: sets.some((set) => set.minCount < set.count),
  };
}

function readSet(
  setup: KueueSetup,
  jobs: JobTable,
  row: number,
  minCount: number | undefined,
): PodSetAsk {
  const at = jobs.components;
  const whole = at.shareMilli[row] === 0 && at.mig[row] === 0;
  const device = whole
    ? GPU
    : at.mig[row] === 0
      ? GPU_SHARED
      : migResource(jobs.migProfiles[at.mig[row]! - 1]!);
  const requests: [string, number][] = [
    [CPU, at.cpuMilli[row]!],
    [MEMORY, at.memMiB[row]!],
    [device, whole ? at.gpus[row]! : 1],
  ];
  const perPod = new Float64Array(setup.resources.length);
  let unknown: string | null = null;
  for (const [name, amount] of requests) {
    const resourceIdx = setup.resources.indexOf(name);
    if (resourceIdx >= 0) perPod[resourceIdx] = amount;
    else if (amount > 0) unknown = name;
  }
  const podsIdx = setup.resources.indexOf(PODS);
  if (podsIdx >= 0) perPod[podsIdx] = 1;
  const count = at.members[row]!;
  const least = Math.max(at.minMembers[row]!, minCount ?? count);
  return {
    count,
    minCount: Math.min(count, least),
    perPod,
    asked: [...perPod.keys()].filter((idx) => perPod[idx]! > 0),
    unknown,
    node: [at.cpuMilli[row]!, at.memMiB[row]!, whole ? at.gpus[row]! : 0],
    ownNode: at.ownNode[row] === 1,
    gpuModel: at.gpuModel[row] === 0 ? null : jobs.gpuModels[at.gpuModel[row]! - 1]!,
  };
}

/** Whether pods that ask for a model may go to nodes with these labels: a flavor that names another model is no flavor for them. */
export function mayUse(set: PodSetAsk, labels: Readonly<Record<string, string>>): boolean {
  const model = modelOfLabels(labels);
  return model === null || set.gpuModel === null || model === set.gpuModel;
}
