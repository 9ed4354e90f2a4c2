/** From a placing on the present state to a grant of named devices: the last step before the engine. */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { chooseDevices } from "./numa.ts";
import type { Placing } from "./placing.ts";
import type { Part, Shape } from "./shapes.ts";
import { FIRST_SLICE } from "./slices.ts";

const ownDevices = new Grant();
const chosenDevices: number[] = [];

/** Turns a placing on the present state into a grant of named devices. False if a node has fewer free than placed. O(devices given). */
export function grantPlacing(view: PoolView, shape: Shape, placing: Placing, into: Grant): boolean {
  into.clear();
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    const partIdx = placing.part[row]!;
    const part = shape.parts[partIdx]!;
    const members = placing.members[row]!;
    const device = placing.device[row]!;
    if (device >= 0) {
      const first = device - view.cluster.deviceBase[node]!;
      into.push(partIdx, node, first, 1, placing.milli[row]!, members);
    } else if (part.exclusive !== null) {
      if (!grantNode(view, node, partIdx, members, into)) return false;
    } else if (part.shareMilli > 0 || part.mig > 0) {
      if (!grantOwnDevices(view, node, partIdx, part, members, into)) return false;
    } else if (part.rules.numa !== "ignore" && part.gpus > 0) {
      if (!grantByDomain(view, node, partIdx, part, members, into)) return false;
    } else if (!view.takeDevices(node, members * part.gpus, partIdx, members, into)) return false;
  }
  return true;
}

/** All of a node: its devices, CPUs and memory. */
function grantNode(
  view: PoolView,
  node: number,
  partIdx: number,
  members: number,
  into: Grant,
): boolean {
  const { cluster } = view;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  if (view.gpusFree[node] !== gpus) return false;
  const first = gpus > 0 ? 0 : -1;
  const cpuMilli = group.cpusPerNode * 1_000;
  into.push(partIdx, node, first, gpus, 0, members, cpuMilli, group.memMiBPerNode);
  return true;
}

/** Members that ask for a part of a device, each on a free device of its own; a MIG slice starts at the device's first place. */
function grantOwnDevices(
  view: PoolView,
  node: number,
  partIdx: number,
  part: Part,
  members: number,
  into: Grant,
): boolean {
  const share = part.mig > 0 ? FIRST_SLICE : part.shareMilli;
  ownDevices.clear();
  // What earlier parts of the job have been given here is not free any more.
  for (let row = 0; row < into.length; row++) {
    if (into.node[row] === node && into.count[row]! > 0)
      ownDevices.push(into.component[row]!, node, into.first[row]!, into.count[row]!, 0, 0);
  }
  const given = ownDevices.length;
  if (!view.takeDevices(node, members, partIdx, members, ownDevices)) return false;
  for (let row = given; row < ownDevices.length; row++) {
    for (let device = 0; device < ownDevices.count[row]!; device++) {
      into.push(partIdx, node, ownDevices.first[row]! + device, 1, share, 1);
    }
  }
  return true;
}

/** Members whose GPUs lie in one NUMA domain, as far as the rules say so. */
function grantByDomain(
  view: PoolView,
  node: number,
  partIdx: number,
  part: Part,
  members: number,
  into: Grant,
): boolean {
  const { cluster } = view;
  const base = cluster.deviceBase[node]!;
  const taken = new Set<number>();
  for (let row = 0; row < into.length; row++) {
    if (into.node[row] !== node) continue;
    for (let i = 0; i < into.count[row]!; i++) taken.add(base + into.first[row]! + i);
  }
  const single = part.rules.numa === "single";
  for (let member = 0; member < members; member++) {
    if (!chooseDevices(cluster, view.deviceUsed, node, part.gpus, single, taken, chosenDevices))
      return false;
    pushRuns(partIdx, node, chosenDevices, into);
  }
  return true;
}

/** One member, as runs of consecutive devices. */
function pushRuns(partIdx: number, node: number, devices: readonly number[], into: Grant): void {
  let first = 0;
  for (let i = 1; i <= devices.length; i++) {
    if (i < devices.length && devices[i] === devices[i - 1]! + 1) continue;
    into.push(partIdx, node, devices[first]!, i - first, 0, first === 0 ? 1 : 0);
    first = i;
  }
}
