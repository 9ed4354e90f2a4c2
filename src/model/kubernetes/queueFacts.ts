/** What Kueue says of its queues and of one workload: numbers and names for the page's tables. Amounts are CPUs whole, memory in GiB, other resources counted. */
import type { ClusterQueue, StopPolicy } from "./kueueConfig.ts";

/** A ClusterQueue at one time. */
export interface QueueFacts {
  readonly name: string;
  /** Null = it stands alone. */
  readonly cohort: string | null;
  /** "": the queue has none. */
  readonly strategy: ClusterQueue["strategy"] | "";
  readonly stop: StopPolicy;
  /** Workloads that wait in it, and those that hold its quota. */
  readonly pending: number;
  readonly admitted: number;
  /** Who a cycle looks at next; −1 = nobody waits. */
  readonly headJobIdx: number;
  /** Why the head waits: a `WaitReasonCode`. */
  readonly headReason: number;
  /** Share of fair sharing in thousandths; NaN without fair sharing. */
  readonly share: number;
  readonly quotas: readonly QuotaFacts[];
}

/** Quota of one flavor and resource. */
export interface QuotaFacts {
  readonly flavor: string;
  readonly resource: string;
  readonly nominal: number;
  readonly used: number;
  readonly borrowed: number;
  readonly lent: number;
  /** `Infinity` = no limit. */
  readonly borrowingLimit: number;
  readonly lendingLimit: number;
  /** What the queue is entitled to now, where that is not its quota; NaN = it has none. */
  readonly fairShare?: number;
}

/** Where a workload stands between the layers. `unplaceable`: it has its quota, and no node has room for its pods. */
export type WorkloadStage =
  | "arriving"
  | "waiting"
  | "reserved"
  | "admitted"
  | "unplaceable"
  | "ready"
  | "leaving"
  | "backoff"
  | "aside"
  | "unmanaged";

/** Also of Volcano and KAI, which have no LocalQueues. */
export interface KueueJobFacts {
  /** Absent: Kueue. */
  readonly system?: "volcano" | "kai";
  readonly stage: WorkloadStage;
  /** When it came there. */
  readonly sinceMs: number;
  /** "" = none. */
  readonly localQueue: string;
  readonly clusterQueue: string;
  readonly priority: number;
  /** While it holds quota: its flavors, and pods that were admitted. */
  readonly flavors: readonly string[];
  readonly pods: number;
  readonly podsAsked: number;
  /** A group starts with so many. */
  readonly podsLeast?: number;
  /** −1 = not now. */
  readonly admittedMs: number;
  /** Place in its ClusterQueue, 1 = first; 0 = does not wait there. */
  readonly position: number;
  readonly waitingCount: number;
  readonly evictions: number;
  readonly timeouts: number;
  /** Domains that its pods are pinned to; 0 = none. */
  readonly domains: number;
}
