/**
 * What a job asks of the nodes, interned: jobs that ask for the same get the same shape number, so that a pass which found no
 * room for one of them need not look for the others. Shapes are derived from the job table alone and kept beside it; they are
 * no part of a scheduler's state.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { JobFlag } from "../../model/jobs.ts";

export interface Shape {
  readonly parts: readonly Part[];
  /** Devices asked for as people count them: fractions count up. */
  readonly gpuTotal: number;
  /** Wholly free devices that all members need together; shares and slices may find room on devices in use. */
  readonly gpusWhole: number;
  readonly members: number;
  /** Members must be under one leaf / in one NVSwitch domain. */
  readonly wish: "none" | "leaf" | "nvswitch";
}

/** One component of a shape. */
export interface Part {
  readonly members: number;
  readonly gpus: number;
  readonly shareMilli: number;
  readonly mig: number;
  readonly ownNode: boolean;
  readonly cpuMilli: number;
  readonly memMiB: number;
  /** Per node group of the cluster: 1 where the GPU model is the one asked for. */
  readonly groupFits: Uint8Array;
  /** Shares and slices cannot be on one device. Where both occur, a share takes only devices that nobody uses. */
  readonly freeDevicesOnly: boolean;
  /** True if any node with enough free devices will do: no CPUs, memory, model or part of a device asked for. */
  readonly devicesOnly: boolean;
}

export interface Shapes {
  readonly cluster: Cluster;
  readonly shapeOfJob: Uint32Array;
  readonly list: readonly Shape[];
  /** Some job asks for a part of a device. */
  readonly hasParts: boolean;
  /** Some job needs no wholly free device. */
  readonly zeroNeeds: boolean;
  /** Every job asks for devices and nothing else. */
  readonly plainOnly: boolean;
}

const known = new WeakMap<JobTable, Shapes>();

/** The shapes of all jobs of a table. O(jobs) the first time, then O(1). */
export function shapesOf(jobs: JobTable, cluster: Cluster): Shapes {
  const found = known.get(jobs);
  if (found?.cluster === cluster && found.shapeOfJob.length === jobs.count) return found;
  const made = internShapes(jobs, cluster);
  known.set(jobs, made);
  return made;
}

function internShapes(jobs: JobTable, cluster: Cluster): Shapes {
  const shapeOfJob = new Uint32Array(jobs.count);
  const list: Shape[] = [];
  const numberOf = new Map<string, number>();
  // Most jobs have one component of plain devices: those are found by arithmetic, without building a text.
  const plain = new Map<number, number>();
  let hasParts = false;
  for (let jobIdx = 0; jobIdx < jobs.count; jobIdx++) {
    const quick = plainKey(jobs, jobIdx);
    let shape = quick < 0 ? undefined : plain.get(quick);
    if (shape === undefined) {
      const key = textKey(jobs, jobIdx);
      shape = numberOf.get(key);
      if (shape === undefined) {
        shape = list.length;
        const made = readShape(jobs, cluster, jobIdx);
        hasParts ||= made.parts.some((part) => part.shareMilli > 0 || part.mig > 0);
        list.push(made);
        numberOf.set(key, shape);
      }
      if (quick >= 0) plain.set(quick, shape);
    }
    shapeOfJob[jobIdx] = shape;
  }
  const plainOnly = list.every((shape) => shape.parts.every((part) => part.devicesOnly));
  const zeroNeeds = list.some((shape) => shape.gpusWhole === 0);
  return { cluster, shapeOfJob, list, hasParts, zeroNeeds, plainOnly };
}

/** A number for a job of one component of whole devices and nothing else; −1 for any other. */
function plainKey(jobs: JobTable, jobIdx: number): number {
  const first = jobs.at.firstComponent[jobIdx]!;
  if (jobs.at.firstComponent[jobIdx + 1]! - first !== 1) return -1;
  const { members, gpus, shareMilli, mig, ownNode, cpuMilli, memMiB, gpuModel } = jobs.components;
  if (shareMilli[first] || mig[first] || cpuMilli[first] || memMiB[first] || gpuModel[first])
    return -1;
  const wish = jobs.at.flags[jobIdx]! & (JobFlag.sameLeaf | JobFlag.sameNvswitch);
  return ((members[first]! * 65_536 + gpus[first]!) * 2 + ownNode[first]!) * 16 + wish;
}

function textKey(jobs: JobTable, jobIdx: number): string {
  const { members, gpus, shareMilli, mig, ownNode, cpuMilli, memMiB, gpuModel } = jobs.components;
  let key = String(jobs.at.flags[jobIdx]! & (JobFlag.sameLeaf | JobFlag.sameNvswitch));
  for (
    let row = jobs.at.firstComponent[jobIdx]!;
    row < jobs.at.firstComponent[jobIdx + 1]!;
    row++
  ) {
    key += `|${members[row]},${gpus[row]},${shareMilli[row]},${mig[row]},${ownNode[row]},${cpuMilli[row]},${memMiB[row]},${gpuModel[row]}`;
  }
  return key;
}

function readShape(jobs: JobTable, cluster: Cluster, jobIdx: number): Shape {
  const parts: Part[] = [];
  let members = 0;
  let gpusWhole = 0;
  const at = jobs.components;
  for (
    let row = jobs.at.firstComponent[jobIdx]!;
    row < jobs.at.firstComponent[jobIdx + 1]!;
    row++
  ) {
    const model = at.gpuModel[row]! === 0 ? undefined : jobs.gpuModels[at.gpuModel[row]! - 1];
    const groupFits = Uint8Array.from(cluster.groups, (group) =>
      model === undefined || group.gpuModel === model ? 1 : 0,
    );
    members += at.members[row]!;
    if (at.shareMilli[row] === 0 && at.mig[row] === 0)
      gpusWhole += at.members[row]! * at.gpus[row]!;
    parts.push({
      members: at.members[row]!,
      gpus: at.gpus[row]!,
      shareMilli: at.shareMilli[row]!,
      mig: at.mig[row]!,
      ownNode: at.ownNode[row] === 1,
      cpuMilli: at.cpuMilli[row]!,
      memMiB: at.memMiB[row]!,
      groupFits,
      freeDevicesOnly: jobs.migProfiles.length > 0,
      devicesOnly:
        at.gpus[row]! > 0 &&
        at.shareMilli[row] === 0 &&
        at.mig[row] === 0 &&
        at.cpuMilli[row] === 0 &&
        at.memMiB[row] === 0 &&
        !groupFits.includes(0),
    });
  }
  const flags = jobs.at.flags[jobIdx]!;
  const wish =
    flags & JobFlag.sameNvswitch ? "nvswitch" : flags & JobFlag.sameLeaf ? "leaf" : "none";
  return { parts, members, gpuTotal: jobs.at.gpuTotal[jobIdx]!, gpusWhole, wish };
}
