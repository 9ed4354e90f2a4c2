/** Inference services, the controller that moves nodes between pools, and rented nodes: resolved from the document. */

/**
 * A service is `maxReplicas` jobs (`JobFlag.service`, submitted at 0, one member each, start-up = cold start), one for each replica: so each is
 * placed, preempted and lost on its own. The autoscaler holds those that it does not want.
 */
export interface ServiceInfo {
  readonly id: string;
  readonly name: string;
  /** The job of each replica, ascending; `maxReplicas` of them. */
  readonly replicas: Int32Array;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly gpusPerReplica: number;
  readonly coldStartMs: number;
  readonly concurrency: number;
  readonly requestMs: number;
  readonly requestCv2: number;
  readonly percentile: 95 | 99;
  readonly targetMs: number;
  /** Requests a second from each time on; ascending, the first at 0. Drawn before the run. */
  readonly demand: { readonly atMs: Float64Array; readonly perSec: Float64Array };
  readonly autoscale: {
    readonly metric: "fixed" | "utilization" | "latency";
    readonly target: number;
    readonly everyMs: number;
    readonly downDelayMs: number;
    readonly upDelayMs: number;
    readonly tolerance: number;
    /** What has piled up is to be worked off in so long; absent: the autoscaler looks at what arrives alone. */
    readonly catchUpMs?: number | undefined;
  };
}

/** Moves nodes between a pool with services and one with a batch queue. */
export interface FleetRule {
  readonly serving: number;
  readonly batch: number;
  readonly everyMs: number;
  readonly servingMin: number;
  readonly batchMin: number;
  readonly upAfterMs: number;
  readonly downAfterMs: number;
  /** Devices that the batch queue waits for beyond which it is given nodes. */
  readonly queueAbove: number;
  readonly spare: number;
  readonly nodesAtOnce: number;
  readonly handOverMs: number;
}

/** Nodes of a group that are rented when work waits. */
export interface BurstRule {
  readonly nodes: readonly number[];
  readonly startupMs: number;
  readonly idleTimeoutMs: number;
  readonly afterWaitMs: number;
  /** When the cloud would take each node back if it were rented then: ascending times, node by node as in `nodes`; absent = never. */
  readonly takenMs?: readonly Float64Array[] | undefined;
  /** The cloud says so this long before. */
  readonly noticeMs: number;
}

export interface Network {
  readonly nvlinkGBps: number;
  readonly nvlinkMicros: number;
  readonly nicGBps: number;
  readonly nicMicros: number;
  readonly nicsPerNode: number;
  readonly rails: boolean;
  readonly oversubscription: number;
}

export interface Storage {
  readonly writeGBps: number;
  readonly readGBps: number;
}
