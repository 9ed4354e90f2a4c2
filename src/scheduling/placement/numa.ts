/**
 * NUMA: the GPUs of a node are spread evenly over its domains, in order of number. A member whose GPUs lie in two domains reads its data
 * across the link between sockets. Devices are chosen member by member: the domain with the fewest free devices that holds the member,
 * the lower one on a tie; where none does (and that is allowed), domains with most free devices first, so that few are crossed.
 * Source: Kubernetes topology manager, policies `single-numa-node` and `best-effort`.
 */
import type { Cluster } from "../../model/cluster.ts";
import { gpusPerDomain } from "../../model/numa.ts";

/** Members of so many GPUs that find a domain each. O(devices of the node). */
export function membersInDomains(
  cluster: Cluster,
  deviceUsed: Uint16Array,
  node: number,
  gpusEach: number,
): number {
  const base = cluster.deviceBase[node]!;
  const end = cluster.deviceBase[node + 1]!;
  const size = gpusPerDomain(cluster, node);
  let members = 0;
  for (let first = base; first < end; first += size)
    members += Math.floor(freeIn(deviceUsed, first, Math.min(end, first + size), null) / gpusEach);
  return members;
}

/**
 * Chooses the devices of one member, as numbers within the node, ascending by domain; false if too few are free, or with `single` if no
 * domain has enough. `taken` holds devices of the node that are promised already; the chosen are added. O(devices of the node).
 */
export function chooseDevices(
  cluster: Cluster,
  deviceUsed: Uint16Array,
  node: number,
  gpus: number,
  single: boolean,
  taken: Set<number>,
  into: number[],
): boolean {
  const base = cluster.deviceBase[node]!;
  const end = cluster.deviceBase[node + 1]!;
  const size = gpusPerDomain(cluster, node);
  into.length = 0;
  let left = gpus;
  while (left > 0) {
    let best = -1;
    let bestFree = 0;
    for (let first = base; first < end; first += size) {
      const free = freeIn(deviceUsed, first, Math.min(end, first + size), taken);
      const better = bestFree >= left ? free >= left && free < bestFree : free > bestFree;
      if (better) {
        best = first;
        bestFree = free;
      }
    }
    if (best < 0 || (single && bestFree < gpus)) return false;
    for (let device = best; device < Math.min(end, best + size) && left > 0; device++) {
      if (deviceUsed[device] !== 0 || taken.has(device)) continue;
      taken.add(device);
      into.push(device - base);
      left--;
    }
  }
  return true;
}

function freeIn(
  deviceUsed: Uint16Array,
  first: number,
  end: number,
  taken: ReadonlySet<number> | null,
): number {
  let free = 0;
  for (let device = first; device < end; device++)
    if (deviceUsed[device] === 0 && taken?.has(device) !== true) free++;
  return free;
}
