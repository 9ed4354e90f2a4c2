/**
 * Labels of a node as Kubernetes has them: those of its node group, and those that agents put there: its host name, the GPU model and the NVLink domain (NVIDIA's GPU feature discovery), and
 * the switch that it hangs on, under the label names that Kueue's documentation of topologies uses. O(1) a label.
 */
import type { PoolView } from "../../../engine/view.ts";
import { HOSTNAME_LABEL } from "../../../model/kubernetes/kueueConfig.ts";

const MODEL_LABEL = "nvidia.com/gpu.product";
const NVLINK_LABEL = "nvidia.com/gpu.clique";
const RACK_LABEL = "cloud.provider.com/topology-rack";
const BLOCK_LABEL = "cloud.provider.com/topology-block";

type Clustered = Pick<PoolView, "cluster">;

/** The value of a label; "" where the node has none of that name. Labels of the node group come first. */
export function labelOf({ cluster }: Clustered, node: number, label: string): string {
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  const given = group.labels[label];
  if (given !== undefined) return given;
  switch (label) {
    case HOSTNAME_LABEL:
      return cluster.nodeNames[node]!;
    case MODEL_LABEL:
      return group.gpuModel;
    case NVLINK_LABEL:
      return String(cluster.nvswitchOfNode[node]!);
    case RACK_LABEL:
      return cluster.leafNames[cluster.leafOfNode[node]!] ?? "";
    case BLOCK_LABEL:
      return String(cluster.spineOfLeaf[cluster.leafOfNode[node]!] ?? "");
    default:
      return "";
  }
}

/** By node of the cluster: 1 where it bears all of the labels. O(nodes × labels). */
export function nodesWithLabels(
  view: Clustered,
  labels: Readonly<Record<string, string>>,
): Uint8Array {
  const wanted = Object.entries(labels);
  const nodes = new Uint8Array(view.cluster.nodeCount);
  for (let node = 0; node < nodes.length; node++)
    if (wanted.every(([label, value]) => labelOf(view, node, label) === value)) nodes[node] = 1;
  return nodes;
}

/** The model that a flavor's labels name; null = any. */
export function modelOfLabels(labels: Readonly<Record<string, string>>): string | null {
  return labels[MODEL_LABEL] ?? null;
}
