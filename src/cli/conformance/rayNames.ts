/** From the names of a vector to the columns that Ray's rules work on: nodes by name, so that equal ones go in the order of the alphabet; custom resources by name behind the fixed ones. */
import { CPU, GPU, MEMORY, type RayNodes, STORE } from "../../scheduling/ray/resources.ts";

export type NamedAmounts = Readonly<Record<string, number>>;

export interface NamedNode {
  readonly name: string;
  readonly available: NamedAmounts;
  readonly total: NamedAmounts;
}

const FIXED: readonly string[] = (() => {
  const names: string[] = [];
  names[GPU] = "GPU";
  names[CPU] = "CPU";
  names[MEMORY] = "memory";
  names[STORE] = "object_store_memory";
  return names;
})();

export interface NamedCluster {
  readonly nodes: RayNodes;
  /** Names by index. */
  readonly names: readonly string[];
  readonly row: (amounts: NamedAmounts) => Float64Array;
}

/** A cluster of named nodes, with room for whatever the requests name. */
export function columnsOf(
  given: readonly NamedNode[],
  requests: readonly NamedAmounts[],
): NamedCluster {
  const sorted = [...given].sort((one, other) => (one.name < other.name ? -1 : 1));
  const named = [...requests, ...given.flatMap(({ available, total }) => [available, total])];
  const custom = [...new Set(named.flatMap((amounts) => Object.keys(amounts)))]
    .filter((name) => !FIXED.includes(name))
    .sort();
  const resources = [...FIXED, ...custom];
  const width = resources.length;
  const row = (amounts: NamedAmounts) => Float64Array.from(resources, (name) => amounts[name] ?? 0);
  const table = (pick: (node: NamedNode) => NamedAmounts) => {
    const amounts = new Float64Array(sorted.length * width);
    sorted.forEach((node, idx) => {
      amounts.set(row(pick(node)), idx * width);
    });
    return amounts;
  };
  const available = table((node) => node.available);
  const total = table((node) => node.total);
  return {
    nodes: { count: sorted.length, width, available, total },
    names: sorted.map(({ name }) => name),
    row,
  };
}
