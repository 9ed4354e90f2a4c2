/**
 * Fragmentation of a node, as Weng et al. measure it (Beware of Fragmentation, ATC 2023): the GPU resources left on it that a member
 * drawn at random from the workload could not use. A member that does not fit (CPUs, GPU model, GPUs) can use none of what is left, and so
 * can one that needs no GPU; of one that fits, those devices are lost on which less is left than it asks for of each. Unit: 1/1,000 device.
 *
 *     F(node) = Σ over classes: popularity × (fits ? Σ devices with less left than asked : all that is left)
 *
 * Classes are members alike in CPUs, GPUs, share and models; the most frequent that together are 95 % of the workload count. Memory plays no
 * part, as in the artifact of the paper. A book keeps F of each node beside the state it is for, so only nodes that changed are
 * computed anew: O(devices) to find them, O(classes × devices) for each.
 */
import type { Cluster } from "../../model/cluster.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity } from "./capacity.ts";
import type { ClassMix, Part } from "./shapes.ts";
import { milliOfSlices } from "./slices.ts";

/** Part of all members that the classes counted make up at least. */
const POPULAR = 0.95;

export interface FragClass {
  readonly popularity: number;
  readonly cpuMilli: number;
  /** Devices of which so much each is asked for; 0 devices: CPUs alone. */
  readonly gpus: number;
  readonly milli: number;
  readonly groupFits: Uint8Array;
}

/** What is asked of each device. O(1) for whole devices and shares. */
export function milliOf(part: Part): number {
  if (part.shareMilli > 0) return part.shareMilli;
  if (part.mig === 0 || part.sliceTable === null) return WHOLE_DEVICE;
  const group = Math.max(0, part.groupFits.indexOf(1));
  const { profiles, slices } = part.sliceTable;
  return milliOfSlices(slices[group * profiles + part.mig - 1]!);
}

/** The frequent classes of a workload, most frequent first; ties by CPUs, share, devices. O(shapes × log). */
export function classesOf(mix: ClassMix): FragClass[] {
  const byKey = new Map<string, { weight: number; part: Part }>();
  let all = 0;
  for (const { part, weight } of mix.classes()) {
    const key = `${part.cpuMilli},${part.gpus},${milliOf(part)},${part.groupFits.join("")}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { weight, part });
    else known.weight += weight;
    all += weight;
  }
  const sorted = [...byKey.values()].sort(
    (a, b) =>
      b.weight - a.weight ||
      b.part.cpuMilli - a.part.cpuMilli ||
      milliOf(b.part) - milliOf(a.part) ||
      b.part.gpus - a.part.gpus,
  );
  let counted = 0;
  let classes = 0;
  while (classes < sorted.length && counted < POPULAR * all) counted += sorted[classes++]!.weight;
  return sorted.slice(0, classes).map(({ weight, part }) => ({
    popularity: weight / counted,
    cpuMilli: part.cpuMilli,
    gpus: part.gpus,
    milli: milliOf(part),
    groupFits: part.groupFits,
  }));
}

/** F of a node of a group with so many CPUs left, and `left[0 … count−1]` on its devices. O(classes × devices). */
export function fragmentationOf(
  classes: readonly FragClass[],
  group: number,
  cpuMilli: number,
  left: Int32Array,
  count: number,
): number {
  let all = 0;
  for (let i = 0; i < count; i++) all += left[i]!;
  if (all === 0) return 0;
  let sum = 0;
  for (const one of classes) {
    let lost = all;
    if (one.gpus > 0 && one.groupFits[group] === 1 && one.cpuMilli <= cpuMilli) {
      let hosts = 0;
      let small = 0;
      for (let i = 0; i < count; i++) {
        if (left[i]! < one.milli) small += left[i]!;
        else hosts += Math.floor(left[i]! / one.milli);
      }
      if (hosts >= one.gpus) lost = small;
    }
    sum += one.popularity * lost;
  }
  return sum;
}

/** F of every node, with the state that it is for. Derived: never part of a snapshot, and no answer depends on what was asked before. */
export class FragBook {
  readonly classes: readonly FragClass[];
  /** Some member asks for a part of a device: devices are looked at one by one. */
  readonly hasParts: boolean;
  /** Grows with each change that is noticed on a node: what was derived from an older number is stale. */
  readonly version: Int32Array;
  readonly ofNode: Float64Array;
  /** What is left on all devices of each node. */
  readonly leftOn: Int32Array;
  /** What is left on the devices of the node read last. */
  readonly left: Int32Array;
  readonly #cpu: Int32Array;
  readonly #free: Int32Array;
  readonly #used: Uint16Array;

  constructor(mix: ClassMix, cluster: Cluster) {
    this.classes = classesOf(mix);
    this.hasParts = mix
      .classes()
      .some(({ part }) => part.shareMilli > 0 || part.mig > 0 || part.rules.numa === "single");
    this.version = new Int32Array(cluster.nodeCount);
    this.ofNode = new Float64Array(cluster.nodeCount);
    this.leftOn = new Int32Array(cluster.nodeCount);
    this.#cpu = new Int32Array(cluster.nodeCount).fill(-1);
    this.#free = new Int32Array(cluster.nodeCount).fill(-1);
    this.#used = new Uint16Array(this.hasParts ? cluster.deviceCount : 0);
    let most = 0;
    for (let node = 0; node < cluster.nodeCount; node++)
      most = Math.max(most, cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!);
    this.left = new Int32Array(most);
  }

  /** Looks which nodes of a capacity differ from what is known, and computes those. O(nodes + devices). */
  follow(capacity: Capacity): void {
    const { nodes, cluster, gpusFree, cpuMilliFree, deviceUsed } = capacity;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      let same = this.#cpu[node] === cpuMilliFree[node] && this.#free[node] === gpusFree[node];
      if (same && this.hasParts) {
        const end = cluster.deviceBase[node + 1]!;
        for (let device = cluster.deviceBase[node]!; device < end && same; device++)
          same = this.#used[device] === deviceUsed[device];
      }
      if (!same) this.#compute(capacity, node);
    }
  }

  /** Fills `left` for a node; returns how many devices it has. */
  readLeft(capacity: Capacity, node: number): number {
    const { cluster, deviceUsed, gpusFree } = capacity;
    const base = cluster.deviceBase[node]!;
    const count = cluster.deviceBase[node + 1]! - base;
    for (let i = 0; i < count; i++) {
      if (this.hasParts) this.left[i] = WHOLE_DEVICE - deviceUsed[base + i]!;
      else this.left[i] = i < gpusFree[node]! ? WHOLE_DEVICE : 0;
    }
    return count;
  }

  #compute(capacity: Capacity, node: number): void {
    const { cluster, cpuMilliFree, gpusFree, deviceUsed } = capacity;
    const count = this.readLeft(capacity, node);
    const base = cluster.deviceBase[node]!;
    this.#cpu[node] = cpuMilliFree[node]!;
    this.#free[node] = gpusFree[node]!;
    if (this.hasParts) {
      for (let i = 0; i < count; i++) this.#used[base + i] = deviceUsed[base + i]!;
    }
    let all = 0;
    for (let i = 0; i < count; i++) all += this.left[i]!;
    this.leftOn[node] = all;
    const group = cluster.nodeGroup[node]!;
    this.ofNode[node] = fragmentationOf(this.classes, group, cpuMilliFree[node]!, this.left, count);
    this.version[node] = this.version[node]! + 1;
  }
}

const books = new WeakMap<ClassMix, FragBook>();

/** The book of a workload on its cluster. O(shapes + devices) the first time. */
export function bookOf(mix: ClassMix, cluster: Cluster): FragBook {
  let book = books.get(mix);
  if (book === undefined || book.version.length !== cluster.nodeCount) {
    book = new FragBook(mix, cluster);
    books.set(mix, book);
  }
  return book;
}

/** Part of what is left on the open nodes that a random member of the workload cannot use, 0 to 1; 0 where nothing is left. O(nodes), and devices that are shared. */
export function fragmentedPart(mix: ClassMix, capacity: Capacity): number {
  const book = bookOf(mix, capacity.cluster);
  book.follow(capacity);
  let lost = 0;
  let left = 0;
  for (let i = 0; i < capacity.nodes.length; i++) {
    const node = capacity.nodes[i]!;
    if (capacity.nodeState[node] !== 0) continue;
    lost += book.ofNode[node]!;
    left += book.leftOn[node]!;
  }
  // Popularities add up to 1 but for rounding.
  return left === 0 ? 0 : Math.min(1, lost / left);
}
