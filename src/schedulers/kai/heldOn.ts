/**
 * Devices that preemptible work holds by node, for each queue and priority: with what is free, an upper bound of what evictions can make of a node. A job that would not fit even then is
 * not searched for. Follows from what runs: a copy makes it anew when it is asked. Changes O(entries of the job), a bound O(nodes × queues × priorities).
 */

import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";

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
  for (let at = 0; at < devices.length; at += 2) {
    const node = devices[at]!;
    held[node] = held[node]! + sign * devices[at + 1]!;
  }
}

let bound = new Int32Array(0);

/** Could so many members of a part find nodes if all preemptible work left that `may` names? True where devices alone do not tell. */
export function couldFit(
  board: NodeBoard,
  { byQueue }: HeldOn,
  may: (queueIdx: number, priority: number) => boolean,
  part: Part,
  members: number,
): boolean {
  if (part.gpus === 0 || part.shareMilli > 0 || part.mig > 0) return true;
  const { gpusFree, nodes, nodeState, cluster } = board.sketch;
  if (bound.length < gpusFree.length) bound = new Int32Array(gpusFree.length);
  bound.set(gpusFree);
  for (const [queueIdx, ofQueue] of byQueue.entries())
    for (const [priority, held] of ofQueue)
      if (may(queueIdx, priority))
        for (let node = 0; node < held.length; node++) bound[node] = bound[node]! + held[node]!;
  let left = members;
  for (let i = 0; i < nodes.length && left > 0; i++) {
    const node = nodes[i]!;
    if (nodeState[node] !== 0 || part.groupFits[cluster.nodeGroup[node]!] === 0) continue;
    const fit = Math.floor(bound[node]! / part.gpus);
    left -= part.ownNode ? Math.min(1, fit) : fit;
  }
  return left <= 0;
}
