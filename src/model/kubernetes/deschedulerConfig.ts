/** A DeschedulerPolicy, cut down to what is modelled: two plugins that balance nodes, and the evictor that they share. */
import type { ObjectName } from "./config.ts";

export interface DeschedulerPolicy extends ObjectName {
  readonly kind: "DeschedulerPolicy";
  /** null = no limit. Of one round. */
  readonly mostPerNode: number | null;
  readonly mostPerNamespace: number | null;
  readonly mostTotal: number | null;
  /** Grace of those that it evicts (ms); null = their own. */
  readonly graceMs: number | null;
  readonly profiles: readonly DeschedulerProfile[];
}

export interface DeschedulerProfile {
  readonly evictor: EvictorConfig;
  /** In the order in which they are enabled. */
  readonly balance: readonly BalanceConfig[];
}

/** DefaultEvictor. */
export interface EvictorConfig {
  readonly nodeFit: boolean;
  readonly minReplicas: number;
  readonly minPodAgeMs: number;
  /** Pods of this priority and above stay: a number, or the name of a PriorityClass; null = only system-critical ones. */
  readonly priorityThreshold: number | string | null;
  /** Only pods with these labels; null = all. */
  readonly matchLabels: Readonly<Record<string, string>> | null;
}

/** Per cent by resource; null = not given. */
export type Thresholds = readonly [
  cpu: number | null,
  memory: number | null,
  gpus: number | null,
  pods: number | null,
];
/** Their names in the text, in this order. */
export const UTILIZATION_RESOURCES = ["cpu", "memory", "nvidia.com/gpu", "pods"] as const;

export interface BalanceConfig {
  readonly plugin: "LowNodeUtilization" | "HighNodeUtilization";
  readonly thresholds: Thresholds;
  /** Of LowNodeUtilization. */
  readonly targets: Thresholds;
  /** Thresholds are distances from the average. */
  readonly deviation: boolean;
  /** More nodes than this must be underused. */
  readonly numberOfNodes: number;
  /** Evictions of the plugin from one node in a round; null = no limit. */
  readonly nodeLimit: number | null;
  readonly excluded: readonly string[];
}
