/**
 * What is free, node by node: now (the view itself is one), or in a sketch of another moment, for example when enough running
 * jobs will have ended. All placement rules and all backfills look through this one shape.
 */
import type { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Placing } from "./placing.ts";
import type { Part } from "./shapes.ts";
import { SortedNodes } from "./sortedNodes.ts";

export type Capacity = Pick<
  PoolView,
  | "cluster"
  | "nodes"
  | "gpusFree"
  | "cpuMilliFree"
  | "memMiBFree"
  | "nodeState"
  | "gpusFreeTotal"
  | "deviceUsed"
  | "freeIndex"
>;

/** The columns of a capacity alone. */
export type FreeParts = Pick<Capacity, "gpusFree" | "cpuMilliFree" | "memMiBFree" | "deviceUsed">;

/** A capacity of our own to try things on. Arrays are indexed by global node, as in the view. */
export interface Sketch extends Capacity {
  cluster: Cluster;
  nodes: Int32Array;
  gpusFree: Int32Array;
  cpuMilliFree: Int32Array;
  memMiBFree: Int32Array;
  nodeState: Uint8Array;
  gpusFreeTotal: number;
  deviceUsed: Uint16Array;
  freeIndex: SortedNodes;
}

/** An empty sketch for the nodes of a view: load it before use. O(nodes + devices). */
export function createSketch(view: Capacity): Sketch {
  const count = view.cluster.nodeCount;
  return {
    cluster: view.cluster,
    nodes: view.nodes,
    gpusFree: new Int32Array(count),
    cpuMilliFree: new Int32Array(count),
    memMiBFree: new Int32Array(count),
    nodeState: new Uint8Array(count),
    gpusFreeTotal: 0,
    deviceUsed: new Uint16Array(view.cluster.deviceCount),
    freeIndex: new SortedNodes(),
  };
}

/** Makes the sketch a copy of another capacity; its index is not built. O(nodes), O(devices) `withParts`. */
export function loadSketch(sketch: Sketch, from: Capacity, withParts: boolean): void {
  sketch.nodes = from.nodes;
  sketch.gpusFree.set(from.gpusFree);
  sketch.cpuMilliFree.set(from.cpuMilliFree);
  sketch.memMiBFree.set(from.memMiBFree);
  sketch.nodeState.set(from.nodeState);
  sketch.gpusFreeTotal = from.gpusFreeTotal;
  if (withParts) sketch.deviceUsed.set(from.deviceUsed);
}

/** What is free in both: a job placed there disturbs neither. */
export function loadLesser(
  sketch: Sketch,
  one: Capacity,
  other: FreeParts,
  withParts: boolean,
): void {
  sketch.nodes = one.nodes;
  sketch.nodeState.set(one.nodeState);
  let total = 0;
  for (let i = 0; i < one.nodes.length; i++) {
    const node = one.nodes[i]!;
    const gpus = Math.min(one.gpusFree[node]!, other.gpusFree[node]!);
    sketch.gpusFree[node] = gpus;
    sketch.cpuMilliFree[node] = Math.min(one.cpuMilliFree[node]!, other.cpuMilliFree[node]!);
    sketch.memMiBFree[node] = Math.min(one.memMiBFree[node]!, other.memMiBFree[node]!);
    total += gpus;
  }
  sketch.gpusFreeTotal = total;
  if (!withParts) return;
  for (let device = 0; device < sketch.deviceUsed.length; device++) {
    sketch.deviceUsed[device] = Math.max(one.deviceUsed[device]!, other.deviceUsed[device]!);
  }
}

/** Brings the lesser of two up to date on the nodes of a placing, parts of devices left aside; its index is not built. O(rows). */
export function lessenOn(
  sketch: Sketch,
  one: FreeParts,
  other: FreeParts,
  { node: nodes, length }: Placing,
): void {
  for (let row = 0; row < length; row++) {
    const node = nodes[row]!;
    const gpus = Math.min(one.gpusFree[node]!, other.gpusFree[node]!);
    sketch.gpusFreeTotal += gpus - sketch.gpusFree[node]!;
    sketch.gpusFree[node] = gpus;
    sketch.cpuMilliFree[node] = Math.min(one.cpuMilliFree[node]!, other.cpuMilliFree[node]!);
    sketch.memMiBFree[node] = Math.min(one.memMiBFree[node]!, other.memMiBFree[node]!);
  }
}

/**
 * Indexes the open nodes of a sketch by free devices; to be called after the last change and before a placement. O(nodes).
 */
export function buildIndex(sketch: Sketch): void {
  sketch.freeIndex.build(sketch.nodes, sketch.gpusFree, sketch.nodeState);
}

/** Takes a placing out of a sketch. */
export function takePlacing(sketch: Sketch, placing: Placing, parts: readonly Part[]): void {
  for (let row = 0; row < placing.length; row++) {
    const part = parts[placing.part[row]!]!;
    const node = placing.node[row]!;
    const members = placing.members[row]!;
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! - members * part.cpuMilli;
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! - members * part.memMiB;
    const device = placing.device[row]!;
    let gpus = members * part.gpus;
    if (device >= 0) {
      gpus = sketch.deviceUsed[device] === 0 ? 1 : 0;
      sketch.deviceUsed[device] = Math.min(
        WHOLE_DEVICE,
        sketch.deviceUsed[device]! + placing.milli[row]!,
      );
    }
    sketch.gpusFree[node] = sketch.gpusFree[node]! - gpus;
    sketch.gpusFreeTotal -= gpus;
  }
}

/**
 * Gives one row of a job's holdings back to a sketch and returns the whole devices that become free by it: none on a node
 * that is not open.
 */
export function giveHolding(
  sketch: Sketch,
  jobs: JobTable,
  jobIdx: number,
  held: Grant,
  row: number,
): number {
  const node = held.node[row]!;
  const component = jobs.at.firstComponent[jobIdx]! + held.component[row]!;
  const members = held.members[row]!;
  sketch.cpuMilliFree[node] =
    sketch.cpuMilliFree[node]! + members * jobs.components.cpuMilli[component]!;
  sketch.memMiBFree[node] = sketch.memMiBFree[node]! + members * jobs.components.memMiB[component]!;
  let gpus = held.count[row]!;
  if (held.part[row]! > 0) {
    const device = sketch.cluster.deviceBase[node]! + held.first[row]!;
    // A MIG slice of unknown size: the device counts as in use until all its slices have gone, so nothing is given back.
    const milli = held.part[row]! <= WHOLE_DEVICE ? held.part[row]! : 0;
    const before = sketch.deviceUsed[device]!;
    sketch.deviceUsed[device] = Math.max(0, before - milli);
    gpus = before > 0 && before <= milli ? 1 : 0;
  }
  if (sketch.nodeState[node] !== NodeStateCode.open) return 0;
  sketch.gpusFree[node] = sketch.gpusFree[node]! + gpus;
  sketch.gpusFreeTotal += gpus;
  return gpus;
}

/** How many members of a part fit on a node, at most `most`. O(1); O(devices) for shares. */
export function membersOn(capacity: Capacity, node: number, part: Part, most: number): number {
  if (capacity.nodeState[node] !== NodeStateCode.open) return 0;
  if (part.groupFits[capacity.cluster.nodeGroup[node]!] === 0) return 0;
  let members = part.ownNode ? Math.min(1, most) : most;
  if (part.shareMilli > 0 || part.mig > 0)
    members = Math.min(members, partsFree(capacity, node, part));
  else if (part.gpus > 0)
    members = Math.min(members, Math.floor(capacity.gpusFree[node]! / part.gpus));
  if (part.cpuMilli > 0)
    members = Math.min(members, Math.floor(capacity.cpuMilliFree[node]! / part.cpuMilli));
  if (part.memMiB > 0)
    members = Math.min(members, Math.floor(capacity.memMiBFree[node]! / part.memMiB));
  return Math.max(0, members);
}

/** Members asking for a part of a device that the node's devices can hold. A MIG member takes a device of its own for now. */
function partsFree(capacity: Capacity, node: number, part: Part): number {
  if (part.mig > 0) return capacity.gpusFree[node]!;
  if (part.freeDevicesOnly)
    return capacity.gpusFree[node]! * Math.floor(WHOLE_DEVICE / part.shareMilli);
  const end = capacity.cluster.deviceBase[node + 1]!;
  let members = 0;
  for (let device = capacity.cluster.deviceBase[node]!; device < end; device++) {
    members += Math.floor((WHOLE_DEVICE - capacity.deviceUsed[device]!) / part.shareMilli);
  }
  return members;
}
