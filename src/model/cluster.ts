/**
 * The cluster as the engine and the panels address it: nodes and devices by index. Device `d` of node `n` has the global
 * index `deviceBase[n] + d`; that index is also its row in the Gantt. Nodes are ordered by leaf, so a leaf, an NVSwitch
 * domain and a node are each one run of rows.
 *
 *     spine 0 ── leaf 0 ── node 0 ── devices 0…7
 *            │          └─ node 1 ── devices 8…15
 *            └─ leaf 1 ── …
 */
export interface Cluster {
  readonly nodeCount: number;
  readonly deviceCount: number;
  readonly nodeNames: readonly string[];
  /** Index into `groups`. */
  readonly nodeGroup: Uint16Array;
  readonly groups: readonly NodeGroupInfo[];
  /** First global device index of each node; one more entry at the end holds `deviceCount`. */
  readonly deviceBase: Int32Array;
  readonly leafCount: number;
  readonly spineCount: number;
  /** Leaf of each node, spine of each leaf. */
  readonly leafOfNode: Int32Array;
  readonly spineOfLeaf: Int32Array;
  readonly leafNames: readonly string[];
  /** NVSwitch domain of each node; −1 where its GPUs are not joined by NVSwitch. */
  readonly nvswitchOfNode: Int32Array;
  readonly nvswitchCount: number;
  /** False where the scenario gave no fabric: leaves then only group nodes for the eye. */
  readonly hasFabric: boolean;
  /** True for a flat machine: one node whose devices are processors. */
  readonly flat: boolean;
  /** "GPU" or "processor": the word for one device. */
  readonly deviceWord: "GPU" | "processor";
}

export interface NodeGroupInfo {
  readonly id: string;
  readonly gpuModel: string;
  readonly gpuMemMiB: number;
  readonly gpusPerNode: number;
  readonly cpusPerNode: number;
  readonly memMiBPerNode: number;
  readonly numaDomains: number;
  readonly labels: Readonly<Record<string, string>>;
  /** What one device costs an hour, in the money of the document; absent = nobody said. */
  readonly pricePerGpuHour?: number | undefined;
}

/** The node that holds a global device index. O(log nodes). */
export function nodeOfDevice(cluster: Cluster, device: number): number {
  let low = 0;
  let high = cluster.nodeCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cluster.deviceBase[middle]! <= device) low = middle;
    else high = middle - 1;
  }
  return low;
}
