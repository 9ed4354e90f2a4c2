/**
 * From nodes to devices: a call that was given a node still has to find its GPUs there, whole ones wholly free and a fraction on one GPU that has so much left, the fullest such one. The
 * cluster's view only adds up what is free, so this can fail where the sum is enough. O(devices of the node × members).
 */
import type { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { CallClass } from "./calls.ts";

/** Appends members of a component on a node to a grant; false, and nothing is appended, where its GPUs do not hold them. */
export function grantOn(
  view: PoolView,
  calls: CallClass,
  component: number,
  node: number,
  members: number,
  grant: Grant,
): boolean {
  const part = calls.shape.parts[component]!;
  const first = grant.length;
  if (part.shareMilli > 0) {
    for (let member = 0; member < members; member++)
      if (!grantShare(view, component, node, part.shareMilli, grant)) {
        grant.length = first;
        return false;
      }
  } else if (!view.takeDevices(node, members * part.gpus, component, members, grant)) return false;
  const cpuMilli = calls.runCpuMilli[component]!;
  if (cpuMilli >= 0 && countsCpus(view, node))
    for (let row = first; row < grant.length; row++)
      if (grant.members[row]! > 0) grant.cpuMilli[row] = cpuMilli * grant.members[row]!;
  return true;
}

function countsCpus({ cluster }: PoolView, node: number): boolean {
  return cluster.groups[cluster.nodeGroup[node]!]!.cpusPerNode > 0;
}

function grantShare(
  view: PoolView,
  component: number,
  node: number,
  milli: number,
  grant: Grant,
): boolean {
  const { deviceBase } = view.cluster;
  let best = -1;
  let bestLeft = WHOLE_DEVICE + 1;
  for (let device = deviceBase[node]!; device < deviceBase[node + 1]!; device++) {
    if (view.sliceUsed[device] !== 0) continue;
    const at = device - deviceBase[node]!;
    const left = WHOLE_DEVICE - view.deviceUsed[device]! - granted(grant, node, at);
    if (left < milli || left >= bestLeft) continue;
    best = at;
    bestLeft = left;
  }
  if (best < 0) return false;
  grant.push(component, node, best, 1, milli, 1);
  return true;
}

/** What the grant has given of a device already. */
function granted(grant: Grant, node: number, device: number): number {
  let milli = 0;
  for (let row = 0; row < grant.length; row++) {
    const first = grant.first[row]!;
    if (grant.node[row] !== node || device < first || device >= first + grant.count[row]!) continue;
    milli += grant.part[row] === 0 ? WHOLE_DEVICE : grant.part[row]!;
  }
  return milli;
}
