/**
 * What one pod asks of a node, interned over the components of all jobs: where one pod of a shape finds no node, no other does. Derived from the job table alone
 * and kept beside it. Wishes to be under one leaf or in one NVSwitch domain, and nodes for oneself, are nothing that kube-scheduler knows of devices: left out. O(components)
 * once.
 */
import type { Cluster } from "../../../model/cluster.ts";
import type { JobTable } from "../../../model/jobs.ts";
import type { NodeWish } from "../../../model/lab/jobLife.ts";
import { type NodeRules, PLAIN_RULES } from "../../../scheduling/placement/nodeRules.ts";
import type { Part } from "../../../scheduling/placement/shapes.ts";
import { sliceTable } from "../../../scheduling/placement/slices.ts";

/** Amounts by resource: CPUs in 1/1,000, MiB, whole devices. */
export type Amounts = readonly [cpuMilli: number, memMiB: number, gpus: number];
export const CPU = 0;
export const MEMORY = 1;
export const GPU = 2;

export interface PodShape {
  readonly part: Part;
  /** What it asks for, and for scoring the same with 100 millicores and 200 MiB where it asks for none. */
  readonly request: Amounts;
  readonly counted: Amounts;
  /** Bits of what it asks for: pods that free none of it cannot help. */
  readonly kinds: number;
}

export const Kind = { cpu: 1, memory: 2, gpu: 4, share: 8, slice: 16 } as const;

export interface PodShapes {
  readonly list: readonly PodShape[];
  /** By row of the component table. */
  readonly ofRow: Uint32Array;
  readonly jobOfRow: Uint32Array;
  /** 1 where pods of one component keep apart and two of them would fit on some node. */
  readonly apart: Uint8Array;
}

const STANDARD_CPU_MILLI = 100;
const STANDARD_MEM_MIB = 200;
const RULES: NodeRules = { ...PLAIN_RULES, slicePacking: "firstFit" };

const known = new WeakMap<JobTable, { readonly cluster: Cluster; readonly shapes: PodShapes }>();

/** The pod shapes of a job table on a cluster. */
export function podShapes(jobs: JobTable, cluster: Cluster): PodShapes {
  const found = known.get(jobs);
  const rows = jobs.at.firstComponent[jobs.count]!;
  if (found?.cluster === cluster && found.shapes.ofRow.length === rows) return found.shapes;
  const shapes = intern(jobs, cluster, rows);
  known.set(jobs, { cluster, shapes });
  return shapes;
}

function intern(jobs: JobTable, cluster: Cluster, rows: number): PodShapes {
  const list: PodShape[] = [];
  const byKey = new Map<string, number>();
  const ofRow = new Uint32Array(rows);
  const jobOfRow = new Uint32Array(rows);
  const apart = new Uint8Array(rows);
  const { gpus, shareMilli, mig, cpuMilli, memMiB, gpuModel, ownNode, members } = jobs.components;
  for (let jobIdx = 0; jobIdx < jobs.count; jobIdx++) {
    const wish = jobs.lab.size === 0 ? null : (jobs.lab.get(jobIdx)?.nodes ?? null);
    const wishKey = wish === null ? "" : JSON.stringify([wish.labels, wish.models]);
    const end = jobs.at.firstComponent[jobIdx + 1]!;
    for (let row = jobs.at.firstComponent[jobIdx]!; row < end; row++) {
      const key = `${gpus[row]}|${shareMilli[row]}|${mig[row]}|${cpuMilli[row]}|${memMiB[row]}|${gpuModel[row]}${wishKey}`;
      let shape = byKey.get(key);
      if (shape === undefined) {
        shape = list.length;
        byKey.set(key, shape);
        list.push(readShape(jobs, cluster, row, wish));
      }
      ofRow[row] = shape;
      jobOfRow[row] = jobIdx;
      if (ownNode[row] === 1 && members[row]! > 1 && twoFit(list[shape]!, cluster)) apart[row] = 1;
    }
  }
  return { list, ofRow, jobOfRow, apart };
}

function readShape(jobs: JobTable, cluster: Cluster, row: number, wish: NodeWish | null): PodShape {
  const at = jobs.components;
  const model = at.gpuModel[row]! === 0 ? null : jobs.gpuModels[at.gpuModel[row]! - 1];
  const groupFits = Uint8Array.from(cluster.groups, (group) => {
    if (model !== null && group.gpuModel !== model) return 0;
    if (wish === null) return 1;
    if (Object.entries(wish.labels).some(([label, value]) => group.labels[label] !== value))
      return 0;
    const { models } = wish;
    return models.length === 0 || models.some((entry) => entry.model === group.gpuModel) ? 1 : 0;
  });
  const shareMilli = at.shareMilli[row]!;
  const mig = at.mig[row]!;
  const cpuMilli = at.cpuMilli[row]!;
  const memMiB = at.memMiB[row]!;
  const whole = shareMilli === 0 && mig === 0 ? at.gpus[row]! : 0;
  const part: Part = {
    members: 1,
    gpus: at.gpus[row]!,
    shareMilli,
    mig,
    ownNode: false,
    cpuMilli,
    memMiB,
    groupFits,
    freeDevicesOnly: false,
    devicesOnly: false,
    exclusive: null,
    rules: RULES,
    sliceTable: mig === 0 ? null : sliceTable(jobs, cluster),
  };
  return {
    part,
    request: [cpuMilli, memMiB, whole],
    counted: [cpuMilli || STANDARD_CPU_MILLI, memMiB || STANDARD_MEM_MIB, whole],
    kinds:
      (cpuMilli > 0 ? Kind.cpu : 0) |
      (memMiB > 0 ? Kind.memory : 0) |
      (whole > 0 ? Kind.gpu : 0) |
      (shareMilli > 0 ? Kind.share : 0) |
      (mig > 0 ? Kind.slice : 0),
  };
}

/** Whether some node could carry two pods of the shape. */
function twoFit({ part, request: [, , gpus] }: PodShape, cluster: Cluster): boolean {
  return cluster.groups.some(
    (group, at) => part.groupFits[at] === 1 && (gpus === 0 || group.gpusPerNode >= 2 * gpus),
  );
}
