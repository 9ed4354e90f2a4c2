/**
 * Devices that work holds by node, for each queue and priority, of what may be evicted at all: with what is free, an upper bound of what evictions can make of a node. A job that would
 * not fit even then is not searched for. Follows from what runs: a copy makes it anew when it is asked. Changes O(entries of the job), a bound O(nodes × queues × priorities).
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { NodeStateCode } from "../../model/states.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";

/** What nodes could have free at most. Belongs to `Bounds`: not to be kept. */
export class Bound {
  /** Devices by node. */
  readonly free: Int32Array;
  /** Open nodes of the pool, by group of the cluster and devices. */
  readonly #tally: Int32Array;
  readonly #width: number;
  #isTallied = false;

  constructor({ groups, nodeCount, deviceBase }: Cluster) {
    let most = 0;
    for (let node = 0; node < nodeCount; node++)
      most = Math.max(most, deviceBase[node + 1]! - deviceBase[node]!);
    this.#width = most + 1;
    this.free = new Int32Array(nodeCount);
    this.#tally = new Int32Array(groups.length * this.#width);
  }

  /** Begins with what is free. */
  begin(gpusFree: Int32Array): void {
    this.free.set(gpusFree);
    this.#isTallied = false;
  }

  /** Could so many members of a part find nodes? True where devices alone do not tell. O(nodes) the first time, then O(groups × devices of a node). Not to be changed any more once asked. */
  fits(sketch: Sketch, part: Part, members: number): boolean {
    if (!isWhole(part)) return true;
    if (!this.#isTallied) this.#count(sketch);
    const { groupFits, gpus, ownNode } = part;
    let left = members;
    for (let group = 0; group < groupFits.length && left > 0; group++) {
      if (groupFits[group] === 0) continue;
      const from = group * this.#width;
      for (let devices = gpus; devices < this.#width; devices++)
        left -= this.#tally[from + devices]! * (ownNode ? 1 : Math.floor(devices / gpus));
    }
    return left <= 0;
  }

  #count({ nodes, nodeState, cluster }: Sketch): void {
    const tally = this.#tally.fill(0);
    const { nodeGroup } = cluster;
    const most = this.#width - 1;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (nodeState[node] !== NodeStateCode.open) continue;
      const at = nodeGroup[node]! * this.#width + Math.min(most, this.free[node]!);
      tally[at] = tally[at]! + 1;
    }
    this.#isTallied = true;
  }
}

/** Bounds by question, and earlier ones to use again. */
export class Bounds {
  readonly #cluster: Cluster;
  readonly #known = new Map<number, Bound>();
  readonly #spare: Bound[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** A bound that holds until `clear`; `fill` adds to what is free. */
  kept(key: number, { gpusFree }: Sketch, fill: (free: Int32Array) => void): Bound {
    let bound = this.#known.get(key);
    if (bound !== undefined) return bound;
    bound = this.#spare.pop() ?? new Bound(this.#cluster);
    bound.begin(gpusFree);
    fill(bound.free);
    this.#known.set(key, bound);
    return bound;
  }

  /** Somebody was told to leave, or has taken a place: nothing is known any more. */
  clear(): void {
    if (this.#known.size === 0) return;
    this.#spare.push(...this.#known.values());
    this.#known.clear();
  }
}

/** Where a run holds devices: node and count in turn. */
export type DevicesOn = Int32Array;

export interface HeldOn {
  readonly nodes: number;
  /** By queue, then by priority. */
  readonly byQueue: Map<number, Int32Array>[];
}

export function createHeldOn(nodes: number, queues: number): HeldOn {
  return { nodes, byQueue: Array.from({ length: queues }, () => new Map<number, Int32Array>()) };
}

const holdings = new Grant();

export function devicesOn(view: PoolView, jobIdx: number): DevicesOn {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const devices = new Int32Array(holdings.length * 2);
  for (let row = 0; row < holdings.length; row++) {
    devices[row * 2] = holdings.node[row]!;
    devices[row * 2 + 1] = holdings.count[row]!;
  }
  return devices;
}

export function shiftHeldOn(
  { nodes, byQueue }: HeldOn,
  queueIdx: number,
  priority: number,
  devices: DevicesOn,
  sign: number,
): void {
  const ofQueue = byQueue[queueIdx]!;
  let held = ofQueue.get(priority);
  if (held === undefined) {
    held = new Int32Array(nodes);
    ofQueue.set(priority, held);
  }
  addDevices(held, devices, sign);
}

export function addDevices(to: Int32Array, devices: DevicesOn, sign = 1): void {
  for (let at = 0; at < devices.length; at += 2) {
    const node = devices[at]!;
    to[node] = to[node]! + sign * devices[at + 1]!;
  }
}

/** Adds the devices of all such work by node. */
export function addHeld(
  to: Int32Array,
  { byQueue }: HeldOn,
  may: (queueIdx: number, priority: number) => boolean,
): void {
  for (let queueIdx = 0; queueIdx < byQueue.length; queueIdx++)
    for (const [priority, held] of byQueue[queueIdx]!)
      if (may(queueIdx, priority))
        for (let node = 0; node < held.length; node++) to[node] = to[node]! + held[node]!;
}

/** Members of whole devices: a bound tells of them. */
export function isWhole({ gpus, shareMilli, mig }: Part): boolean {
  return gpus > 0 && shareMilli === 0 && mig === 0;
}
