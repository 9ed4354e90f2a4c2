/**
 * Sites that hand out whole nodes only often say nothing of GPUs. A configuration without any `Gres` of GPUs leaves them to the
 * cluster: each node has those that the cluster gives it, and jobs that get whole nodes hold them.
 */
import type { SlurmConfig, SlurmNode } from "../../model/slurm/config.ts";

/** Whether some node line says how many GPUs there are. */
export function saysGpus(nodes: readonly SlurmNode[]): boolean {
  return nodes.some((node) => node.gres.some((gres) => gres.name === "gpu"));
}

/** The configuration with the cluster's GPUs where it says nothing of any; otherwise as it is. O(nodes). */
export function withClusterGpus(
  config: SlurmConfig,
  gpusOf: (nodeName: string) => number,
): SlurmConfig {
  if (saysGpus(config.nodes)) return config;
  const nodes = config.nodes.map((node) => {
    const count = gpusOf(node.name);
    return count === 0 ? node : { ...node, gres: [{ name: "gpu", type: "", count }, ...node.gres] };
  });
  return { ...config, nodes };
}

const GPU_NODE = /dgx|hgx|gpu|[abhv]100|h200|b[23]00/i;
const GPUS_OF_A_DGX = 8;

export interface GuessedGpus {
  readonly model: string;
  readonly gpus: number;
  /** What was taken to be so. */
  readonly sentence: string;
}

/**
 * How many GPUs nodes are taken to have of which no line says so: eight where names or features speak of GPUs, otherwise each
 * node is one device of its own.
 */
export function guessedGpus(nodes: readonly SlurmNode[]): (node: SlurmNode) => GuessedGpus {
  const speaks = (node: SlurmNode): boolean =>
    GPU_NODE.test(node.name) || node.features.some((feature) => GPU_NODE.test(feature));
  if (!nodes.some(speaks)) {
    const sentence = "No line says how many GPUs there are: each node is taken as one device.";
    return () => ({ model: "node", gpus: 1, sentence });
  }
  const sentence = `No line says how many GPUs there are: nodes that speak of GPUs are taken to have ${GPUS_OF_A_DGX}.`;
  return (node) => ({ model: "GPU", gpus: speaks(node) ? GPUS_OF_A_DGX : 0, sentence });
}
