/**
 * Devices that work holds by node, for each queue and priority, of what may be evicted at all: with what is free, an upper bound of what evictions can make of a node. A job that would
 * not fit even then is not searched for. Follows from what runs: a copy makes it anew when it is asked. Changes O(entries of the job), a bound O(nodes × queues × priorities).
 */

import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";

/** Free devices by node at most. */
export type Bound = Int32Array;

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

/** What nodes could have free at most if all such work left. */
export function boundOf(
  { gpusFree }: Sketch,
  { byQueue }: HeldOn,
  may: (queueIdx: number, priority: number) => boolean,
): Bound {
  const bound = gpusFree.slice();
  for (const [queueIdx, ofQueue] of byQueue.entries())
    for (const [priority, held] of ofQueue)
      if (may(queueIdx, priority))
        for (let node = 0; node < held.length; node++) bound[node] = bound[node]! + held[node]!;
  return bound;
}

/** Members of whole devices: a bound tells of them. */
export function isWhole({ gpus, shareMilli, mig }: Part): boolean {
  return gpus > 0 && shareMilli === 0 && mig === 0;
}

/** Could so many members of a part find nodes with so many devices free? True where devices alone do not tell. O(nodes). */
export function fitsBound(
  { nodes, nodeState, cluster }: Sketch,
  bound: Bound,
  part: Part,
  members: number,
): boolean {
  if (!isWhole(part)) return true;
  let left = members;
  for (let i = 0; i < nodes.length && left > 0; i++) {
    const node = nodes[i]!;
    if (bound[node]! < part.gpus) continue;
    if (nodeState[node] !== 0 || part.groupFits[cluster.nodeGroup[node]!] === 0) continue;
    left -= part.ownNode ? 1 : Math.floor(bound[node]! / part.gpus);
  }
  return left <= 0;
}
