/** What a cluster comes to: nodes, devices, switches, price; and how its nodes lie below leaves. O(groups), O(nodes shown) for the layout. */
import type { Scenario } from "../../../scenario/schema.ts";

type ClusterPart = Scenario["cluster"];

export interface ClusterFacts {
  readonly nodes: number;
  readonly devices: number;
  /** 0 where no fabric is given. */
  readonly leaves: number;
  readonly spines: number;
  /** Money an hour; null where no group has a price. */
  readonly pricePerHour: number | null;
  /** Part of the devices that has a price, 0 to 1. */
  readonly priced: number;
}

export function clusterFacts({ nodeGroups, fabric, switches }: ClusterPart): ClusterFacts {
  const nodes = nodeGroups.reduce((sum, { count }) => sum + count, 0);
  const devices = nodeGroups.reduce((sum, { count, gpus }) => sum + count * gpus, 0);
  const given = switches?.filter(({ nodes: below }) => below !== undefined).length ?? 0;
  const leaves = fabric ? Math.ceil(nodes / fabric.nodesPerLeaf) : given;
  const spines = fabric
    ? Math.ceil(leaves / fabric.leavesPerSpine)
    : (switches?.length ?? 0) - given;
  const withPrice = nodeGroups.filter(({ pricePerGpuHour }) => pricePerGpuHour !== undefined);
  const sum = withPrice.reduce(
    (all, { count, gpus, pricePerGpuHour = 0 }) => all + count * gpus * pricePerGpuHour,
    0,
  );
  const priced = withPrice.reduce((all, { count, gpus }) => all + count * gpus, 0);
  return {
    nodes,
    devices,
    leaves,
    spines,
    pricePerHour: withPrice.length === 0 ? null : sum,
    priced: devices === 0 ? 0 : priced / devices,
  };
}

/** A run of nodes of one group below one leaf. */
export interface LeafPart {
  readonly group: number;
  readonly nodes: number;
}

/** Leaves in order, each with its nodes by group; without a fabric one leaf a group. At most `most` leaves. */
export function leavesOf({ nodeGroups, fabric }: ClusterPart, most: number): LeafPart[][] {
  if (!fabric)
    return nodeGroups.slice(0, most).map(({ count }, group) => [{ group, nodes: count }]);
  const leaves: LeafPart[][] = [];
  let leaf: LeafPart[] = [];
  let room = fabric.nodesPerLeaf;
  for (const [group, { count }] of nodeGroups.entries()) {
    for (let left = count; left > 0; ) {
      const nodes = Math.min(left, room);
      leaf.push({ group, nodes });
      left -= nodes;
      room -= nodes;
      if (room > 0) continue;
      leaves.push(leaf);
      if (leaves.length === most) return leaves;
      leaf = [];
      room = fabric.nodesPerLeaf;
    }
  }
  if (leaf.length > 0) leaves.push(leaf);
  return leaves;
}
