/**
 * Limits of a partition: time, nodes, state, and who may use it (slurm.conf(5), "PARTITION CONFIGURATION"). A job beyond MaxTime or
 * MaxNodes waits for ever, or is refused, as `EnforcePartLimits` says; which accounts and QOS a partition takes is a matter of access.
 */
import type { SlurmPartition, SlurmQos } from "../../model/slurm/config.ts";
import type { SlurmReason } from "../../model/slurm/reasons.ts";

/** What a partition sees of a job. */
export interface PartitionJob {
  /** ms; `Infinity` = none. */
  readonly limitMs: number;
  /** Nodes asked for; 0 = not said (`maxNodes`: no upper end). */
  readonly minNodes: number;
  readonly maxNodes: number;
  /** `--time-min`; 0 = not given. */
  readonly timeMinMs: number;
}

/** Flags of the job's QOS that lift limits of a partition. */
export type PartitionQosFlags = Pick<
  SlurmQos,
  "partitionMaxNodes" | "partitionMinNodes" | "partitionTimeLimit"
>;

/**
 * Why a job cannot start in a partition, now or ever; null = it may. Nodes are checked first, then the state, then time, as in Slurm.
 * `nodeCount`: nodes of the partition. `byTimeMin`: the backfill scheduler holds `--time-min` against MaxTime where it is given. O(1).
 */
export function partitionReason(
  partition: SlurmPartition,
  nodeCount: number,
  job: PartitionJob,
  qos: PartitionQosFlags | null,
  byTimeMin = false,
): SlurmReason | null {
  if (breaksNodes(partition, job, qos)) return "PartitionNodeLimit";
  if (partition.state === "down") return "PartitionDown";
  if (partition.state === "inactive") return "PartitionInactive";
  const timeMs = byTimeMin && job.timeMinMs > 0 ? job.timeMinMs : job.limitMs;
  if (timeMs > partition.maxTimeMs && qos?.partitionTimeLimit !== true) return "PartitionTimeLimit";
  if (job.minNodes > nodeCount) return "PartitionNodeLimit";
  return null;
}

function breaksNodes(
  partition: SlurmPartition,
  job: PartitionJob,
  qos: PartitionQosFlags | null,
): boolean {
  if (job.minNodes > partition.maxNodes && qos?.partitionMaxNodes !== true) return true;
  return job.maxNodes > 0 && job.maxNodes < partition.minNodes && qos?.partitionMinNodes !== true;
}

/** Which of a job's account and QOS a partition does not take; null = both are welcome. O(names listed). */
export function partitionAccess(
  partition: SlurmPartition,
  account: string,
  qos: string,
): "AccountNotAllowed" | "QOSNotAllowed" | null {
  const { allowAccounts, denyAccounts, allowQos, denyQos } = partition;
  // A list of what is allowed makes the list of what is denied void.
  if (allowAccounts !== null ? !allowAccounts.includes(account) : denyAccounts.includes(account))
    return "AccountNotAllowed";
  if (allowQos !== null ? !allowQos.includes(qos) : denyQos.includes(qos)) return "QOSNotAllowed";
  return null;
}
