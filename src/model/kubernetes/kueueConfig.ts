/**
 * What Kueue's own objects say, as plain values: quotas by flavor and resource, queues, cohorts, topologies, classes of priority. Amounts are whole numbers in the units in
 * which pods ask: CPUs in 1/1,000, memory in MiB, everything else in pieces. Read by `scenario/kubernetes/kinds/`, run by
 * `schedulers/kubernetes/admission`. Names and defaults are those of `apis/kueue/v1beta2`.
 */

import type { ObjectName } from "./config.ts";

/** One flavor of a group of resources, with the quota of each resource. */
export interface FlavorQuota {
  readonly flavor: string;
  readonly resources: readonly ResourceQuota[];
}

export interface ResourceQuota {
  readonly resource: string;
  readonly nominal: number;
  /** `Infinity` = no limit. */
  readonly borrowingLimit: number;
  readonly lendingLimit: number;
}

/** Resources that get their flavor together; flavors in the order in which they are tried. */
export interface ResourceGroup {
  readonly resources: readonly string[];
  readonly flavors: readonly FlavorQuota[];
}

/** `Hold` admits nothing more; `HoldAndDrain` also evicts what has been admitted. */
export type StopPolicy = "None" | "Hold" | "HoldAndDrain";

export interface ClusterQueue extends ObjectName {
  readonly kind: "ClusterQueue";
  /** Null = it stands alone. */
  readonly cohort: string | null;
  readonly strategy: "BestEffortFIFO" | "StrictFIFO";
  readonly groups: readonly ResourceGroup[];
  readonly preemption: {
    readonly withinClusterQueue: "Never" | "LowerPriority" | "LowerOrNewerEqualPriority";
    readonly reclaimWithinCohort: "Never" | "LowerPriority" | "Any";
    /** Null = never; else only workloads of at most this priority. */
    readonly borrowUpTo: number | null;
  };
  readonly fungibility: {
    readonly whenCanBorrow: "MayStopSearch" | "TryNextFlavor";
    readonly whenCanPreempt: "MayStopSearch" | "TryNextFlavor";
    readonly preference: "BorrowingOverPreemption" | "PreemptionOverBorrowing";
  };
  /** Weight of fair sharing. */
  readonly weight: number;
  /** Its LocalQueues are ordered by what they have used. */
  readonly sharesByUse: boolean;
  readonly stop: StopPolicy;
}

export interface Cohort extends ObjectName {
  readonly kind: "Cohort";
  readonly parent: string | null;
  readonly weight: number;
  readonly groups: readonly ResourceGroup[];
}

/** Without a namespace it stands in every one. */
export interface LocalQueue extends ObjectName {
  readonly kind: "LocalQueue";
  readonly clusterQueue: string;
  /** Weight of admission fair sharing. */
  readonly weight: number;
  readonly stop: StopPolicy;
}

export interface ResourceFlavor extends ObjectName {
  readonly kind: "ResourceFlavor";
  /** Labels that a node of this flavor bears. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Name of its Topology; null = nodes are chosen without regard to it. */
  readonly topology: string | null;
}

export interface Topology extends ObjectName {
  readonly kind: "Topology";
  /** Node labels, widest domain first. */
  readonly levels: readonly string[];
}

export interface WorkloadPriorityClass extends ObjectName {
  readonly kind: "WorkloadPriorityClass";
  readonly value: number;
}

/** Objects of Kueue among those of a policy. */
export type KueueObject =
  | ClusterQueue
  | Cohort
  | LocalQueue
  | ResourceFlavor
  | Topology
  | WorkloadPriorityClass;

/** The label of the lowest domain that is always there: one node. */
export const HOSTNAME_LABEL = "kubernetes.io/hostname";
