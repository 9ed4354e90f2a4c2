/**
 * How nodes are called in documents, and in which order they stand. A group names its nodes by a host list, or they are called by their group and
 * their number in it, `h100-000`; a flat machine by its group alone. Nodes take the order of the groups; where the fabric is
 * given switch by switch they stand leaf by leaf, so that a leaf is one run of nodes.
 */
import type { Scenario } from "./schema.ts";
import { expandHostlist } from "./slurm/hostlist.ts";

type Cluster = Scenario["cluster"];

export interface PlacedNode {
  readonly name: string;
  /** Index of its group, and its number there. */
  readonly group: number;
  readonly indexInGroup: number;
  /** Index of the switch that it hangs on (`leafSwitches`); −1 = none. */
  readonly leaf: number;
}

/** The name of a node: its group and its number within the group; a flat machine is the only one of its group. */
export function nodeName(group: string, indexInGroup: number, flat: boolean): string {
  return flat ? group : `${group}-${String(indexInGroup).padStart(3, "0")}`;
}

/** All node names, in the order of the cluster. O(nodes). */
export function nodeNames(cluster: Cluster): string[] {
  return nodeOrder(cluster).map((node) => node.name);
}

/** All nodes in the order in which they stand in the cluster. O(nodes). */
export function nodeOrder(cluster: Cluster): PlacedNode[] {
  const leafOf = leavesByName(cluster);
  const nodes = cluster.nodeGroups.flatMap((group, index) =>
    namesOfGroup(group, cluster.flat).map((name, indexInGroup) => ({
      name,
      group: index,
      indexInGroup,
      leaf: leafOf.get(name) ?? -1,
    })),
  );
  if (cluster.switches === undefined) return nodes;
  const last = cluster.switches.length;
  const rank = (leaf: number) => (leaf < 0 ? last : leaf);
  return nodes.toSorted((a, b) => rank(a.leaf) - rank(b.leaf));
}

/** The switches with nodes, as they are met going down from the tops in the order of the document. */
export function leafSwitches(
  cluster: Cluster,
): { readonly name: string; readonly above: string }[] {
  const switches = new Map((cluster.switches ?? []).map((entry) => [entry.name, entry]));
  const below = new Set((cluster.switches ?? []).flatMap((entry) => entry.switches ?? []));
  const leaves: { name: string; above: string }[] = [];
  const seen = new Set<string>();
  const stack = [...switches.keys()]
    .filter((name) => !below.has(name))
    .reverse()
    .map((name) => ({ name, above: name }));
  while (stack.length > 0) {
    const { name, above } = stack.pop()!;
    const entry = switches.get(name);
    if (entry === undefined || seen.has(name)) continue;
    seen.add(name);
    if (entry.nodes !== undefined && entry.nodes !== "") leaves.push({ name, above });
    for (const child of (entry.switches ?? []).toReversed())
      stack.push({ name: child, above: name });
  }
  return leaves;
}

function leavesByName(cluster: Cluster): Map<string, number> {
  const leafOf = new Map<string, number>();
  if (cluster.switches === undefined) return leafOf;
  const nodesOf = new Map(cluster.switches.map((entry) => [entry.name, entry.nodes ?? ""]));
  leafSwitches(cluster).forEach(({ name }, leaf) => {
    const names = expandHostlist(nodesOf.get(name)!);
    for (const node of names.ok ? names.value : []) if (!leafOf.has(node)) leafOf.set(node, leaf);
  });
  return leafOf;
}

function namesOfGroup(group: Cluster["nodeGroups"][number], flat: boolean): string[] {
  const given = group.names === undefined ? null : expandHostlist(group.names);
  return Array.from(
    { length: group.count },
    (_, index) => (given?.ok ? given.value[index] : undefined) ?? nodeName(group.id, index, flat),
  );
}
