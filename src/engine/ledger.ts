/**
 * The books of the cluster: who uses how much of each device, CPU and MiB, which nodes are open, and the indexes by which
 * schedulers find free devices. Every change costs O(what changed) and checks that no device is given out twice.
 *
 * `gpusFree` and the free index show only open nodes; what is free on a closed node is kept aside and shows up again when it
 * opens. A device is used as a whole, in shares of 1/1,000 or in MIG slices (eighths at fixed places), never mixed.
 */
import { allSet, clearBits, hasBit, nextClear, nextSet, setBits, wordsFor } from "../base/bits.ts";
import { IntList } from "../base/intList.ts";
import type { Cluster, NodeGroupInfo } from "../model/cluster.ts";
import { MIG_SLICES, migShape, sliceMask } from "../model/mig.ts";
import { NodeStateCode } from "../model/states.ts";
import { WHOLE_DEVICE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import { PoolFreeIndex } from "./freeIndex.ts";
import type { Grant } from "./grant.ts";

/** Part codes of a grant (`grant.ts`): up to here a share, above a MIG slice at `part − MIG_PART`. */
export const MIG_PART = 1_001;

/** A decision or an event broke physics: throws at once, with the stack of who asked for it. */
export function broken(message: string): never {
  throw new Error(`Invariant broken: ${message}`);
}

export class Ledger {
  readonly gpusFree: Int32Array;
  readonly cpuMilliFree: Int32Array;
  /** Of what is not free: held by members that have devices, or parts of them. */
  readonly cpuMilliAtDevices: Int32Array;
  readonly memMiBFree: Int32Array;
  readonly nodeState: Uint8Array;
  readonly deviceUsed: Uint16Array;
  readonly poolOfNode: Uint8Array;
  /** As it is labelled now (`labels.ts`). */
  cluster: Cluster;
  readonly poolGpusFree: Int32Array;
  readonly poolGpusOpen: Int32Array;
  readonly freeIndexes: readonly PoolFreeIndex[];
  /** Nodes of each pool, ascending; a list is replaced when a node changes pool. */
  readonly nodesOfPool: Int32Array[];
  /** Whole devices free on each node, open or not. */
  readonly #free: Int32Array;
  readonly #freeBits: Int32Array;
  /** Bits of the eighths that MIG slices use on each device. */
  readonly sliceUsed: Uint8Array;
  /** Eighths by node group and profile. */
  readonly #migSlices: Uint8Array;
  /** Bits of the starts that the driver accepts, likewise. */
  readonly #migStarts: Uint8Array;
  readonly #world: World;
  readonly #runStart = new IntList();
  readonly #runLength = new IntList();

  constructor(world: World) {
    const { cluster, pools, poolOfNode } = world;
    this.#world = world;
    this.cluster = cluster;
    this.#migSlices = Uint8Array.from(
      cluster.groups.flatMap((group) =>
        world.jobs.migProfiles.map(
          (profile) => migShape(group.gpuModel, group.gpuMemMiB, profile).slices,
        ),
      ),
    );
    this.#migStarts = Uint8Array.from(
      cluster.groups.flatMap((group) =>
        world.jobs.migProfiles.map((profile) => migStartBits(group, profile)),
      ),
    );
    this.gpusFree = new Int32Array(cluster.nodeCount);
    this.cpuMilliFree = new Int32Array(cluster.nodeCount);
    this.cpuMilliAtDevices = new Int32Array(cluster.nodeCount);
    this.memMiBFree = new Int32Array(cluster.nodeCount);
    this.nodeState = new Uint8Array(cluster.nodeCount);
    this.deviceUsed = new Uint16Array(cluster.deviceCount);
    this.sliceUsed = new Uint8Array(cluster.deviceCount);
    this.poolOfNode = poolOfNode.slice();
    this.poolGpusFree = new Int32Array(pools.length);
    this.poolGpusOpen = new Int32Array(pools.length);
    this.#free = new Int32Array(cluster.nodeCount);
    this.#freeBits = new Int32Array(wordsFor(cluster.deviceCount));
    setBits(this.#freeBits, 0, cluster.deviceCount);
    this.nodesOfPool = pools.map((_, pool) => nodesOf(poolOfNode, pool));
    this.freeIndexes = this.nodesOfPool.map((nodes) => {
      let maxFree = 0;
      for (const node of nodes) maxFree = Math.max(maxFree, this.devicesOf(node));
      return new PoolFreeIndex(cluster.nodeCount, maxFree);
    });
    for (let node = 0; node < cluster.nodeCount; node++) this.#fill(node);
  }

  devicesOf(node: number): number {
    const base = this.#world.cluster.deviceBase;
    return base[node + 1]! - base[node]!;
  }

  /** Takes part of a node: devices `device … device+count−1` (global; −1 = none), CPUs and memory, for members of the component `row`. Throws if any is not free. */
  take(
    node: number,
    device: number,
    count: number,
    part: number,
    row: number,
    cpuMilli: number,
    memMiB: number,
  ): void {
    if (cpuMilli > this.cpuMilliFree[node]! || memMiB > this.memMiBFree[node]!) {
      broken(`node ${node} has too few CPUs or too little memory`);
    }
    this.cpuMilliFree[node] = this.cpuMilliFree[node]! - cpuMilli;
    const { components } = this.#world.jobs;
    if (components.gpus[row]! > 0)
      this.cpuMilliAtDevices[node] = this.cpuMilliAtDevices[node]! + cpuMilli;
    this.memMiBFree[node] = this.memMiBFree[node]! - memMiB;
    if (count === 0) return;
    if (part !== 0) {
      this.#takePart(node, device, part, components.mig[row]!);
      return;
    }
    if (!allSet(this.#freeBits, device, device + count))
      broken(`device ${device} (${count}) of node ${node} given twice`);
    clearBits(this.#freeBits, device, device + count);
    this.deviceUsed.fill(WHOLE_DEVICE, device, device + count);
    this.#changeFree(node, -count);
  }

  /** The reverse of `take`. */
  give(
    node: number,
    device: number,
    count: number,
    part: number,
    row: number,
    cpuMilli: number,
    memMiB: number,
  ): void {
    this.cpuMilliFree[node] = this.cpuMilliFree[node]! + cpuMilli;
    const { components } = this.#world.jobs;
    if (components.gpus[row]! > 0)
      this.cpuMilliAtDevices[node] = this.cpuMilliAtDevices[node]! - cpuMilli;
    this.memMiBFree[node] = this.memMiBFree[node]! + memMiB;
    if (count === 0) return;
    if (part !== 0) {
      this.#givePart(node, device, part, components.mig[row]!);
      return;
    }
    setBits(this.#freeBits, device, device + count);
    this.deviceUsed.fill(0, device, device + count);
    this.#changeFree(node, count);
  }

  /** Uses of one device in 1/1,000 by an allocation with this part. */
  milliOf(node: number, part: number, profile: number): number {
    if (part === 0) return WHOLE_DEVICE;
    return part < MIG_PART ? part : (this.#slicesOf(node, profile) * WHOLE_DEVICE) / MIG_SLICES;
  }

  setNodeState(node: number, state: number): void {
    const wasOpen = this.nodeState[node] === NodeStateCode.open;
    const isOpen = state === NodeStateCode.open;
    this.nodeState[node] = state;
    if (wasOpen === isOpen) return;
    const pool = this.poolOfNode[node]!;
    const sign = isOpen ? 1 : -1;
    const free = this.#free[node]!;
    this.poolGpusOpen[pool] = this.poolGpusOpen[pool]! + sign * this.devicesOf(node);
    this.poolGpusFree[pool] = this.poolGpusFree[pool]! + sign * free;
    this.gpusFree[node] = isOpen ? free : 0;
    if (isOpen) this.freeIndexes[pool]!.add(node, free);
    else this.freeIndexes[pool]!.remove(node, free);
  }

  /** An idle device cannot be had until `unblock`. */
  block(node: number, device: number): void {
    if (this.deviceUsed[device] !== 0) broken(`device ${device} of node ${node} is in use`);
    clearBits(this.#freeBits, device, device + 1);
    this.deviceUsed[device] = WHOLE_DEVICE;
    this.#changeFree(node, -1);
  }

  unblock(node: number, device: number): void {
    setBits(this.#freeBits, device, device + 1);
    this.deviceUsed[device] = 0;
    this.#changeFree(node, 1);
  }

  /** A node that is not open changes pool. O(nodes). */
  setPool(node: number, pool: number): void {
    if (this.nodeState[node] === NodeStateCode.open) broken(`node ${node} is open in its pool`);
    const before = this.poolOfNode[node]!;
    this.poolOfNode[node] = pool;
    this.nodesOfPool[before] = nodesOf(this.poolOfNode, before);
    this.nodesOfPool[pool] = nodesOf(this.poolOfNode, pool);
    this.freeIndexes[pool]!.widen(this.devicesOf(node));
  }

  /** Node and pool of the nodes that are not in the pool in which they began. O(nodes). */
  movedNodes(): [number, number][] {
    const moved: [number, number][] = [];
    this.poolOfNode.forEach((pool, node) => {
      if (pool !== this.#world.poolOfNode[node]) moved.push([node, pool]);
    });
    return moved;
  }

  /** See `PoolView.takeDevices`. Devices that `into` already names on this node are not handed out again. */
  takeDevices(
    node: number,
    count: number,
    component: number,
    members: number,
    into: Grant,
  ): boolean {
    if (count > this.gpusFree[node]!) return false;
    if (count === 0) {
      into.push(component, node, -1, 0, 0, members);
      return true;
    }
    const rows = into.length;
    const base = this.#world.cluster.deviceBase[node]!;
    let masked = 0;
    for (let row = 0; row < rows; row++) {
      if (into.node[row] !== node || into.count[row] === 0) continue;
      const first = base + into.first[row]!;
      if (!hasBit(this.#freeBits, first)) continue;
      clearBits(this.#freeBits, first, first + into.count[row]!);
      masked += into.count[row]!;
    }
    const fits = count + masked <= this.gpusFree[node]!;
    if (fits) this.#pick(node, count, component, members, into);
    for (let row = 0; masked > 0 && row < rows; row++) {
      if (into.node[row] !== node || into.count[row] === 0) continue;
      const first = base + into.first[row]!;
      if (this.deviceUsed[first] === 0) setBits(this.#freeBits, first, first + into.count[row]!);
    }
    return fits;
  }

  #pick(node: number, count: number, component: number, members: number, into: Grant): void {
    const base = this.#world.cluster.deviceBase[node]!;
    const end = this.#world.cluster.deviceBase[node + 1]!;
    if (this.#world.cluster.flat) {
      this.#pickFlat(node, base, end, count, component, members, into);
      return;
    }
    let left = count;
    let from = base;
    let carried = members;
    while (left > 0) {
      const first = nextSet(this.#freeBits, from, end);
      const after = nextClear(this.#freeBits, first, Math.min(end, first + left));
      into.push(component, node, first - base, after - first, 0, carried);
      carried = 0;
      left -= after - first;
      from = after;
    }
  }

  /** The smallest run that holds what is left, lowest first; where none does, the longest run, and again. */
  #pickFlat(
    node: number,
    base: number,
    end: number,
    count: number,
    component: number,
    members: number,
    into: Grant,
  ): void {
    const starts = this.#runStart;
    const lengths = this.#runLength;
    starts.clear();
    lengths.clear();
    let at = nextSet(this.#freeBits, base, end);
    while (at < end) {
      const after = nextClear(this.#freeBits, at, end);
      starts.push(at);
      lengths.push(after - at);
      at = nextSet(this.#freeBits, after, end);
    }
    let left = count;
    let carried = members;
    while (left > 0) {
      const run = bestRun(lengths, left);
      const taken = Math.min(left, lengths.at[run]!);
      into.push(component, node, starts.at[run]! - base, taken, 0, carried);
      lengths.at[run] = 0;
      carried = 0;
      left -= taken;
    }
  }

  #takePart(node: number, device: number, part: number, profile: number): void {
    const used = this.deviceUsed[device]!;
    const milli = this.milliOf(node, part, profile);
    if (used + milli > WHOLE_DEVICE) broken(`more than the whole of device ${device} given out`);
    const sliced = this.sliceUsed[device] !== 0;
    if (part >= MIG_PART) {
      if (used > 0 && !sliced) broken(`device ${device} is shared and cannot be sliced`);
      const mask = this.#sliceMask(node, part, profile);
      if ((this.sliceUsed[device]! & mask) !== 0) broken(`MIG slices overlap on device ${device}`);
      this.#checkStart(node, part - MIG_PART, profile);
      this.sliceUsed[device] = this.sliceUsed[device]! | mask;
    } else if (sliced) broken(`device ${device} is sliced and cannot be shared`);
    this.deviceUsed[device] = used + milli;
    if (used > 0) return;
    clearBits(this.#freeBits, device, device + 1);
    this.#changeFree(node, -1);
  }

  #givePart(node: number, device: number, part: number, profile: number): void {
    const left = this.deviceUsed[device]! - this.milliOf(node, part, profile);
    this.deviceUsed[device] = left;
    if (part >= MIG_PART)
      this.sliceUsed[device] = this.sliceUsed[device]! & ~this.#sliceMask(node, part, profile);
    if (left > 0) return;
    setBits(this.#freeBits, device, device + 1);
    this.#changeFree(node, 1);
  }

  #slicesOf(node: number, profile: number): number {
    const { cluster, jobs } = this.#world;
    return this.#migSlices[cluster.nodeGroup[node]! * jobs.migProfiles.length + profile - 1]!;
  }

  #checkStart(node: number, start: number, profile: number): void {
    const { cluster, jobs } = this.#world;
    const bits = this.#migStarts[cluster.nodeGroup[node]! * jobs.migProfiles.length + profile - 1]!;
    if (((bits >> start) & 1) === 0)
      broken(`a MIG slice ${jobs.migProfiles[profile - 1]} cannot start at ${start} on this GPU`);
  }

  #sliceMask(node: number, part: number, profile: number): number {
    const start = part - MIG_PART;
    const slices = this.#slicesOf(node, profile);
    if (start + slices > MIG_SLICES)
      broken(`a MIG slice of ${slices} eighths cannot start at ${start}`);
    return sliceMask(slices, start);
  }

  #changeFree(node: number, delta: number): void {
    const before = this.#free[node]!;
    const after = before + delta;
    this.#free[node] = after;
    if (this.nodeState[node] !== NodeStateCode.open) return;
    const pool = this.poolOfNode[node]!;
    this.gpusFree[node] = after;
    this.poolGpusFree[pool] = this.poolGpusFree[pool]! + delta;
    this.freeIndexes[pool]!.remove(node, before);
    this.freeIndexes[pool]!.add(node, after);
  }

  #fill(node: number): void {
    const { cluster } = this.#world;
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    const devices = this.devicesOf(node);
    this.cpuMilliFree[node] = group.cpusPerNode * 1_000;
    this.memMiBFree[node] = group.memMiBPerNode;
    this.#free[node] = devices;
    this.gpusFree[node] = devices;
    const pool = this.poolOfNode[node]!;
    this.poolGpusFree[pool] = this.poolGpusFree[pool]! + devices;
    this.poolGpusOpen[pool] = this.poolGpusOpen[pool]! + devices;
    this.freeIndexes[pool]!.add(node, devices);
  }
}

function migStartBits(group: NodeGroupInfo, profile: string): number {
  const { starts } = migShape(group.gpuModel, group.gpuMemMiB, profile);
  return starts.reduce((bits, start) => bits | (1 << start), 0);
}

function nodesOf(poolOfNode: Uint8Array, pool: number): Int32Array {
  const nodes = new IntList();
  for (let node = 0; node < poolOfNode.length; node++)
    if (poolOfNode[node] === pool) nodes.push(node);
  return nodes.copy();
}

function bestRun(lengths: IntList, wanted: number): number {
  let best = 0;
  for (let run = 1; run < lengths.length; run++) {
    const length = lengths.at[run]!;
    const current = lengths.at[best]!;
    if (current >= wanted ? length >= wanted && length < current : length > current) best = run;
  }
  return best;
}
