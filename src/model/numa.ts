/** NUMA domains: the GPUs of a node are spread evenly over them, in order of number. */
import type { Cluster } from "./cluster.ts";

/** GPUs of a node in one domain; the last may have fewer. */
export function gpusPerDomain(cluster: Cluster, node: number): number {
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  const { numaDomains } = cluster.groups[cluster.nodeGroup[node]!]!;
  return Math.max(1, Math.ceil(gpus / Math.max(1, numaDomains)));
}

/**
 * Whether some member of `gpusEach` GPUs has them in two domains. `devices` are global numbers on one node, those of each member one after the
 * other. O(devices).
 */
export function crossesDomains(
  cluster: Cluster,
  node: number,
  devices: readonly number[],
  gpusEach: number,
): boolean {
  const base = cluster.deviceBase[node]!;
  const size = gpusPerDomain(cluster, node);
  for (let i = 1; i < devices.length; i++) {
    if (i % gpusEach === 0) continue;
    if (Math.floor((devices[i]! - base) / size) !== Math.floor((devices[i - 1]! - base) / size))
      return true;
  }
  return false;
}
