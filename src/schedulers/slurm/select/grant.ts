/**
 * From a choice to a grant of named devices: on each node the lowest free ones of the type asked for, CPUs and memory as chosen,
 * and the job's members spread over the nodes as its components ask. A whole node is given with all its devices.
 */
import type { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { Choice } from "./choice.ts";
import type { SlurmNodes } from "./nodes.ts";
import type { ComponentForm, Wanted } from "./wanted.ts";

const WHOLE_DEVICE = 1_000;
/** `Grant.part` of a MIG slice that starts at 0. */
const FIRST_SLICE = 1_001;

/**
 * Fills `into` with the grant of a choice made on the present state. False where a device that the books call free is not
 * (parts of devices that do not add up): the job then waits. O(nodes + devices of the nodes).
 */
export function fillGrant(
  view: PoolView,
  nodes: SlurmNodes,
  wanted: Wanted,
  choice: Choice,
  into: Grant,
): boolean {
  into.clear();
  if (nodes.flat) {
    grantProcessors(nodes, wanted, choice, into);
    return true;
  }
  const left = wanted.components.map((form) => form.members);
  // All rows of one component follow each other, so that the engine can hold its devices against its members.
  for (let component = 0; component < Math.max(1, left.length); component++) {
    for (let row = 0; row < choice.length; row++) {
      if (!grantNode(view, nodes, wanted, choice, row, component, left, into)) return false;
    }
  }
  return true;
}

/** Runs of processors; one CPU each where the cluster counts them. */
function grantProcessors(nodes: SlurmNodes, wanted: Wanted, choice: Choice, into: Grant): void {
  const form = wanted.components[0];
  let left = form?.members ?? 1;
  const size = Math.max(1, form?.gpus ?? 1);
  let given = 0;
  for (let row = 0; row < choice.length; ) {
    const engineNode = nodes.engineNode[choice.node[row]!]!;
    const first = nodes.device[choice.node[row]!]!;
    let count = 1;
    while (
      row + count < choice.length &&
      nodes.engineNode[choice.node[row + count]!] === engineNode &&
      nodes.device[choice.node[row + count]!] === first + count
    )
      count++;
    row += count;
    given += count;
    const members = row === choice.length ? left : Math.min(left, Math.floor(given / size));
    given -= members * size;
    left -= members;
    into.push(0, engineNode, first, count, 0, members, 0, 0);
  }
}

function grantNode(
  view: PoolView,
  nodes: SlurmNodes,
  wanted: Wanted,
  choice: Choice,
  row: number,
  component: number,
  left: number[],
  into: Grant,
): boolean {
  const { components } = wanted;
  const last = component >= components.length - 1;
  const form = components[component];
  const members = form === undefined ? 1 : membersOn(choice, row, form, left[component]!);
  if (left.length > 0) left[component] = left[component]! - members;
  // The only component takes all that was chosen, also devices beyond what its members ask for (whole nodes).
  const devices = components.length < 2 ? choice.gpus[row]! : members * (form?.gpus ?? 0);
  const engineNode = nodes.engineNode[choice.node[row]!]!;
  const { cpusPerNode } = view.cluster.groups[view.cluster.nodeGroup[engineNode]!]!;
  const cpuMilli = last && cpusPerNode > 0 ? choice.cpus[row]! * 1_000 : 0;
  const memMiB = last ? choice.memMiB[row]! : 0;
  if (members === 0 && devices <= 0 && cpuMilli === 0) return true;
  const start = into.length;
  const done =
    form !== undefined && form.shareMilli + form.mig > 0
      ? grantParts(view, nodes, wanted, form, choice, row, component, members, into)
      : grantDevices(view, nodes, choice, row, component, members, Math.max(0, devices), into);
  if (!done) return false;
  for (let at = start; at < into.length; at++) {
    into.cpuMilli[at] = at === start ? cpuMilli : 0;
    into.memMiB[at] = at === start ? memMiB : 0;
  }
  return true;
}

/** Members of a component on a node: one where each has a node of its own, else as many as its devices (or tasks) there. */
function membersOn(choice: Choice, row: number, form: ComponentForm, left: number): number {
  if (left <= 0) return 0;
  if (form.ownNode) return 1;
  const room =
    form.gpus > 0 ? Math.floor(choice.gpus[row]! / form.gpus) : Math.max(1, choice.tasks[row]!);
  // What the nodes to come cannot hold stays with the last one.
  return row === choice.length - 1 ? left : Math.min(left, room);
}

/** The lowest free devices, type by type as chosen, as runs; the members count at the first. */
function grantDevices(
  view: PoolView,
  nodes: SlurmNodes,
  choice: Choice,
  row: number,
  component: number,
  members: number,
  devices: number,
  into: Grant,
): boolean {
  const node = choice.node[row]!;
  const engineNode = nodes.engineNode[node]!;
  if (devices === 0) {
    into.push(component, engineNode, -1, 0, 0, members, 0, 0);
    return true;
  }
  const start = into.length;
  if (choice.types === 0) {
    if (!takeRuns(view, engineNode, 0, nodes.gpus[node]!, devices, component, into)) return false;
  } else {
    for (let type = 0; type < choice.types; type++) {
      const count = choice.byType[row * choice.types + type]!;
      const at = type * nodes.count + node;
      const first = nodes.typeFirst[at]!;
      const end = first + nodes.typeCount[at]!;
      if (count > 0 && !takeRuns(view, engineNode, first, end, count, component, into))
        return false;
    }
  }
  into.members[start] = members;
  return true;
}

function takeRuns(
  view: PoolView,
  engineNode: number,
  from: number,
  to: number,
  count: number,
  component: number,
  into: Grant,
): boolean {
  const base = view.cluster.deviceBase[engineNode]!;
  const several = component > 0;
  let left = count;
  for (let device = from; device < to && left > 0; device++) {
    if (view.deviceUsed[base + device] !== 0 || (several && isNamed(into, engineNode, device)))
      continue;
    const last = into.length - 1;
    const extends_ =
      last >= 0 &&
      into.node[last] === engineNode &&
      into.component[last] === component &&
      into.first[last]! + into.count[last]! === device;
    if (extends_) into.count[last] = into.count[last]! + 1;
    else into.push(component, engineNode, device, 1, 0, 0, 0, 0);
    left--;
  }
  return left === 0;
}

/** Whether an earlier component of the job has the device. */
function isNamed(grant: Grant, engineNode: number, device: number): boolean {
  for (let row = 0; row < grant.length; row++) {
    const first = grant.first[row]!;
    if (grant.node[row] === engineNode && device >= first && device < first + grant.count[row]!)
      return true;
  }
  return false;
}

/** Parts of devices: shares and shards on the first device that has room, MIG slices on a free one; one device a member. */
function grantParts(
  view: PoolView,
  nodes: SlurmNodes,
  wanted: Wanted,
  form: ComponentForm,
  choice: Choice,
  row: number,
  component: number,
  members: number,
  into: Grant,
): boolean {
  const engineNode = nodes.engineNode[choice.node[row]!]!;
  const base = view.cluster.deviceBase[engineNode]!;
  const devices = view.cluster.deviceBase[engineNode + 1]! - base;
  const isMig = form.mig > 0;
  const share = isMig ? WHOLE_DEVICE : form.shareMilli;
  let left = members;
  for (let device = 0; device < devices && left > 0; device++) {
    if (component > 0 && isNamed(into, engineNode, device)) continue;
    let used = view.deviceUsed[base + device]!;
    const sharing = wanted.shardsPerNode > 0;
    while (left > 0 && used + share <= WHOLE_DEVICE && (sharing || used === 0)) {
      into.push(component, engineNode, device, 1, isMig ? FIRST_SLICE : share, 1, 0, 0);
      used += sharing ? share : WHOLE_DEVICE;
      left--;
    }
  }
  return left === 0;
}
