/**
 * Links that several jobs may cross, by number: first the cards of each domain (`domainOf`), then the uplinks of each leaf. What a leaf's uplinks carry is what the
 * cards below it send, divided by the oversubscription. O(nodes).
 */
import type { Cluster } from "../cluster.ts";
import type { Network } from "../lab/services.ts";
import { domainOf } from "./gang.ts";
import { rateOf } from "./stepTime.ts";

/** The number of the first uplink. */
export function firstUplink(cluster: Cluster): number {
  return cluster.nvswitchCount + cluster.nodeCount;
}

/** Bytes per ms of each link, in one direction. */
export function linkCapacities(cluster: Cluster, network: Network): Float64Array {
  const firstLeaf = firstUplink(cluster);
  const capacity = new Float64Array(firstLeaf + cluster.leafCount);
  const cards = rateOf(network.nicGBps) * network.nicsPerNode;
  for (let node = 0; node < cluster.nodeCount; node++) {
    const leaf = firstLeaf + cluster.leafOfNode[node]!;
    const domain = domainOf(cluster, node);
    capacity[domain] = capacity[domain]! + cards;
    capacity[leaf] = capacity[leaf]! + cards;
  }
  for (let leaf = firstLeaf; leaf < capacity.length; leaf++)
    capacity[leaf] = Math.floor(capacity[leaf]! / network.oversubscription);
  return capacity;
}
