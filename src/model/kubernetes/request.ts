/**
 * What a job asks of the Kubernetes family beyond its shape: resolved, one object for jobs that ask for the same. A job without an entry asks for nothing of
 * it. Its pods have the labels given here and those that follow from the job: `job-name` (its id), `team`, `tier`, `queue`, `user`, `kind`.
 */
import type { PreemptionPolicy } from "./config.ts";
import type { RayRequest } from "./rayRequest.ts";

export interface KubernetesRequest {
  /** Members without which a gang scheduler (Volcano, KAI) starts nothing; absent: the minimum members of its components. */
  readonly minMember?: number | undefined;
  /** Members with which it may be admitted where quota does not hold all (Kueue's partial admission); absent: all. */
  readonly minCount?: number | undefined;
  readonly preemptionPolicy?: PreemptionPolicy | undefined;
  /** Its pods are given so long to end (ms); absent: as the policy says. */
  readonly terminationGraceMs?: number | undefined;
  /** False: Cluster Autoscaler takes no node away under its pods (annotation `cluster-autoscaler.kubernetes.io/safe-to-evict`). */
  readonly safeToEvict?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly topology?: TopologyWish | undefined;
  /** What it asks of Ray; Kueue admits a job that has it whole, as a RayJob. */
  readonly ray?: RayRequest | undefined;
}

/** Where its pods want to be together: a level of the topology by its node label. */
export interface TopologyWish {
  readonly mode: "required" | "preferred" | "unconstrained";
  /** "" with `unconstrained`. */
  readonly level: string;
  /** Pods that must share a domain of `sliceLevel`; 1 = no slices. */
  readonly sliceSize: number;
  readonly sliceLevel: string;
}
