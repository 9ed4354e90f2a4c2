/** Puts one member of a job on a node, counting what the grant already takes there: shared by the schedulers of the tests. */
import type { Grant } from "../../src/engine/grant.ts";
import type { PoolView } from "../../src/engine/view.ts";
import { NodeStateCode } from "../../src/model/states.ts";

/** False, and nothing added, when the node has no room. */
export function addMember(
  view: PoolView,
  grant: Grant,
  jobIdx: number,
  component: number,
  node: number,
): boolean {
  const firstRow = view.jobs.at.firstComponent[jobIdx]!;
  const row = firstRow + component;
  const { components } = view.jobs;
  if (view.nodeState[node] !== NodeStateCode.open) return false;
  let cpu = components.cpuMilli[row]!;
  let mem = components.memMiB[row]!;
  for (let i = 0; i < grant.length; i++) {
    if (grant.node[i] !== node) continue;
    if (components.ownNode[row] === 1 && grant.component[i] === component) return false;
    cpu += grant.members[i]! * components.cpuMilli[firstRow + grant.component[i]!]!;
    mem += grant.members[i]! * components.memMiB[firstRow + grant.component[i]!]!;
  }
  if (cpu > view.cpuMilliFree[node]! || mem > view.memMiBFree[node]!) return false;
  const part = components.shareMilli[row]!;
  if (part === 0 && components.mig[row] === 0) {
    return view.takeDevices(node, components.gpus[row]!, component, 1, grant);
  }
  return addPart(view, grant, node, component, part);
}

/** A share, or (part 0) a MIG slice of one eighth, on the first device of the node with room; untouched devices only for MIG. */
function addPart(
  view: PoolView,
  grant: Grant,
  node: number,
  component: number,
  part: number,
): boolean {
  const base = view.cluster.deviceBase[node]!;
  for (let device = base; device < view.cluster.deviceBase[node + 1]!; device++) {
    const taken = takenInGrant(grant, node, device - base);
    if (
      part === 0
        ? view.deviceUsed[device] === 0 && taken === 0
        : fitsShare(view, device, taken, part)
    ) {
      grant.push(component, node, device - base, 1, part === 0 ? 1_001 : part, 1);
      return true;
    }
  }
  return false;
}

/** A device used in eighths only may be sliced, which forbids shares; so shares go where the use is none or not of eighths. */
function fitsShare(view: PoolView, device: number, taken: number, part: number): boolean {
  const used = view.deviceUsed[device]!;
  return used % 125 !== 0 || used === 0 ? taken >= 0 && used + taken + part <= 1_000 : false;
}

/** Thousandths that the grant already takes of a device; −1 when it takes it whole or sliced. */
function takenInGrant(grant: Grant, node: number, first: number): number {
  let taken = 0;
  for (let i = 0; i < grant.length; i++) {
    if (
      grant.node[i] !== node ||
      first < grant.first[i]! ||
      first >= grant.first[i]! + grant.count[i]!
    )
      continue;
    const part = grant.part[i]!;
    if (part === 0 || part > 1_000) return -1;
    taken += part;
  }
  return taken;
}
