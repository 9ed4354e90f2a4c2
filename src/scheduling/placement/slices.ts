/**
 * Where MIG slices go. Instances do not move, so the order of creation decides what fits later: a 3g at the first place leaves no 4g.
 *
 * - first fit: the first GPU in use that has a place, at its lowest place; else the first free GPU.
 * - best fit: GPUs in use before free ones; among them the place that takes least from the profiles of the workload: for each profile the
 *   starts that are lost, weighed by how often it is asked for. Ties: lower GPU, then lower place.
 * - search: as best fit, and the slices of one job are placed most constrained first (largest, then fewest starts), which finds a layout
 *   wherever there is one (the tests try all of them).
 *
 * O(GPUs of a node × starts × profiles) a slice. Pathology of first fit: "3g, then 4g" strands a GPU. Source: NVIDIA MIG user guide;
 * the measure is that of Weng et al. (FGD, ATC 2023) in small.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { MIG_SLICES, migShape, sliceMask } from "../../model/mig.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity } from "./capacity.ts";
import type { NodeRules } from "./nodeRules.ts";
import type { Part } from "./shapes.ts";

/** `Placing.milli` and `Grant.part` of a slice that starts at 0. */
export const FIRST_SLICE = 1_001;
const MILLI_PER_SLICE = WHOLE_DEVICE / MIG_SLICES;

/** Places of each profile of a workload on each node group: `group × profiles + profile`. */
export interface SliceTable {
  readonly profiles: number;
  readonly slices: Uint8Array;
  /** Bits of allowed starts. */
  readonly starts: Uint8Array;
  /** Members that ask for the profile. */
  readonly weight: Float64Array;
}

const tables = new WeakMap<JobTable, { cluster: Cluster; count: number; table: SliceTable }>();

/** O(components) the first time, then O(1). */
export function sliceTable(jobs: JobTable, cluster: Cluster): SliceTable {
  const known = tables.get(jobs);
  if (known?.cluster === cluster && known.count === jobs.count) return known.table;
  const profiles = jobs.migProfiles.length;
  const table: SliceTable = {
    profiles,
    slices: new Uint8Array(cluster.groups.length * profiles),
    starts: new Uint8Array(cluster.groups.length * profiles),
    weight: new Float64Array(profiles),
  };
  cluster.groups.forEach((group, g) => {
    jobs.migProfiles.forEach((profile, p) => {
      const { slices, starts } = migShape(group.gpuModel, group.gpuMemMiB, profile);
      table.slices[g * profiles + p] = slices;
      for (const start of starts)
        table.starts[g * profiles + p] = table.starts[g * profiles + p]! | (1 << start);
    });
  });
  const { mig, members } = jobs.components;
  for (let row = 0; row < mig.length && profiles > 0; row++) {
    const profile = mig[row]! - 1;
    if (profile >= 0) table.weight[profile] = table.weight[profile]! + members[row]!;
  }
  tables.set(jobs, { cluster, count: jobs.count, table });
  return table;
}

/** Slices of a part on a node. */
export function slicesOn(part: Part, cluster: Cluster, node: number): number {
  const { profiles, slices } = part.sliceTable!;
  return slices[cluster.nodeGroup[node]! * profiles + part.mig - 1]!;
}

/** The share of a device that so many slices are, in 1/1,000. */
export function milliOfSlices(slices: number): number {
  return slices * MILLI_PER_SLICE;
}

/** Members that the devices of a node can hold, at most `most`; each member takes the lowest place that is left. O(devices × 8). */
export function sliceRoom(capacity: Capacity, node: number, part: Part, most: number): number {
  const { deviceBase, nodeGroup } = capacity.cluster;
  const { profiles, slices, starts } = part.sliceTable!;
  const at = nodeGroup[node]! * profiles + part.mig - 1;
  let members = 0;
  const end = deviceBase[node + 1]!;
  for (let device = deviceBase[node]!; device < end && members < most; device++) {
    if (!mayBeSliced(capacity, device)) continue;
    let used = capacity.sliceUsed[device]!;
    for (let start = 0; start < MIG_SLICES; start++) {
      const mask = sliceMask(slices[at]!, start);
      if (((starts[at]! >> start) & 1) === 0 || (used & mask) !== 0) continue;
      used |= mask;
      members++;
    }
  }
  return Math.min(members, most);
}

/** A device that nobody uses, or only slices do. */
function mayBeSliced(capacity: Capacity, device: number): boolean {
  return capacity.deviceUsed[device] === 0 || capacity.sliceUsed[device] !== 0;
}

/** Where the last `choosePlace` found one. */
export const chosen = { device: -1, start: -1 };

/**
 * The place of one more slice on a node whose devices use the bits that `usedOf` says; false if there is none. Answer in `chosen`.
 */
export function choosePlace(
  capacity: Capacity,
  node: number,
  part: Part,
  packing: NodeRules["slicePacking"],
  usedOf: (device: number) => number,
): boolean {
  const { deviceBase, nodeGroup } = capacity.cluster;
  const { profiles, slices, starts } = part.sliceTable!;
  const group = nodeGroup[node]!;
  const size = slices[group * profiles + part.mig - 1]!;
  const allowed = starts[group * profiles + part.mig - 1]!;
  const first = packing === "firstFit";
  chosen.device = -1;
  let best = Number.POSITIVE_INFINITY;
  const end = deviceBase[node + 1]!;
  for (const inUse of [true, false]) {
    for (let device = deviceBase[node]!; device < end; device++) {
      if (!mayBeSliced(capacity, device)) continue;
      const used = usedOf(device);
      if ((used !== 0) !== inUse) continue;
      for (let start = 0; start < MIG_SLICES; start++) {
        const mask = sliceMask(size, start);
        if (((allowed >> start) & 1) === 0 || (used & mask) !== 0) continue;
        const damage = first ? 0 : damageOf(part.sliceTable!, group, used, mask);
        if (damage >= best) continue;
        best = damage;
        chosen.device = device;
        chosen.start = start;
        if (first) return true;
      }
    }
    if (chosen.device >= 0) return true;
  }
  return false;
}

/** Starts that profiles of the workload lose when these places are taken, weighed by members and size; a little for each place itself. */
function damageOf(table: SliceTable, group: number, used: number, mask: number): number {
  let damage = 0;
  for (let profile = 0; profile < table.profiles; profile++) {
    const at = group * table.profiles + profile;
    const weight = table.weight[profile]! * table.slices[at]!;
    for (let start = 0; start < MIG_SLICES; start++) {
      if (((table.starts[at]! >> start) & 1) === 0) continue;
      const place = sliceMask(table.slices[at]!, start);
      if ((used & place) === 0 && (mask & place) !== 0) damage += weight;
    }
  }
  return damage;
}

/** The order in which the parts of a job are placed: as listed, or most constrained first. */
export function partOrder(parts: readonly Part[], cluster: Cluster): readonly number[] {
  const order = parts.map((_, i) => i);
  if (parts.every((part) => part.mig === 0 || part.rules.slicePacking !== "search")) return order;
  const constraint = (i: number): number => {
    const part = parts[i]!;
    if (part.mig === 0) return Number.MAX_SAFE_INTEGER;
    let size = 0;
    let starts = MIG_SLICES;
    for (let group = 0; group < cluster.groups.length; group++) {
      if (part.groupFits[group] === 0) continue;
      const at = group * part.sliceTable!.profiles + part.mig - 1;
      size = Math.max(size, part.sliceTable!.slices[at]!);
      starts = Math.min(starts, bitsOf(part.sliceTable!.starts[at]!));
    }
    return size * 2 * MIG_SLICES - starts;
  };
  return order.sort((a, b) => constraint(b) - constraint(a) || a - b);
}

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
