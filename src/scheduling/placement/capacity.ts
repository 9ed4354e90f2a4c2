/**
 * What is free, node by node: now (the view itself is one), or in a sketch of another moment, for example when enough running
 * jobs will have ended. All placement rules and all backfills look through this one shape.
 */
import type { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { sliceMask } from "../../model/mig.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import { chooseDevices, membersInDomains } from "./numa.ts";
import type { Placing } from "./placing.ts";
import type { Part } from "./shapes.ts";
import { FIRST_SLICE, milliOfSlices, sliceRoom, slicesOn, sliceTable } from "./slices.ts";
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
  | "sliceUsed"
  | "kindsOn"
  | "freeIndex"
> & {
  /** CPUs held by members that have devices; null where that is not known of the moment. */
  readonly cpuMilliAtDevices: Int32Array | null;
};

/** The columns of a capacity alone. */
export type FreeParts = Pick<
  Capacity,
  "gpusFree" | "cpuMilliFree" | "memMiBFree" | "deviceUsed" | "sliceUsed"
>;

/** A capacity of our own to try things on. Arrays are indexed by global node, as in the view. */
export interface Sketch extends Capacity {
  cluster: Cluster;
  nodes: Int32Array;
  gpusFree: Int32Array;
  cpuMilliFree: Int32Array;
  cpuMilliAtDevices: Int32Array | null;
  /** Where `cpuMilliAtDevices` is kept while it is known. */
  readonly ownAtDevices: Int32Array;
  memMiBFree: Int32Array;
  nodeState: Uint8Array;
  gpusFreeTotal: number;
  deviceUsed: Uint16Array;
  sliceUsed: Uint8Array;
  /** As it is now, whatever moment the sketch shows. */
  kindsOn: Capacity["kindsOn"];
  freeIndex: SortedNodes;
  /** `deviceUsed` and `sliceUsed` are true to the moment; else only whole devices are counted. */
  withParts: boolean;
}

/** An empty sketch for the nodes of a view: load it before use. O(nodes + devices). */
export function createSketch(view: Capacity): Sketch {
  const count = view.cluster.nodeCount;
  return {
    cluster: view.cluster,
    nodes: view.nodes,
    gpusFree: new Int32Array(count),
    cpuMilliFree: new Int32Array(count),
    cpuMilliAtDevices: null,
    ownAtDevices: new Int32Array(count),
    memMiBFree: new Int32Array(count),
    nodeState: new Uint8Array(count),
    gpusFreeTotal: 0,
    deviceUsed: new Uint16Array(view.cluster.deviceCount),
    sliceUsed: new Uint8Array(view.cluster.deviceCount),
    kindsOn: view.kindsOn,
    freeIndex: new SortedNodes(),
    withParts: true,
  };
}

/** Makes the sketch a copy of another capacity; its index is not built. O(nodes), O(devices) `withParts`. */
export function loadSketch(sketch: Sketch, from: Capacity, withParts: boolean): void {
  sketch.nodes = from.nodes;
  sketch.gpusFree.set(from.gpusFree);
  sketch.cpuMilliFree.set(from.cpuMilliFree);
  sketch.cpuMilliAtDevices = from.cpuMilliAtDevices === null ? null : sketch.ownAtDevices;
  if (from.cpuMilliAtDevices !== null) sketch.ownAtDevices.set(from.cpuMilliAtDevices);
  sketch.memMiBFree.set(from.memMiBFree);
  sketch.nodeState.set(from.nodeState);
  sketch.gpusFreeTotal = from.gpusFreeTotal;
  sketch.kindsOn = from.kindsOn;
  sketch.withParts = withParts;
  if (!withParts) return;
  sketch.deviceUsed.set(from.deviceUsed);
  sketch.sliceUsed.set(from.sliceUsed);
}

/** What is free in both: a job placed there disturbs neither. */
export function loadLesser(
  sketch: Sketch,
  one: Capacity,
  other: FreeParts,
  withParts: boolean,
): void {
  sketch.nodes = one.nodes;
  sketch.cpuMilliAtDevices = null;
  sketch.kindsOn = one.kindsOn;
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
  sketch.withParts = withParts;
  if (!withParts) return;
  for (let device = 0; device < sketch.deviceUsed.length; device++) {
    const mixed = isShared(one, device)
      ? other.sliceUsed[device]! > 0
      : isShared(other, device) && one.sliceUsed[device]! > 0;
    // Shared in the one and sliced in the other: nothing can go there in both.
    const used = Math.max(one.deviceUsed[device]!, other.deviceUsed[device]!);
    sketch.deviceUsed[device] = mixed ? WHOLE_DEVICE : used;
    sketch.sliceUsed[device] = mixed ? 0 : one.sliceUsed[device]! | other.sliceUsed[device]!;
  }
}

function isShared({ deviceUsed, sliceUsed }: FreeParts, device: number): boolean {
  return deviceUsed[device]! > 0 && sliceUsed[device] === 0;
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

/** A node of a sketch on which nothing was free, as if it were open and empty. O(1). */
export function openEmpty(sketch: Sketch, node: number): void {
  const { cluster } = sketch;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  sketch.nodeState[node] = NodeStateCode.open;
  sketch.gpusFree[node] = gpus;
  sketch.gpusFreeTotal += gpus;
  sketch.cpuMilliFree[node] = group.cpusPerNode * 1_000;
  noteCpus(sketch, node, -(sketch.cpuMilliAtDevices?.[node] ?? 0));
  sketch.memMiBFree[node] = group.memMiBPerNode;
}

/** CPUs of members with devices are taken on a node of a sketch, or given back (negative). O(1). */
export function noteCpus(sketch: Sketch, node: number, cpuMilli: number): void {
  const held = sketch.cpuMilliAtDevices;
  if (held !== null) held[node] = held[node]! + cpuMilli;
}

/**
 * Indexes the open nodes of a sketch by free devices; to be called after the last change and before a placement. O(nodes).
 */
export function buildIndex(sketch: Sketch): void {
  sketch.freeIndex.build(sketch.nodes, sketch.gpusFree, sketch.nodeState);
}

/** What one row of a placing takes of its node: `use` is overwritten at the next call. An exclusive job takes all of it. O(1). */
export function takenBy(
  parts: readonly Part[],
  placing: Placing,
  row: number,
): { gpus: number; cpuMilli: number; memMiB: number } {
  const part = parts[placing.part[row]!]!;
  const members = placing.members[row]!;
  const cluster = part.exclusive;
  if (cluster !== null) {
    const node = placing.node[row]!;
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    use.gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    use.cpuMilli = group.cpusPerNode * 1_000;
    use.memMiB = group.memMiBPerNode;
  } else {
    use.gpus = members * part.gpus;
    use.cpuMilli = members * part.cpuMilli;
    use.memMiB = members * part.memMiB;
  }
  return use;
}
const use = { gpus: 0, cpuMilli: 0, memMiB: 0 };

/** Takes a placing out of a sketch. */
export function takePlacing(sketch: Sketch, placing: Placing, parts: readonly Part[]): void {
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    const taken = takenBy(parts, placing, row);
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! - taken.cpuMilli;
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! - taken.memMiB;
    let { gpus } = taken;
    const part = parts[placing.part[row]!]!;
    if (hasDevices(part)) noteCpus(sketch, node, taken.cpuMilli);
    if (placing.device[row]! >= 0) gpus = takePart(sketch, sketch.cluster, part, placing, row);
    else if (sketch.withParts && gpus > 0)
      takeWhole(sketch, sketch.cluster, part, node, placing.members[row]!, gpus);
    sketch.gpusFree[node] = sketch.gpusFree[node]! - gpus;
    sketch.gpusFreeTotal -= gpus;
  }
}

/** Marks the devices that members of whole devices would get as in use: domain by domain where that is required, else the lowest. */
export function takeWhole(
  from: { deviceUsed: Uint16Array },
  cluster: Cluster,
  part: Part,
  node: number,
  members: number,
  gpus: number,
): void {
  if (part.rules.numa === "single" && part.exclusive === null) {
    const devices: number[] = [];
    const taken = new Set<number>();
    for (let member = 0; member < members; member++)
      chooseDevices(cluster, from.deviceUsed, node, part.gpus, true, taken, devices);
    for (const device of taken) from.deviceUsed[device] = WHOLE_DEVICE;
    return;
  }
  const end = cluster.deviceBase[node + 1]!;
  let left = gpus;
  for (let device = cluster.deviceBase[node]!; device < end && left > 0; device++) {
    if (from.deviceUsed[device] !== 0) continue;
    from.deviceUsed[device] = WHOLE_DEVICE;
    left--;
  }
}

/** Takes the share or slice of a row and returns the wholly free devices that are so no longer: 1 or 0. */
export function takePart(
  from: { deviceUsed: Uint16Array; sliceUsed: Uint8Array },
  cluster: Cluster,
  part: Part,
  placing: Placing,
  row: number,
): number {
  const device = placing.device[row]!;
  const used = from.deviceUsed[device]!;
  let milli = placing.milli[row]!;
  if (milli >= FIRST_SLICE) {
    const slices = slicesOn(part, cluster, placing.node[row]!);
    from.sliceUsed[device] = from.sliceUsed[device]! | sliceMask(slices, milli - FIRST_SLICE);
    milli = milliOfSlices(slices);
  }
  from.deviceUsed[device] = Math.min(WHOLE_DEVICE, used + milli);
  return used === 0 ? 1 : 0;
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
  sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! + held.cpuMilli[row]!;
  const component = jobs.at.firstComponent[jobIdx]! + held.component[row]!;
  if (jobs.components.gpus[component]! > 0) noteCpus(sketch, node, -held.cpuMilli[row]!);
  sketch.memMiBFree[node] = sketch.memMiBFree[node]! + held.memMiB[row]!;
  const first = sketch.cluster.deviceBase[node]! + held.first[row]!;
  let gpus = held.count[row]!;
  if (held.part[row]! > 0) {
    gpus = givePart(sketch, jobs, component, node, first, held.part[row]!);
  } else if (gpus > 0) sketch.deviceUsed.fill(0, first, first + gpus);
  if (sketch.nodeState[node] !== NodeStateCode.open) return 0;
  sketch.gpusFree[node] = sketch.gpusFree[node]! + gpus;
  sketch.gpusFreeTotal += gpus;
  return gpus;
}

function givePart(
  sketch: Sketch,
  jobs: JobTable,
  component: number,
  node: number,
  device: number,
  part: number,
): number {
  let milli = part;
  if (part >= FIRST_SLICE) {
    const { profiles, slices } = sliceTable(jobs, sketch.cluster);
    const group = sketch.cluster.nodeGroup[node]!;
    const size = slices[group * profiles + jobs.components.mig[component]! - 1]!;
    sketch.sliceUsed[device] = sketch.sliceUsed[device]! & ~sliceMask(size, part - FIRST_SLICE);
    milli = milliOfSlices(size);
  }
  const before = sketch.deviceUsed[device]!;
  sketch.deviceUsed[device] = Math.max(0, before - milli);
  return before > 0 && before <= milli ? 1 : 0;
}

/** How many members of a part fit on a node, at most `most`. O(1); O(devices) for shares. */
export function membersOn(capacity: Capacity, node: number, part: Part, most: number): number {
  if (capacity.nodeState[node] !== NodeStateCode.open) return 0;
  if (part.groupFits[capacity.cluster.nodeGroup[node]!] === 0) return 0;
  if (part.exclusive !== null && !nobodyOn(capacity, node)) return 0;
  let members = part.ownNode ? Math.min(1, most) : most;
  if (part.shareMilli > 0 || part.mig > 0)
    members = Math.min(members, partsFree(capacity, node, part, members));
  else if (part.gpus > 0) {
    members = Math.min(members, Math.floor(capacity.gpusFree[node]! / part.gpus));
    if (part.rules.numa === "single")
      members = Math.min(
        members,
        membersInDomains(capacity.cluster, capacity.deviceUsed, node, part.gpus),
      );
  }
  if (part.cpuMilli > 0) {
    const free = capacity.cpuMilliFree[node]! - keptCpu(capacity, node, part);
    members = Math.min(members, Math.floor(free / part.cpuMilli));
  }
  if (part.memMiB > 0)
    members = Math.min(members, Math.floor(capacity.memMiBFree[node]! / part.memMiB));
  return Math.max(0, members);
}

function nobodyOn(capacity: Capacity, node: number): boolean {
  const { cluster } = capacity;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  return (
    capacity.gpusFree[node] === cluster.deviceBase[node + 1]! - cluster.deviceBase[node]! &&
    capacity.cpuMilliFree[node] === group.cpusPerNode * 1_000 &&
    capacity.memMiBFree[node] === group.memMiBPerNode
  );
}

/** Whether members of a part hold a device, or some of one. */
export const hasDevices = ({ gpus, shareMilli, mig }: Part): boolean =>
  gpus > 0 || shareMilli > 0 || mig > 0;

/**
 * CPUs of those free that a member without a device may not have: what is closed to it for each device of the node, less what members with devices hold
 * of it. Where that is not known, as much is taken to be in use as there are devices in use.
 */
function keptCpu(capacity: Capacity, node: number, part: Part): number {
  const each = part.rules.cpuReserveMilli;
  if (each === 0 || hasDevices(part)) return 0;
  const { cluster, cpuMilliAtDevices, gpusFree } = capacity;
  if (cpuMilliAtDevices === null) return each * gpusFree[node]!;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  return Math.max(0, each * gpus - cpuMilliAtDevices[node]!);
}

/** Members asking for a part of a device that the node's devices can hold, at most `most`. */
function partsFree(capacity: Capacity, node: number, part: Part, most: number): number {
  if (part.mig > 0)
    return part.sliceTable === null
      ? capacity.gpusFree[node]!
      : sliceRoom(capacity, node, part, most);
  // Device by device even where only free ones count: of the lesser of two states, `gpusFree` may be more than are free in both.
  const end = capacity.cluster.deviceBase[node + 1]!;
  let members = 0;
  for (let device = capacity.cluster.deviceBase[node]!; device < end; device++) {
    const used = capacity.deviceUsed[device]!;
    if (capacity.sliceUsed[device] !== 0 || (part.freeDevicesOnly && used !== 0)) continue;
    members += Math.floor((WHOLE_DEVICE - used) / part.shareMilli);
  }
  return members;
}
