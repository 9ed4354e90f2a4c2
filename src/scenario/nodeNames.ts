/** How nodes are called in documents: by their group and their number in it, `h100-000`; a flat machine by its group alone. */
import type { Scenario } from "./schema.ts";

/** The name of a node: its group and its number within the group; a flat machine is the only one of its group. */
export function nodeName(group: string, indexInGroup: number, flat: boolean): string {
  return flat ? group : `${group}-${String(indexInGroup).padStart(3, "0")}`;
}

/** All node names, in the order of the groups. O(nodes). */
export function nodeNames(cluster: Scenario["cluster"]): string[] {
  return cluster.nodeGroups.flatMap((group) =>
    Array.from({ length: group.count }, (_, index) => nodeName(group.id, index, cluster.flat)),
  );
}
