/**
 * Whether a job could run on the idle nodes of its partition: what slurmctld checks at submission. The words of a refusal are
 * those of `sbatch` (slurm_errno).
 */
import { countBits } from "../../../base/bitSets.ts";
import { Choice } from "./choice.ts";
import type { SlurmNodes } from "./nodes.ts";
import type { SelectOptions } from "./options.ts";
import { freeResources, type Resources } from "./resources.ts";
import { selectNodes } from "./select.ts";
import type { Wanted } from "./wanted.ts";

/**
 * `partitionLimit`: more nodes than the partition has or gives to one job; the job waits with PartitionNodeLimit, or is refused
 * where `EnforcePartLimits` says so. All others are refused at once.
 */
export type EverFits = "fits" | "nodeConfig" | "feature" | "nodeName" | "partitionLimit";

export const REFUSALS: Readonly<Record<Exclude<EverFits, "fits">, string>> = {
  nodeConfig: "Requested node configuration is not available",
  feature: "Invalid feature specification",
  nodeName: "Invalid node name specified",
  partitionLimit: "Node count specification invalid",
};

const idleOf = new WeakMap<SlurmNodes, Resources>();
const scratch = new Choice();

/** O(nodes). `partitionNodes`: all nodes of the partition, up or not. */
export function everFits(
  nodes: SlurmNodes,
  wanted: Wanted,
  partitionNodes: Int32Array,
  options: SelectOptions,
): EverFits {
  if (wanted.unknownNode) return "nodeName";
  if (wanted.constraint.invalid) return "feature";
  const most = Math.min(options.maxNodes, countBits(partitionNodes));
  if (wanted.minNodes > most) return "partitionLimit";
  let idle = idleOf.get(nodes);
  if (idle === undefined) {
    idle = freeResources(nodes);
    idleOf.set(nodes, idle);
  }
  // Too many switches are something to wait for, not to be refused for.
  const anySwitches = options.maxSwitches === 0 ? options : { ...options, maxSwitches: 0 };
  const fits = selectNodes(nodes, wanted, partitionNodes, idle, anySwitches, scratch);
  return fits ? "fits" : "nodeConfig";
}
